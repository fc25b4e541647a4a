/// Decides which page is drawn next: pages that a musician waits for before pages drawn ahead, a few at a time.
///
/// One of the simultaneous drawings is reserved for pages that a musician waits for. A file with a page that exceeded
/// its limits gets at most one drawing at a time, so that a hostile file does not delay other files.
struct PageDrawingQueue<Waiter> {
    private struct Entry {
        var key: PageImageKey
        var urgent: Bool
        var waiter: Waiter
    }

    let maximumConcurrent: Int
    private(set) var heavyDigests: Set<String> = []
    private var waiting: [Entry] = []
    private var runningUrgency: [PageImageKey: Bool] = [:]

    /// - Parameter maximumConcurrent: number of pages drawn at the same time, at least two.
    init(maximumConcurrent: Int) { self.maximumConcurrent = max(2, maximumConcurrent) }

    mutating func enqueue(_ key: PageImageKey, urgent: Bool, _ waiter: Waiter) {
        waiting.append(Entry(key: key, urgent: urgent, waiter: waiter))
    }

    /// Makes a waiting page urgent, because a musician has reached it.
    mutating func makeUrgent(_ key: PageImageKey) {
        for index in waiting.indices where waiting[index].key == key { waiting[index].urgent = true }
    }

    /// Removes and returns the next waiter that may start, or nil. After each call of another method, call this one
    /// until it returns nil.
    mutating func startNext() -> Waiter? {
        guard runningUrgency.count < maximumConcurrent else { return nil }
        // Urgent pages are drawn in order of request; of the others, the page requested last is the likeliest to be
        // needed.
        let index =
            waiting.firstIndex { $0.urgent && mayStart($0) }
            ?? (runningUrgency.values.count { !$0 } < maximumConcurrent - 1
                && runningUrgency.count < maximumConcurrent
                ? waiting.lastIndex { !$0.urgent && mayStart($0) } : nil)
        guard let index else { return nil }
        let entry = waiting.remove(at: index)
        runningUrgency[entry.key] = entry.urgent
        return entry.waiter
    }

    mutating func finish(_ key: PageImageKey) { runningUrgency[key] = nil }

    mutating func markHeavy(_ digest: String) { heavyDigests.insert(digest) }

    mutating func unmarkHeavy(_ digest: String) { heavyDigests.remove(digest) }

    private func mayStart(_ entry: Entry) -> Bool {
        !heavyDigests.contains(entry.key.digest)
            || !runningUrgency.keys.contains { $0.digest == entry.key.digest }
    }
}
