/// The messages that wait for the broker: the newest value of each state, and a limited queue of events.
///
/// A state is kept for good and sent again to every broker that is reached. An event is dropped while there is no
/// connection, because a light cue that arrives late, when the network is back, would do harm. Pure.
struct Outbox: Sendable {
    static let mostStates = 1_024
    static let mostEvents = 256

    private var states: [String: [UInt8]] = [:]
    /// Topics of states whose newest value has not been sent, in the order of their changes.
    private var changed: [String] = []
    private var events: [(topic: String, payload: [UInt8])] = []
    private(set) var dropped: UInt64 = 0

    struct PendingMessage: Equatable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
    }

    var waiting: Int { changed.count + events.count }

    mutating func put(state payload: [UInt8], topic: String) {
        if let known = states[topic] {
            guard known != payload else { return }
        } else if states.count >= Self.mostStates {
            dropped += 1
            return
        }
        states[topic] = payload
        if !changed.contains(topic) { changed.append(topic) }
    }

    mutating func put(event payload: [UInt8], topic: String, isConnected: Bool) {
        guard isConnected, events.count < Self.mostEvents else {
            dropped += 1
            return
        }
        events.append((topic, payload))
    }

    /// The next message to send; events before states, because somebody waits for them.
    mutating func next() -> PendingMessage? {
        if !events.isEmpty {
            let event = events.removeFirst()
            return PendingMessage(topic: event.topic, payload: event.payload, isRetained: false)
        }
        guard !changed.isEmpty else { return nil }
        let topic = changed.removeFirst()
        return states[topic].map { PendingMessage(topic: topic, payload: $0, isRetained: true) }
    }

    /// The connection was lost: waiting events are dropped.
    mutating func disconnected() {
        dropped += UInt64(events.count)
        events = []
    }

    /// A broker that was just reached may have no states: all are sent again.
    mutating func connected() { changed = states.keys.sorted() }
}
