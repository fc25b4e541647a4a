/// Decides which page is drawn next: pages that a musician waits for before pages drawn ahead, a few at a time.
///
/// One place is reserved for pages that somebody waits for, and a file with a page that exceeded its limits gets at
/// most one place, so that a hostile file delays nobody else.
struct PageDrawingQueue<Waiter> {
    private struct Entry {
        var key: PageKey
        var urgent: Bool
        var waiter: Waiter
    }

    let places: Int
    private(set) var heavy: Set<String> = []
    private var waiting: [Entry] = []
    private var running: [PageKey: Bool] = [:]

    /// - Parameter places: number of pages drawn at the same time, at least two.
    init(places: Int) { self.places = max(2, places) }

    mutating func enter(_ key: PageKey, urgent: Bool, _ waiter: Waiter) {
        waiting.append(Entry(key: key, urgent: urgent, waiter: waiter))
    }

    /// Makes a page urgent that was to be drawn ahead, because a musician has reached it.
    mutating func makeUrgent(_ key: PageKey) {
        for index in waiting.indices where waiting[index].key == key { waiting[index].urgent = true }
    }

    /// Takes the next waiter that may start, or nil. After every other call, to be called until it returns nil.
    mutating func next() -> Waiter? {
        guard running.count < places else { return nil }
        // Urgent pages are drawn in order of request; of the others, the page requested last is the likeliest to be
        // needed.
        let index =
            waiting.firstIndex { $0.urgent && mayStart($0) }
            ?? (running.values.count { !$0 } < places - 1 && running.count < places
                ? waiting.lastIndex { !$0.urgent && mayStart($0) } : nil)
        guard let index else { return nil }
        let entry = waiting.remove(at: index)
        running[entry.key] = entry.urgent
        return entry.waiter
    }

    mutating func leave(_ key: PageKey) { running[key] = nil }

    mutating func isHeavy(_ digest: String) { heavy.insert(digest) }

    mutating func forget(_ digest: String) { heavy.remove(digest) }

    private func mayStart(_ entry: Entry) -> Bool {
        !heavy.contains(entry.key.digest) || !running.keys.contains { $0.digest == entry.key.digest }
    }
}
