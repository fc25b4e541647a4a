import Podium
import RealTime

/// The time of a show: goes on over restarts, never falls, whatever is done to the wall clock.
package struct ShowClock: Sendable {
    private let start: MonotonicInstant
    private let offset: Int64

    /// - Parameter time: where the show stands now; zero for one that begins.
    package init(continuing time: ShowTime = .zero) {
        start = MonotonicClock.now
        offset = time.milliseconds
    }

    package var now: ShowTime {
        ShowTime(milliseconds: offset + (MonotonicClock.now.nanoseconds - start.nanoseconds) / 1_000_000)
    }
}
