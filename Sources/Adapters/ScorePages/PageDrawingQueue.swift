/// Decides which page is drawn next: pages that a musician waits for before pages drawn ahead, a few at a time.
///
/// One of the simultaneous drawings is reserved for pages that a musician waits for. A file with a page that exceeded
/// its limits gets at most one drawing at a time, so that a hostile file does not delay other files.
struct PageDrawingQueue<Waiter> {
    private struct Entry {
        var imageKey: PageImageKey
        var isUrgent: Bool
        var waiter: Waiter
    }

    let maximumConcurrentDrawings: Int
    private(set) var heavyPDFDigests: Set<String> = []
    private var waitingEntries: [Entry] = []
    private var urgencyOfRunningDrawings: [PageImageKey: Bool] = [:]

    /// - Parameter maximumConcurrentDrawings: number of pages drawn at the same time, at least two.
    init(maximumConcurrentDrawings: Int) {
        self.maximumConcurrentDrawings = max(2, maximumConcurrentDrawings)
    }

    mutating func enqueue(_ key: PageImageKey, urgent: Bool, _ waiter: Waiter) {
        waitingEntries.append(Entry(imageKey: key, isUrgent: urgent, waiter: waiter))
    }

    /// Makes a waiting page urgent, because a musician has reached it.
    mutating func makeUrgent(_ key: PageImageKey) {
        for index in waitingEntries.indices where waitingEntries[index].imageKey == key {
            waitingEntries[index].isUrgent = true
        }
    }

    /// Removes and returns the next waiter that may start; nil if there is none. After each call of another method,
    /// call this one until it returns nil.
    mutating func startNext() -> Waiter? {
        guard urgencyOfRunningDrawings.count < maximumConcurrentDrawings else { return nil }
        // Urgent pages are drawn in order of request; of the others, the page requested last is the likeliest to be
        // needed.
        let index =
            waitingEntries.firstIndex { $0.isUrgent && mayStart($0) }
            ?? (urgencyOfRunningDrawings.values.count { !$0 } < maximumConcurrentDrawings - 1
                && urgencyOfRunningDrawings.count < maximumConcurrentDrawings
                ? waitingEntries.lastIndex { !$0.isUrgent && mayStart($0) } : nil)
        guard let index else { return nil }
        let entry = waitingEntries.remove(at: index)
        urgencyOfRunningDrawings[entry.imageKey] = entry.isUrgent
        return entry.waiter
    }

    mutating func markFinished(_ key: PageImageKey) { urgencyOfRunningDrawings[key] = nil }

    mutating func markPDFHeavy(_ digest: String) { heavyPDFDigests.insert(digest) }

    mutating func unmarkPDFHeavy(_ digest: String) { heavyPDFDigests.remove(digest) }

    private func mayStart(_ entry: Entry) -> Bool {
        !heavyPDFDigests.contains(entry.imageKey.digest)
            || !urgencyOfRunningDrawings.keys.contains { $0.digest == entry.imageKey.digest }
    }
}
