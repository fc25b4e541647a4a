import Platform
import Synchronization
import Testing

@testable import TestHelpers

@Suite(.ownThreads) struct RealTimeThreadTests {
    @Test func runsUntilAskedToStopAndIsJoined() throws {
        let turns = Counter()
        let thread = try RealTimeThread(name: "turning", priority: nil) { stop in
            repeat { turns.add() } while !stop.isMade
        }
        thread.stop()
        let after = turns.value
        #expect(after > 0)
        thread.stop()
        #expect(turns.value == after)
    }

    @Test func anOrdinaryThreadSaysSo() throws {
        let thread = try RealTimeThread(name: "plain", priority: nil) { _ in }
        #expect(thread.policy == .ordinary(refusal: nil))
    }

    /// With or without privilege the thread runs, and says which it got.
    @Test(arguments: [(Int32(10), Int32(10)), (1000, 99), (-3, 1)])
    func priorityIsGrantedOrItsRefusalReported(asked: Int32, kept: Int32) throws {
        let ran = Counter()
        let thread = try RealTimeThread(name: "a name beyond fifteen bytes", priority: asked) { _ in ran.add()
        }
        thread.stop()
        #expect(ran.value == 1)
        switch thread.policy {
        case .firstInFirstOut(let priority): #expect(priority == kept)
        case .ordinary(let refusal): #expect(refusal != nil)
        }
    }

    @Test func lettingGoStopsTheThread() throws {
        let ended = Counter()
        do {
            let thread = try RealTimeThread(name: "dropped", priority: nil) { stop in
                while !stop.isMade {}
                ended.add()
            }
            _ = thread.name
        }
        #expect(ended.value == 1)
    }

    @Test func theMonotonicClockNeverStepsBack() {
        var last = MonotonicClock.now
        for _ in 0..<1000 {
            let now = MonotonicClock.now
            #expect(now >= last)
            last = now
        }
    }

    @Test func everyRefusalSaysWhatToDo() {
        #expect(
            RealTimeError.threadNotStarted(name: "capture", errno: 11).sentence
                == "The thread “capture” could not be started: Resource temporarily unavailable. "
                + "Look at the limits on processes and on memory (ulimit -u, ulimit -v).")
        #expect(RealTimeError.memoryNotLocked(errno: 12).sentence.contains("ulimit -l"))
        #expect(RealTimeError.wakePipeNotOpened(errno: 24).sentence.contains("Too many open files"))
    }
}

@Suite(.ownThreads) struct DoorbellTests {
    @Test func aRingIsHeardOnce() throws {
        let bell = try WakeSignal()
        #expect(!bell.wait(milliseconds: 0))
        bell.ring()
        bell.ring()
        #expect(bell.wait(milliseconds: 0))
        #expect(!bell.wait(milliseconds: 0))
    }

    @Test func aSleepingThreadIsWoken() throws {
        let bell = try WakeSignal()
        let heard = Counter()
        let sleeper = try RealTimeThread(name: "sleeper", priority: nil) { _ in
            if bell.wait(milliseconds: 10_000) { heard.add() }
        }
        bell.ring()
        sleeper.stop()
        #expect(heard.value == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func aTaskIsWokenForTheNewestValue() async throws {
        let bell = try WakeSignal()
        let box = LatestValueSlot<Int>()
        let writer = try RealTimeThread(name: "writer", priority: nil) { stop in
            for value in 1...100 where !stop.isMade {
                box.deliver(value)
                bell.ring()
            }
        }
        for await _ in try bell.ringStream() where box.latestValue() == 100 { break }
        writer.stop()
        #expect(box.latestValue() == 100)
    }

    @Test(.timeLimit(.minutes(10)))
    func cancellingTheListenerEndsTheSequence() async throws {
        let bell = try WakeSignal()
        let rings = try bell.ringStream()
        let listener = Task { for await _ in rings {} }
        listener.cancel()
        await listener.value
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .acquiring) }
    func add() { count.wrappingAdd(1, ordering: .releasing) }
}
