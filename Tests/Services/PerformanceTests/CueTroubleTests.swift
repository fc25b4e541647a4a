import Podium
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages

@Suite struct CueTroubleTests {
    private final class Events: Sendable {
        private let kept = Mutex<[PodiumEvent]>([])
        var all: [PodiumEvent] { kept.withLock { $0 } }
        func note(_ event: PodiumEvent) { kept.withLock { $0.append(event) } }
    }

    private let events = Events()
    private let trouble: FailedCueReporter

    init() {
        let events = events
        trouble = FailedCueReporter(cueTargets: CueTargets()) { events.note($0) }
    }

    private func picture(_ cues: [Cue]) throws -> ShowEngineSnapshot {
        let podium = Podium(course: try madeCourse(cues))
        return ShowEngineSnapshot(
            now: .zero, programme: podium.course, state: podium.state, measureFraction: 0, newestReport: nil,
            isActiveServer: true,
            nextCueCountdown: nil)
    }

    private let lights = madeCue("lights", at: 2, kind: .note)

    @Test func aCueThatFailsIsAFaultUntilItIsSent() throws {
        let course = try madeCourse([lights])
        trouble.reportFailure(lights, of: course, because: "Nobody is there.")
        #expect(
            events.all == [
                .fault(
                    TechnicalFault(
                        id: "cue:1:lights", sentence: "The cue “lights” was not sent: Nobody is there."))
            ])
        trouble.reportSent(lights, of: course)
        #expect(events.all.last == .faultEnded("cue:1:lights"))
        trouble.reportSent(lights, of: course)
        #expect(events.all.count == 2)
    }

    @Test func aCueThatWasNeverInTroubleIsNotSpokenOf() throws {
        trouble.reportSent(lights, of: try madeCourse([lights]))
        #expect(events.all.isEmpty)
    }

    @Test func aFailedCueThatIsEditedOrTakenOutIsNoTroubleAnyMore() throws {
        for cues in [[], [madeCue("lights", at: 3, kind: .note)]] {
            trouble.reportFailure(lights, of: try madeCourse([lights]), because: "Nobody is there.")
            let before = events.all.count
            try trouble.receiveSnapshot(picture([lights]))
            #expect(events.all.count == before)
            try trouble.receiveSnapshot(picture(cues))
            #expect(events.all.last == .faultEnded("cue:1:lights") && events.all.count == before + 1)
            try trouble.receiveSnapshot(picture(cues))
            #expect(events.all.count == before + 1)
        }
    }

    @Test func aCueThatNoOutputCanSendFails() throws {
        for kind in [CueKind.osc, .mqtt] {
            let before = events.all.count
            var cue = madeCue("\(kind)", at: 2, kind: kind)
            (cue.target, cue.payload) = ("desk", "/go")
            trouble.performEffect(
                .fireCue(cue, CueFiringDetails(isAutomatic: false)), of: try madeCourse([cue]))
            guard case .fault(let fault)? = events.all.last, events.all.count == before + 1 else {
                Issue.record("a cue of kind \(kind) fired into nothing, and nobody was told")
                continue
            }
            #expect(fault.id == "cue:1:\(kind)")
        }
        let before = events.all.count
        let course = try madeCourse([lights])
        trouble.performEffect(.fireCue(lights, CueFiringDetails(isAutomatic: false)), of: course)
        #expect(events.all.count == before)
    }

    @Test func aFailureFromBeforeARestartEndsWhenTheCueIsSent() throws {
        var podium = Podium(course: try madeCourse([lights]))
        _ = podium.process(
            .fault(TechnicalFault(id: "cue:1:lights", sentence: "Nobody was there.")), at: .zero)
        _ = podium.process(.restarted, at: .zero)
        trouble.receiveSnapshot(
            ShowEngineSnapshot(
                now: .zero, programme: podium.course, state: podium.state, measureFraction: 0,
                newestReport: nil,
                isActiveServer: true,
                nextCueCountdown: nil))
        trouble.reportSent(lights, of: podium.course)
        #expect(events.all == [.faultEnded("cue:1:lights")])
    }
}
