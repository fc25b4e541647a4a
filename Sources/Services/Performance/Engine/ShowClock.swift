import Podium
import RealTime

/// The time since a show began. It continues across restarts and never runs backwards, whatever happens to the wall
/// clock.
package struct ShowClock: Sendable {
    private let start: MonotonicInstant
    private let offset: Int64

    /// - Parameter time: the show time to continue from; zero for a new show.
    package init(continuing time: ShowTime = .zero) {
        start = MonotonicClock.now
        offset = time.milliseconds
    }

    package var now: ShowTime {
        ShowTime(milliseconds: offset + (MonotonicClock.now.nanoseconds - start.nanoseconds) / 1_000_000)
    }
}
