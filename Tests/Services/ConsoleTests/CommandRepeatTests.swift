import Synchronization
import Testing
import WebServer

@testable import Console

/// A page repeats a command that got no answer, on another connection.
@Suite struct CommandRepeatTests {
    private static let ines = WebPerson(id: "1", name: "Ines", role: .technician)
    private static let ada = WebPerson(id: "2", name: "Ada", role: .administrator)

    /// Counts how often a command was carried out; each answer says which time it was.
    private final class Counter: Sendable {
        let count = Mutex(0)

        @Sendable func carryOut() async -> WebResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            await Task.yield()
            return .json(["number": number])
        }
    }

    @Test func sameIDIsCarriedOutOnceAndAnsweredAlike() async {
        let (repeats, counter) = (CommandRepeats(), Counter())
        async let first = repeats.respond(to: "a", of: Self.ines, carryOut: counter.carryOut)
        async let second = repeats.respond(to: "a", of: Self.ines, carryOut: counter.carryOut)
        let third = await repeats.respond(to: "a", of: Self.ines, carryOut: counter.carryOut)
        let bodies = await [first.body, second.body, third.body]
        #expect(counter.count.withLock { $0 } == 1 && Set(bodies).count == 1)
    }

    @Test func otherIDsOtherPeopleAndNoIDAreCarriedOut() async {
        let (repeats, counter) = (CommandRepeats(), Counter())
        for (id, person) in [
            ("a", Self.ines), ("b", Self.ines), ("a", Self.ada), (nil, Self.ines), (nil, Self.ines),
        ] {
            _ = await repeats.respond(to: id, of: person, carryOut: counter.carryOut)
        }
        #expect(counter.count.withLock { $0 } == 5)
    }

    @Test func onlyTheNewestAreRemembered() async {
        let (repeats, counter) = (CommandRepeats(), Counter())
        for number in 0...300 {
            _ = await repeats.respond(to: "\(number)", of: Self.ines, carryOut: counter.carryOut)
        }
        _ = await repeats.respond(to: "300", of: Self.ines, carryOut: counter.carryOut)
        #expect(counter.count.withLock { $0 } == 301)
        _ = await repeats.respond(to: "0", of: Self.ines, carryOut: counter.carryOut)
        #expect(counter.count.withLock { $0 } == 302)
    }
}
