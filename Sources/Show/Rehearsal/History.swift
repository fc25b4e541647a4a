/// The newest events of one chain, for stands that were away.
struct History: Hashable, Sendable, Codable {
    private(set) var events: [SequencedEvent] = []
    /// Sequence of the newest event of this chain that is no longer kept; 0 where all are.
    private(set) var dropped = 0
    /// Sequence of the newest event of this chain; 0 before the first.
    private(set) var last = 0

    mutating func append(_ event: SequencedEvent, keeping limit: Int) {
        events.append(event)
        last = event.sequence
        // Not at each event: dropping from the front moves all the others.
        guard events.count >= 2 * limit else { return }
        let surplus = events.count - limit
        dropped = events[surplus - 1].sequence
        events.removeFirst(surplus)
    }

    /// What came after; nil where some of it is no longer kept, or was never sent from here.
    /// - Complexity: O(log events + result).
    func events(after sequence: Int) -> ArraySlice<SequencedEvent>? {
        guard sequence >= dropped, sequence <= last else { return nil }
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        // A number of none of these events is of one that was lost, or was made elsewhere.
        guard sequence == dropped || low > 0 && events[low - 1].sequence == sequence else { return nil }
        return events[low...]
    }

    /// Not a number that was sent from here, as far as that is known.
    func isStranger(_ sequence: Int) -> Bool { sequence > dropped && events(after: sequence) == nil }
}
