import Following
import RealTime

/// A follower's report with the time at which the follow lane published it.
package struct StampedReport: Sendable, BitwiseCopyable {
    package var concertReport: ConcertReport
    package var made: MonotonicInstant
    /// The number of the newest order that the follower had carried out when it made the report; 0 before the first
    /// order.
    package var order: UInt32 = 0

    package init(concertReport: ConcertReport, made: MonotonicInstant, order: UInt32 = 0) {
        self.concertReport = concertReport
        self.made = made
        self.order = order
    }
}
