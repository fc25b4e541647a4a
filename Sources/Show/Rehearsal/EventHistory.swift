/// The newest events of one sequence, for stands that were disconnected.
struct EventHistory: Hashable, Sendable, Codable {
    private(set) var events: [SequencedEvent] = []
    /// Sequence number of the newest event that is no longer kept; 0 if all are.
    private(set) var dropped = 0
    /// Sequence number of the newest event; 0 before the first.
    private(set) var last = 0

    mutating func append(_ event: SequencedEvent, keeping limit: Int) {
        events.append(event)
        last = event.sequence
        // Does not trim at every event, because removing from the front moves all others.
        guard events.count >= 2 * limit else { return }
        let surplus = events.count - limit
        dropped = events[surplus - 1].sequence
        events.removeFirst(surplus)
    }

    /// Returns the events after a sequence number; nil if some of them are no longer kept, or if the number was never
    /// issued here.
    /// - Complexity: O(log events + result).
    func events(after sequence: Int) -> ArraySlice<SequencedEvent>? {
        guard sequence >= dropped, sequence <= last else { return nil }
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        // A number between the events belongs to an event that was lost, or was made on another server.
        guard sequence == dropped || low > 0 && events[low - 1].sequence == sequence else { return nil }
        return events[low...]
    }

    /// True if this server has certainly never issued the number.
    func wasNeverIssued(_ sequence: Int) -> Bool { sequence > dropped && events(after: sequence) == nil }
}
