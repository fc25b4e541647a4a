/// Who may draw next: those whom a musician waits for before those drawn ahead, few at a time.
///
/// One place is kept free of work done ahead, and a file with a page that broke its bounds has one place at most:
/// a hostile file delays nobody else.
struct RenderingQueue<Waiter> {
    private struct Entry {
        var key: PageKey
        var urgent: Bool
        var waiter: Waiter
    }

    let places: Int
    private(set) var heavy: Set<String> = []
    private var waiting: [Entry] = []
    private var running: [PageKey: Bool] = [:]

    /// - Parameter places: drawings at a time, two or more.
    init(places: Int) { self.places = max(2, places) }

    mutating func enter(_ key: PageKey, urgent: Bool, _ waiter: Waiter) {
        waiting.append(Entry(key: key, urgent: urgent, waiter: waiter))
    }

    /// A musician has come to a page that was only to be drawn ahead.
    mutating func hurry(_ key: PageKey) {
        for index in waiting.indices where waiting[index].key == key { waiting[index].urgent = true }
    }

    /// Takes the next who may start, or nil. To be asked until it says nil, after every other call.
    mutating func next() -> Waiter? {
        guard running.count < places else { return nil }
        // First come, first served for musicians; ahead of time, the page asked for last is the likeliest to be
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
