import Synchronization

/// The state that the broker's thread shares with all callers. No lock is held during a wait.
final class MQTTSharedState: Sendable {
    static let longestPayload = 65_536
    static let mostSubscriptions = 64
    static let mostWaitingMessages = 256

    private let state = Mutex(State())
    let wakePipe: WakePipe

    private struct State {
        var outbox = MQTTOutbox()
        var status = MQTTConnectionStatus()
        var hasBeenConnected = false
        var isClosing = false
        var statusWatchers: [AsyncStream<MQTTConnectionStatus>.Continuation] = []
        var subscriptions: [UInt64: Subscription] = [:]
        var lastSubscriptionNumber: UInt64 = 0
        /// Topic filters that the broker must still be asked to subscribe to or to unsubscribe from.
        var pendingSubscriptionChanges: [SubscriptionChange] = []
        var hasThreadEnded = false

        func notifyStatusWatchers() { for watcher in statusWatchers { watcher.yield(status) } }
    }

    private struct Subscription {
        var filter: String
        var continuation: AsyncStream<MQTTMessage>.Continuation
    }

    enum SubscriptionChange: Equatable {
        case subscribe(String)
        case unsubscribe(String)
    }

    init(pipe: WakePipe) { self.wakePipe = pipe }

    // MARK: Called from any thread

    var status: MQTTConnectionStatus {
        state.withLock { state in
            var status = state.status
            status.droppedMessageCount = state.outbox.droppedMessageCount
            status.waitingMessageCount = state.outbox.waitingMessageCount
            return status
        }
    }

    func statusChanges() -> AsyncStream<MQTTConnectionStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MQTTConnectionStatus.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            continuation.yield(state.status)
            if state.hasThreadEnded { return continuation.finish() }
            state.statusWatchers.append(continuation)
        }
        return stream
    }

    func enqueue(state payload: [UInt8], topic: String) {
        state.withLock { $0.outbox.enqueue(state: payload, topic: topic) }
        wakePipe.wake()
    }

    func enqueue(event payload: [UInt8], topic: String) {
        state.withLock { state in
            state.outbox.enqueue(event: payload, topic: topic, isConnected: state.status.isConnected)
        }
        wakePipe.wake()
    }

    /// Adds a subscription to a topic; nil if there are too many already.
    func subscribe(_ filter: String) -> AsyncStream<MQTTMessage>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MQTTMessage.self, bufferingPolicy: .bufferingNewest(Self.mostWaitingMessages))
        let number: UInt64? = state.withLock { state in
            guard !state.isClosing, state.subscriptions.count < Self.mostSubscriptions else { return nil }
            state.lastSubscriptionNumber += 1
            state.subscriptions[state.lastSubscriptionNumber] = Subscription(
                filter: filter, continuation: continuation)
            state.pendingSubscriptionChanges.append(.subscribe(filter))
            return state.lastSubscriptionNumber
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
        wakePipe.wake()
        return stream
    }

    private func unsubscribe(_ number: UInt64) {
        state.withLock { state in
            guard let gone = state.subscriptions.removeValue(forKey: number) else { return }
            guard !state.subscriptions.values.contains(where: { $0.filter == gone.filter }) else { return }
            state.pendingSubscriptionChanges.append(.unsubscribe(gone.filter))
        }
        wakePipe.wake()
    }

    func close() {
        state.withLock { $0.isClosing = true }
        wakePipe.wake()
    }

    // MARK: Called from the broker's thread

    var isClosing: Bool { state.withLock { $0.isClosing } }

    func recordConnection() {
        state.withLock { state in
            state.status.isConnected = true
            state.status.connectionChangedAt = .now
            if state.hasBeenConnected { state.status.reconnects += 1 }
            state.hasBeenConnected = true
            state.outbox.requeueStates()
            let filters = Set(state.subscriptions.values.map(\.filter))
            state.pendingSubscriptionChanges = filters.sorted().map(SubscriptionChange.subscribe)
            state.notifyStatusWatchers()
        }
    }

    func recordDisconnection(_ fault: MQTTFault?) {
        state.withLock { state in
            if state.status.isConnected { state.status.connectionChangedAt = .now }
            state.status.isConnected = false
            if let fault { state.status.lastFault = fault.sentence }
            state.outbox.dropEvents()
            state.notifyStatusWatchers()
        }
    }

    func recordFault(_ fault: MQTTFault) { state.withLock { $0.status.lastFault = fault.sentence } }

    func nextSubscriptionChange() -> SubscriptionChange? {
        state.withLock {
            $0.pendingSubscriptionChanges.isEmpty ? nil : $0.pendingSubscriptionChanges.removeFirst()
        }
    }

    func nextMessage() -> MQTTOutbox.PendingMessage? {
        state.withLock { state in
            guard let letter = state.outbox.takeNextMessage() else { return nil }
            state.status.sentMessageCount += 1
            return letter
        }
    }

    func deliver(_ message: MQTTMessage, matches: (String) -> Bool) {
        let takers = state.withLock { Array($0.subscriptions.values) }
        for taker in takers where matches(taker.filter) { taker.continuation.yield(message) }
    }

    /// Ends all streams of messages and of status, because the broker's thread has ended.
    func endAllStreams() {
        let takers = state.withLock { state in
            state.hasThreadEnded = true
            for watcher in state.statusWatchers { watcher.finish() }
            state.statusWatchers = []
            defer { state.subscriptions = [:] }
            return Array(state.subscriptions.values)
        }
        for taker in takers { taker.continuation.finish() }
    }
}
