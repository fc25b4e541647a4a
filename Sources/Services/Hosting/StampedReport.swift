import Following
import Platform

/// A follower's report with the time at which the follow thread published it.
package struct StampedReport: Sendable, BitwiseCopyable {
    package var concertReport: ConcertReport
    package var publishedAt: MonotonicInstant
    /// The number of the newest order that the follower had carried out when it made the report; 0 before the first
    /// order.
    package var newestCompletedOrderNumber: UInt32 = 0

    package init(
        concertReport: ConcertReport, publishedAt: MonotonicInstant, newestCompletedOrderNumber: UInt32 = 0
    ) {
        self.concertReport = concertReport
        self.publishedAt = publishedAt
        self.newestCompletedOrderNumber = newestCompletedOrderNumber
    }
}
