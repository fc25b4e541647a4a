import Podium
import Synchronization
import Testing

@testable import baton

@Suite struct CueTroubleTests {
    private final class Events: Sendable {
        private let kept = Mutex<[PodiumEvent]>([])
        var all: [PodiumEvent] { kept.withLock { $0 } }
        func note(_ event: PodiumEvent) { kept.withLock { $0.append(event) } }
    }

    private let events = Events()
    private let trouble: CueTrouble

    init() {
        let events = events
        trouble = CueTrouble { events.note($0) }
    }

    private func picture(_ cues: [Cue]) throws -> DeskPicture {
        let podium = Podium(course: try madeCourse(cues))
        return DeskPicture(
            now: .zero, course: podium.course, state: podium.state, fraction: 0, newest: nil, isOurs: true,
            countdown: nil)
    }

    private let lights = madeCue("lights", at: 2, kind: .note)

    @Test func aCueThatFailsIsAFaultUntilItIsSent() {
        trouble.failed(lights, because: "Nobody is there.")
        #expect(
            events.all == [
                .fault(Fault(id: "cue-lights", sentence: "The cue “lights” was not sent: Nobody is there."))
            ])
        trouble.sent(lights)
        #expect(events.all.last == .faultEnded("cue-lights"))
        trouble.sent(lights)
        #expect(events.all.count == 2)
    }

    @Test func aCueThatWasNeverInTroubleIsNotSpokenOf() {
        trouble.sent(lights)
        #expect(events.all.isEmpty)
    }

    @Test func aFailedCueThatIsEditedOrTakenOutIsNoTroubleAnyMore() throws {
        for cues in [[], [madeCue("lights", at: 3, kind: .note)]] {
            trouble.failed(lights, because: "Nobody is there.")
            let before = events.all.count
            try trouble.show(picture([lights]))
            #expect(events.all.count == before)
            try trouble.show(picture(cues))
            #expect(events.all.last == .faultEnded("cue-lights") && events.all.count == before + 1)
            try trouble.show(picture(cues))
            #expect(events.all.count == before + 1)
        }
    }
}
