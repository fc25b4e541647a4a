import Hosting
import Synchronization

/// A queue of all reports from the follow thread to the thread that reads them.
///
/// It has one writer, one reader and no locks. If the reader is too slow, reports are dropped and counted; the follow
/// thread never waits.
package final class ReportQueue: @unchecked Sendable {
    // @unchecked: the slots from `readCount` to `writtenCount` belong to the reader, the others to the writer.
    private let slots: UnsafeMutablePointer<StampedReport>
    private let capacity: Int
    private let writtenCount = Atomic<Int>(0)
    private let readCount = Atomic<Int>(0)
    private let droppedCounter = Atomic<Int>(0)

    /// Creates an empty queue.
    /// - Parameter capacity: the number of reports; 8192 are about two and a half minutes.
    init(capacity: Int = 8192) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }

    deinit { slots.deallocate() }

    /// The number of reports dropped because the queue was full.
    var droppedCount: Int { droppedCounter.load(ordering: .relaxed) }

    /// Adds a report. For the follow thread; wait-free.
    func write(_ report: StampedReport) {
        let end = writtenCount.load(ordering: .relaxed)
        guard end &- readCount.load(ordering: .acquiring) < capacity else {
            droppedCounter.wrappingAdd(1, ordering: .relaxed)
            return
        }
        (slots + end % capacity).initialize(to: report)
        writtenCount.store(end &+ 1, ordering: .releasing)
    }

    /// Removes and returns the oldest report; nil if there is none.
    func read() -> StampedReport? {
        let start = readCount.load(ordering: .relaxed)
        guard start < writtenCount.load(ordering: .acquiring) else { return nil }
        let report = slots[start % capacity]
        readCount.store(start &+ 1, ordering: .releasing)
        return report
    }
}
