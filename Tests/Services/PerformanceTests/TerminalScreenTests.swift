import Basics
import Following
import Platform
import Score
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages

@Suite struct TerminalScreenTests {
    private func screen(isUnicode: Bool = true, isColoured: Bool = false) throws -> TerminalLayout {
        let programme = try LiveFolder.programme(seeds: [1, 2], seconds: 4)
        return TerminalLayout(
            title: "Made",
            pieces: programme.pieceModels.map { .init(name: $0.pieceName.text, measureMap: $0.measures) },
            inputName: "room", isUnicode: isUnicode, isColoured: isColoured)
    }

    private func snapshot(_ state: FollowerState? = .following, measure: Int = 2) -> RunStatistics {
        let meter = DeadlineMeter(limit: .milliseconds(10))
        meter.recordHop(nanoseconds: 1_000_000)
        var input = SoundSourceStatus()
        input.heldPeak = 0.5
        input.rms = 0.1
        let newest = state.map { state in
            StampedReport(
                concertReport: ConcertReport(
                    pieceIndex: 1,
                    positionReport: PositionReport(
                        liveTime: LiveTime(seconds: 1), referenceTime: ReferenceTime(seconds: 1),
                        position: ScorePosition(played: measure - 1, fraction: 0), printedMeasure: measure,
                        tempo: TempoRatio(1.2), confidence: 0.5, state: state)),
                publishedAt: MonotonicInstant(nanoseconds: 0))
        }
        return RunStatistics(
            elapsed: .seconds(61), newestReport: newest, hopProcessingTime: meter.readStatistics(),
            captureToReportDelay: meter.readStatistics(),
            longestReportGap: .zero, overflowedSamples: 0, droppedReports: 0, inputStatus: input,
            packetStatistics: nil)
    }

    @Test func itNamesWhatMatters() throws {
        let text = try screen().lines(snapshot(), confidences: [0, 0.5, 1], width: 100, height: 40)
            .joined(separator: "\n")
        for part in [
            "2/2  Made, Melody: 2", "next 3", "following", "120 %", "50 %", "▁▅█", "-6 dBFS", "0:01:01",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func theLastMeasureHasNoNext() throws {
        let text = try screen().lines(snapshot(measure: 4), confidences: [], width: 100, height: 40).joined()
        #expect(text.contains("the last measure"))
    }

    @Test func withoutUnicodeItIsPlain() throws {
        for state in FollowerState.allCases {
            let lines = try screen(isUnicode: false).lines(
                snapshot(state), confidences: [0, 1], width: 100, height: 40)
            #expect(lines.joined().utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }

    @Test func statesHaveColours() throws {
        let screen = try screen(isColoured: true)
        let shown = FollowerState.allCases.map {
            screen.lines(snapshot($0), confidences: [], width: 100, height: 40).joined()
        }
        #expect(shown.allSatisfy { $0.contains("\u{1B}[1;") })
    }

    @Test(arguments: [1, 2, 5, 24]) func itFitsTheTerminal(height: Int) throws {
        for width in [1, 20, 300] {
            let lines = try screen().lines(
                snapshot(), confidences: Array(repeating: 1, count: 60), width: width, height: height)
            #expect(lines.count <= max(height - 1, 1))
        }
    }

    @Test func beforeTheFirstReportItSaysSo() throws {
        let text = try screen().lines(snapshot(nil), confidences: [], width: 80, height: 24).joined()
        #expect(text.contains("starting"))
    }

    @Test func theLocaleDecidesAboutUnicode() {
        #expect(TerminalView.usesUTF8Locale(["LANG": "de_DE.UTF-8"]))
        #expect(!TerminalView.usesUTF8Locale(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]))
        #expect(!TerminalView.usesUTF8Locale([:]))
    }
}
