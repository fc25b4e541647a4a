import Following
import RealTime

/// A report as it leaves the follow lane.
package struct LiveReport: Sendable, BitwiseCopyable {
    package var said: ConcertReport
    package var made: MonotonicInstant
    /// The newest order it was made under; 0 where none was given.
    package var order: UInt32 = 0

    package init(said: ConcertReport, made: MonotonicInstant, order: UInt32 = 0) {
        self.said = said
        self.made = made
        self.order = order
    }
}
