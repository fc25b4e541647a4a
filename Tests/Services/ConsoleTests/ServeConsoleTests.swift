import Following
import Foundation
import Platform
import Podium
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeConsoleTests {
    private let hub = EventHub()

    private func console() -> ConsoleOutput {
        ConsoleOutput(
            stream: ConsoleStream(hub), started: "2026-01-01T20:00:00Z", wall: TimeOfDayConverter(now: .zero),
            server: { ServerJSON(role: "alone", term: 1, version: "0", otherServer: nil) })
    }

    private func picture(
        _ podium: Podium, at milliseconds: Int64, fraction: Double = 0, confidence: Double = 0.9
    ) -> ShowEngineSnapshot {
        let report = ConcertReport(
            pieceIndex: 0, positionReport: madeReport(podium.state.position.played, confidence: confidence))
        let now = ShowTime(milliseconds: milliseconds)
        return ShowEngineSnapshot(
            now: now, programme: podium.course, state: podium.state, measureFraction: fraction,
            newestReport: StampedReport(concertReport: report, publishedAt: MonotonicClock.now),
            isActiveServer: true,
            nextCueCountdown: podium.cueCountdown(at: now))
    }

    private func word(_ played: Int) -> PodiumEvent {
        .followerReport(
            FollowerReport(ConcertReport(pieceIndex: 0, positionReport: madeReport(played)), order: 0))
    }

    private func object(_ section: ConsoleSection) throws -> [String: Any] {
        let bytes = try #require(hub.newestValue(section.name))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test func aNewMeasureIsPublishedAtOnce() throws {
        let console = console()
        var podium = Podium(course: try madeCourse())
        _ = podium.process(word(1), at: .zero)
        console.receiveSnapshot(picture(podium, at: 0))
        _ = podium.process(word(2), at: ShowTime(milliseconds: 1))
        console.receiveSnapshot(picture(podium, at: 1))
        #expect(try object(.position)["measure"] as? Int == 3)
    }

    @Test func whatMovesAllTheTimeGoesFiveTimesASecond() throws {
        let console = console()
        var podium = Podium(course: try madeCourse())
        _ = podium.process(word(1), at: .zero)
        console.receiveSnapshot(picture(podium, at: 1_000, fraction: 0.1))
        console.receiveSnapshot(picture(podium, at: 1_199, fraction: 0.2))
        #expect(try object(.position)["fraction"] as? Double == 0.1)
        console.receiveSnapshot(picture(podium, at: 1_200, fraction: 0.3))
        #expect(try object(.position)["fraction"] as? Double == 0.3)
    }

    @Test func aCueThatFailedAndOneThatCannotBeSentSaySo() throws {
        let console = ConsoleOutput(
            stream: ConsoleStream(hub), started: "2026-01-01T20:00:00Z", wall: TimeOfDayConverter(now: .zero),
            server: { ServerJSON(role: "alone", term: 1, version: "0", otherServer: nil) },
            cueProblem: CueTargets(oscTargets: []).unsendableReason)
        var sent = madeCue("Lights", at: 3, kind: .osc, auto: false)
        (sent.target, sent.payload) = ("nobody", "/go")
        var podium = Podium(course: try madeCourse([sent, madeCue("Note", at: 4)]))
        func items() throws -> [[String: Any]] {
            console.receiveSnapshot(picture(podium, at: 0))
            return try #require(try object(.cues)["list"] as? [[String: Any]])
        }
        #expect(try items().map { $0["failed"] as? Bool } == [false, false])
        #expect((try items()[0]["trouble"] as? String)?.contains("“nobody”") == true)
        #expect(try items()[1]["trouble"] is NSNull)
        let failure = FailedCue(piece: 0, cue: "Lights").faultID
        _ = podium.process(.fault(TechnicalFault(id: failure, sentence: "Nobody is there.")), at: .zero)
        #expect(try items().map { $0["failed"] as? Bool } == [true, false])
    }

    @Test func nothingIsPublishedWhereNothingChanged() throws {
        let console = console()
        let podium = Podium(course: try madeCourse([madeCue("Lights", at: 3)]))
        console.receiveSnapshot(picture(podium, at: 0))
        let published = hub.newestEventID
        for _ in 0..<50 { console.receiveSnapshot(picture(podium, at: 50)) }
        #expect(hub.newestEventID == published)
    }

    @Test func aCountdownGoesTwiceASecondAndItsMeasuresAtOnce() throws {
        let console = console()
        var podium = Podium(course: try madeCourse([madeCue("Lights", at: 6)]))
        _ = podium.process(word(1), at: .zero)
        console.receiveSnapshot(picture(podium, at: 0))
        let first = try #require(hub.newestValue("cues"))
        console.receiveSnapshot(picture(podium, at: 400))
        #expect(hub.newestValue("cues") == first)
        console.receiveSnapshot(picture(podium, at: 500))
        #expect(hub.newestValue("cues") != first)
        _ = podium.process(word(2), at: ShowTime(milliseconds: 510))
        console.receiveSnapshot(picture(podium, at: 510))
        let next = try #require(try object(.cues)["next"] as? [String: Any])
        #expect(next["inMeasures"] as? Int == 4)
    }

    @Test func allSectionsAreThereAfterTheFirstLook() throws {
        let console = console()
        console.receiveSnapshot(picture(Podium(course: try madeCourse()), at: 0))
        let sections: [ConsoleSection] = [
            .showSwitches, .position, .follower, .confidenceHistory, .cues, .programme, .audienceMessage,
            .followerHelpRequest, .faults,
        ]
        for section in sections {
            #expect(hub.newestValue(section.name) != nil, "\(section) is missing")
        }
        #expect(hub.newestValue("help") == Array("null".utf8))
    }

    @Test func aRefusalIsANoticeAndNoState() throws {
        let console = console()
        let sequence = hub.newestEventID
        var podium = Podium(course: try madeCourse())
        let command = try PodiumCommand(words: ["choose", "1"])
        for effect in podium.process(.command(command, by: ServeStage.anna), at: .zero) {
            console.performEffect(effect, of: podium.course)
        }
        #expect(hub.newestEventID == sequence + 1 && hub.newestValue("notice") == nil)
    }

    @Test func historyKeepsTwoMinutes() throws {
        let console = console()
        let podium = Podium(course: try madeCourse())
        for half in 0..<400 { console.receiveSnapshot(picture(podium, at: Int64(half) * 500)) }
        let rows = try #require(try object(.confidenceHistory)["confidence"] as? [[Any]])
        #expect(rows.count == 240 && rows.last?[0] as? Int == 199_500 && rows.last?[1] as? Double == 0.9)
    }
}

let madeMeters = MetersSection(
    peakDb: -12, rmsDb: -23, noiseFloorDb: -61, channelPeaksDb: [], clipped: 0, silentSeconds: 0,
    inputLost: false, xruns: 0,
    hopP99Ms: 0.3, hopWorstMs: 3, overruns: 0, packetsPerSecond: 5, packetsSent: 12, packetsFailed: 0,
    clients: MetersSection.ClientCounts(console: 1, audience: 0, osc: 2), captureToReportMs: 14,
    reportToPacketMs: 1,
    clock: "20:14:05", diskFreeGb: 79, logBytes: 123, confidence: 0.97, reportAgeMs: 3)
