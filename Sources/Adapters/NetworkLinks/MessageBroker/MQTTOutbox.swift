/// The messages that wait for the broker: the newest value of each state, and a limited queue of events. Uses no
/// network.
///
/// A state is kept for good and sent again after each connection. An event is dropped while there is no connection,
/// because a light cue that arrives late, when the network is back, would do harm.
struct MQTTOutbox: Sendable {
    static let mostStates = 1_024
    static let mostEvents = 256

    private var newestStatePayloads: [String: [UInt8]] = [:]
    /// The topics of states whose newest value has not been sent, in the order of their changes.
    private var unsentStates: [String] = []
    private var events: [(topic: String, payload: [UInt8])] = []
    private(set) var droppedMessageCount: UInt64 = 0

    struct PendingMessage: Equatable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
    }

    var waitingMessageCount: Int { unsentStates.count + events.count }

    mutating func enqueue(state payload: [UInt8], topic: String) {
        if let known = newestStatePayloads[topic] {
            guard known != payload else { return }
        } else if newestStatePayloads.count >= Self.mostStates {
            droppedMessageCount += 1
            return
        }
        newestStatePayloads[topic] = payload
        if !unsentStates.contains(topic) { unsentStates.append(topic) }
    }

    mutating func enqueue(event payload: [UInt8], topic: String, isConnected: Bool) {
        guard isConnected, events.count < Self.mostEvents else {
            droppedMessageCount += 1
            return
        }
        events.append((topic, payload))
    }

    /// Removes and returns the next message to send. Events come before states, because they are urgent.
    mutating func takeNextMessage() -> PendingMessage? {
        if !events.isEmpty {
            let event = events.removeFirst()
            return PendingMessage(topic: event.topic, payload: event.payload, isRetained: false)
        }
        guard !unsentStates.isEmpty else { return nil }
        let topic = unsentStates.removeFirst()
        return newestStatePayloads[topic].map { PendingMessage(topic: topic, payload: $0, isRetained: true) }
    }

    /// Drops all waiting events after the connection was lost.
    mutating func dropEvents() {
        droppedMessageCount += UInt64(events.count)
        events = []
    }

    /// Marks all states to be sent again after a connection was made, because the broker may not have them.
    mutating func requeueStates() { unsentStates = newestStatePayloads.keys.sorted() }
}
