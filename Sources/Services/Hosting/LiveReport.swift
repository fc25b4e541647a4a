import Following
import RealTime

/// A report as it leaves the follow lane.
struct LiveReport: Sendable, BitwiseCopyable {
    var said: ConcertReport
    var made: MonotonicInstant
    /// The newest order it was made under; 0 where none was given.
    var order: UInt32 = 0
}
