/// What waits for the broker: of each state the newest, of events a bounded queue.
///
/// A state is remembered for good and told again to every broker that is reached. An event is worth
/// something only now: while there is no connection it is dropped, since a light cue that arrives when the
/// network is back would do harm. Pure.
struct Outbox: Sendable {
    static let mostStates = 1_024
    static let mostEvents = 256

    private var states: [String: [UInt8]] = [:]
    /// Topics of states whose newest value has not been sent, in the order in which they changed.
    private var changed: [String] = []
    private var events: [(topic: String, payload: [UInt8])] = []
    private(set) var dropped: UInt64 = 0

    struct Letter: Equatable {
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

    /// The next letter; events first, since they are what somebody waits for.
    mutating func next() -> Letter? {
        if !events.isEmpty {
            let event = events.removeFirst()
            return Letter(topic: event.topic, payload: event.payload, isRetained: false)
        }
        guard !changed.isEmpty else { return nil }
        let topic = changed.removeFirst()
        return states[topic].map { Letter(topic: topic, payload: $0, isRetained: true) }
    }

    /// The connection is gone: events die with it.
    mutating func disconnected() {
        dropped += UInt64(events.count)
        events = []
    }

    /// A broker that was just reached may know nothing: everything is told again.
    mutating func connected() { changed = states.keys.sorted() }
}
