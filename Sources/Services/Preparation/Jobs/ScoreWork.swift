import Basics
import Foundation
import Score
import ScoreFiles

/// Finds the bars of a recording by its score.
package struct ScoreAlignmentOrder: Codable, Equatable, Sendable {
    var recording: String
    /// The recording's name for people.
    var name: String
    /// The length of the recording.
    var seconds: Double
    var score: String
    /// The option `route`: `found`, `written` or ranges of bars.
    var route: String
    var insists: Bool

    func perform(
        in scratch: String, observer: any PreparationObserver
    ) async throws -> ScoreAlignedBars {
        guard let route = ScoreRouteChoice(route) else {
            throw PreparationError("The bars that are played are ranges such as 1-8,1-8,9-16.")
        }
        let aligned = try await ScoreAlignedMeasures(
            score: score,
            recording: .init(
                path: recording, name: name, seconds: seconds),
            options: .init(route: route, insists: insists, adviceReader: .page), console: observer,
            cleanup: PreparationCleanup(
                console: observer, scratchFolder: URL(fileURLWithPath: scratch).appending(path: "rendered")))
        return ScoreAlignedBars(aligned)
    }
}

/// The bars that an alignment with a score found.
package struct ScoreAlignedBars: Codable, Equatable, Sendable {
    package struct Bar: Codable, Equatable, Sendable {
        var printed: Int
        var seconds: Double
        var doubt: Double
        var reasons: [String]
    }

    package struct Proposal: Codable, Equatable, Sendable {
        var sentence: String
        /// The time in the recording where the difference from the score is, in seconds.
        var seconds: Double?
        var route: String?
    }

    var bars: [Bar]
    var end: Double
    /// Sentences about key, tempo and warnings.
    var sentences: [String]
    var proposals: [Proposal]

    init(bars: [Bar], end: Double, sentences: [String] = [], proposals: [Proposal] = []) {
        (self.bars, self.end, self.sentences, self.proposals) = (bars, end, sentences, proposals)
    }

    init(_ aligned: ScoreAlignedMeasures) {
        let map = aligned.measures
        bars = zip(map.marks, aligned.doubts).map { mark, doubt in
            Bar(
                printed: mark.printed, seconds: mark.onset.seconds, doubt: doubt.doubt, reasons: doubt.reasons
            )
        }
        end = map.end.seconds
        proposals = aligned.routeFindings.map { finding in
            Proposal(
                sentence: finding.sentence,
                seconds: finding.place.map { map.onset(after: $0 - 1).seconds }, route: finding.otherRoute)
        }
        let routes = Set(aligned.routeFindings.map(\.sentence))
        sentences = aligned.findings.routeSentences.filter { !routes.contains($0) } + aligned.warnings
        let tempo = Int((aligned.findings.tempoRatio * 100).rounded())
        if !(80...125).contains(tempo) {
            sentences.append("The recording is played at \(tempo) % of the score's tempo.")
        }
    }
}

extension RenderedScore {
    private static var tools: ExternalRenderingTools {
        ExternalRenderingTools.findTools(
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            program: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    }

    /// Reads a score completely.
    /// - Returns: the number of bars that are played, with all repeats.
    static func countBars(of score: String) async throws -> Int {
        do {
            return try await ScoreFileReader(tools: tools).readMusic(at: URL(fileURLWithPath: score))
                .playedMeasures.count
        } catch let error as any Explained {
            throw error
        } catch {
            throw PreparationError("The score cannot be read: \(error.localizedDescription)")
        }
    }

    /// Renders a score that has no recording.
    /// - Parameter folder: the folder that gets the file `score.wav`.
    static func perform(
        _ score: String, into folder: String, scratch: String, observer: any PreparationObserver
    ) async throws -> PreparationWorkResult {
        let rendered = try await RenderedScore(
            score: score, console: observer,
            cleanup: PreparationCleanup(
                console: observer, scratchFolder: URL(fileURLWithPath: scratch).appending(path: "rendered")))
        let target = folder + "/score.wav"
        guard rename(rendered.audioPath, target) == 0 else {
            throw PreparationError("The sound cannot be written: \(String(cString: strerror(errno)))")
        }
        let bars = rendered.measures.marks.map {
            ScoreAlignedBars.Bar(printed: $0.printed, seconds: $0.onset.seconds, doubt: 0, reasons: [])
        }
        return .rendered(
            try UploadedRecordingCheck.check(target),
            ScoreAlignedBars(bars: bars, end: rendered.measures.end.seconds))
    }
}
