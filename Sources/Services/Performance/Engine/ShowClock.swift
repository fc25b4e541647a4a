import Podium
import RealTime

/// The time since a show began. It continues across restarts and never runs backwards, whatever happens to the wall
/// clock.
package struct ShowClock: Sendable {
    private let createdAt: MonotonicInstant
    private let startMilliseconds: Int64

    /// Starts the clock.
    /// - Parameter time: the show time to continue from; zero for a new show.
    package init(continuing time: ShowTime = .zero) {
        createdAt = MonotonicClock.now
        startMilliseconds = time.milliseconds
    }

    package var now: ShowTime {
        ShowTime(
            milliseconds: startMilliseconds + (MonotonicClock.now.nanoseconds - createdAt.nanoseconds)
                / 1_000_000)
    }
}
