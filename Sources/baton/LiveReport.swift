import Following
import RealTime

/// A report as it leaves the follow lane.
struct LiveReport: Sendable, BitwiseCopyable {
    var said: ConcertReport
    var made: MonotonicInstant
}
