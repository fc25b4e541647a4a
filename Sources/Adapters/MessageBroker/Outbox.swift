/// The messages that wait for the broker: the newest value of each state, and a limited queue of events. Uses no
/// network.
///
/// A state is kept for good and sent again after each connection. An event is dropped while there is no connection,
/// because a light cue that arrives late, when the network is back, would do harm.
struct Outbox: Sendable {
    static let mostStates = 1_024
    static let mostEvents = 256

    private var states: [String: [UInt8]] = [:]
    /// The topics of states whose newest value has not been sent, in the order of their changes.
    private var unsentStates: [String] = []
    private var events: [(topic: String, payload: [UInt8])] = []
    private(set) var dropped: UInt64 = 0

    struct PendingMessage: Equatable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
    }

    var waiting: Int { unsentStates.count + events.count }

    mutating func put(state payload: [UInt8], topic: String) {
        if let known = states[topic] {
            guard known != payload else { return }
        } else if states.count >= Self.mostStates {
            dropped += 1
            return
        }
        states[topic] = payload
        if !unsentStates.contains(topic) { unsentStates.append(topic) }
    }

    mutating func put(event payload: [UInt8], topic: String, isConnected: Bool) {
        guard isConnected, events.count < Self.mostEvents else {
            dropped += 1
            return
        }
        events.append((topic, payload))
    }

    /// Removes and returns the next message to send. Events come before states, because they are urgent.
    mutating func next() -> PendingMessage? {
        if !events.isEmpty {
            let event = events.removeFirst()
            return PendingMessage(topic: event.topic, payload: event.payload, isRetained: false)
        }
        guard !unsentStates.isEmpty else { return nil }
        let topic = unsentStates.removeFirst()
        return states[topic].map { PendingMessage(topic: topic, payload: $0, isRetained: true) }
    }

    /// Drops all waiting events after the connection was lost.
    mutating func dropEvents() {
        dropped += UInt64(events.count)
        events = []
    }

    /// Marks all states to be sent again after a connection was made, because the broker may not have them.
    mutating func requeueStates() { unsentStates = states.keys.sorted() }
}
