import Synchronization

/// Carries every report from the follow lane to whoever writes them down.
///
/// One writer, one reader, no locks. A reader that is kept waiting by a slow disk costs reports, which are
/// counted, and never the follow lane's time.
final class LiveReportRing: @unchecked Sendable {
    // @unchecked: the slots between `taken` and `written` belong to the reader, the rest to the writer.
    private let slots: UnsafeMutablePointer<LiveReport>
    private let capacity: Int
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// - Parameter capacity: reports; 8192 are some two and a half minutes.
    init(capacity: Int = 8192) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }

    deinit { slots.deallocate() }

    /// Reports that found no room.
    var dropped: Int { lost.load(ordering: .relaxed) }

    /// Lane: follow; wait-free.
    func write(_ report: LiveReport) {
        let end = written.load(ordering: .relaxed)
        guard end &- taken.load(ordering: .acquiring) < capacity else {
            lost.wrappingAdd(1, ordering: .relaxed)
            return
        }
        (slots + end % capacity).initialize(to: report)
        written.store(end &+ 1, ordering: .releasing)
    }

    /// The oldest report that was not read yet.
    func read() -> LiveReport? {
        let start = taken.load(ordering: .relaxed)
        guard start < written.load(ordering: .acquiring) else { return nil }
        let report = slots[start % capacity]
        taken.store(start &+ 1, ordering: .releasing)
        return report
    }
}
