import Synchronization

/// The state shared by the broker's thread and all callers. No lock is held during a wait.
final class BrokerSharedState: Sendable {
    static let longestPayload = 65_536
    static let mostSubscriptions = 64
    static let mostHeard = 256

    private let state = Mutex(State())
    let pipe: WakePipe

    private struct State {
        var outbox = Outbox()
        var status = BrokerStatus()
        var hasBeenConnected = false
        var isClosing = false
        var statusWatchers: [AsyncStream<BrokerStatus>.Continuation] = []
        var subscriptions: [UInt64: Subscription] = [:]
        var lastSubscription: UInt64 = 0
        /// Filters that the broker must still be asked to subscribe to or to unsubscribe from.
        var orders: [SubscriptionChange] = []
        var isFinished = false

        func tellStatus() { for watcher in statusWatchers { watcher.yield(status) } }
    }

    private struct Subscription {
        var filter: String
        var continuation: AsyncStream<BrokerMessage>.Continuation
    }

    enum SubscriptionChange: Equatable {
        case subscribe(String)
        case unsubscribe(String)
    }

    init(pipe: WakePipe) { self.pipe = pipe }

    // MARK: From anywhere

    var status: BrokerStatus {
        state.withLock { state in
            var status = state.status
            status.dropped = state.outbox.dropped
            status.waiting = state.outbox.waiting
            return status
        }
    }

    func statusChanges() -> AsyncStream<BrokerStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BrokerStatus.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            continuation.yield(state.status)
            if state.isFinished { return continuation.finish() }
            state.statusWatchers.append(continuation)
        }
        return stream
    }

    func put(state payload: [UInt8], topic: String) {
        state.withLock { $0.outbox.put(state: payload, topic: topic) }
        pipe.wake()
    }

    func put(event payload: [UInt8], topic: String) {
        state.withLock { state in
            state.outbox.put(event: payload, topic: topic, isConnected: state.status.isConnected)
        }
        pipe.wake()
    }

    /// Adds a subscription; nil if there are too many already.
    func subscribe(_ filter: String) -> AsyncStream<BrokerMessage>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BrokerMessage.self, bufferingPolicy: .bufferingNewest(Self.mostHeard))
        let number: UInt64? = state.withLock { state in
            guard !state.isClosing, state.subscriptions.count < Self.mostSubscriptions else { return nil }
            state.lastSubscription += 1
            state.subscriptions[state.lastSubscription] = Subscription(
                filter: filter, continuation: continuation)
            state.orders.append(.subscribe(filter))
            return state.lastSubscription
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
        pipe.wake()
        return stream
    }

    private func unsubscribe(_ number: UInt64) {
        state.withLock { state in
            guard let gone = state.subscriptions.removeValue(forKey: number) else { return }
            guard !state.subscriptions.values.contains(where: { $0.filter == gone.filter }) else { return }
            state.orders.append(.unsubscribe(gone.filter))
        }
        pipe.wake()
    }

    func close() {
        state.withLock { $0.isClosing = true }
        pipe.wake()
    }

    // MARK: From the broker's thread

    var isClosing: Bool { state.withLock { $0.isClosing } }

    func connected() {
        state.withLock { state in
            state.status.isConnected = true
            state.status.since = .now
            if state.hasBeenConnected { state.status.reconnects += 1 }
            state.hasBeenConnected = true
            state.outbox.connected()
            let filters = Set(state.subscriptions.values.map(\.filter))
            state.orders = filters.sorted().map(SubscriptionChange.subscribe)
            state.tellStatus()
        }
    }

    func disconnected(_ fault: BrokerFault?) {
        state.withLock { state in
            if state.status.isConnected { state.status.since = .now }
            state.status.isConnected = false
            if let fault { state.status.lastFault = fault.sentence }
            state.outbox.disconnected()
            state.tellStatus()
        }
    }

    func note(_ fault: BrokerFault) { state.withLock { $0.status.lastFault = fault.sentence } }

    func nextOrder() -> SubscriptionChange? {
        state.withLock { $0.orders.isEmpty ? nil : $0.orders.removeFirst() }
    }

    func nextLetter() -> Outbox.PendingMessage? {
        state.withLock { state in
            guard let letter = state.outbox.next() else { return nil }
            state.status.sent += 1
            return letter
        }
    }

    func heard(_ message: BrokerMessage, matches: (String) -> Bool) {
        let takers = state.withLock { Array($0.subscriptions.values) }
        for taker in takers where matches(taker.filter) { taker.continuation.yield(message) }
    }

    /// Ends all streams; no further messages will come.
    func finished() {
        let takers = state.withLock { state in
            state.isFinished = true
            for watcher in state.statusWatchers { watcher.finish() }
            state.statusWatchers = []
            defer { state.subscriptions = [:] }
            return Array(state.subscriptions.values)
        }
        for taker in takers { taker.continuation.finish() }
    }
}
