import Platform
import Podium
import Synchronization

/// The time since a show began. It continues across restarts and never runs backwards, whatever happens to the wall
/// clock. A backup server's clock follows the show that it copies, which may have begun hours before.
package struct ShowClock: Sendable {
    private let createdAt: MonotonicInstant
    private let startMilliseconds: Int64
    /// The sum of all settings forward. All copies of the clock share it.
    private let advance = Advance()

    private final class Advance: Sendable { let milliseconds = Atomic<Int64>(0) }

    /// Starts the clock.
    /// - Parameter time: the show time to continue from; zero for a new show.
    package init(continuing time: ShowTime = .zero) {
        createdAt = MonotonicClock.now
        startMilliseconds = time.milliseconds
    }

    package var now: ShowTime {
        ShowTime(
            milliseconds: startMilliseconds + advanceMilliseconds
                + (MonotonicClock.now.nanoseconds - createdAt.nanoseconds) / 1_000_000)
    }

    /// The time by which the clock has been set forward, in milliseconds.
    package var advanceMilliseconds: Int64 { advance.milliseconds.load(ordering: .relaxed) }

    /// Sets the clock forward to a time that the show has reached; it is never set back.
    package func advance(to time: ShowTime) {
        let missing = time.milliseconds(since: now)
        if missing > 0 { advance.milliseconds.wrappingAdd(missing, ordering: .relaxed) }
    }
}
