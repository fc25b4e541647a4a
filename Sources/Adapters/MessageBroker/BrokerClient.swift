import Podium

/// A client of an MQTT broker: publishes the state of the concert, and receives messages of topics it subscribed to.
///
/// "baton/NAME/online" is 1 while the client is connected; the broker itself sets it to 0 when the connection is lost
/// (last will). States are retained. No call waits for the network: ``show(_:)`` and ``publish(_:to:)`` return at
/// once whatever the broker does. Lane: services; the network has a thread of its own.
public final class BrokerClient: Sendable {
    public let settings: BrokerSettings
    private let desk: BrokerSharedState
    private let ended = DoneFlag()

    /// Starts connecting, and reconnects until ``close()``.
    /// - Throws: ``BrokerFault`` for settings that can never work. A broker that cannot be reached is no error.
    public init(_ settings: BrokerSettings) throws(BrokerFault) {
        try settings.check()
        guard let pipe = WakePipe() else { throw .library(reason: "no file descriptors are left.") }
        let desk = BrokerSharedState(pipe: pipe)
        guard BrokerThread.start(settings: settings, desk: desk, ended: ended) else {
            throw .library(reason: "no thread could be started.")
        }
        self.settings = settings
        self.desk = desk
    }

    deinit { desk.close() }

    public var status: BrokerStatus { desk.status }

    /// The present status, and the status after each attempt to connect and each lost connection. A consumer that
    /// falls behind gets the newest. Ends with ``close()``.
    public func statusChanges() -> AsyncStream<BrokerStatus> { desk.statusChanges() }

    /// Publishes the topics of a state that changed since the last call, retained. May be called with each report.
    public func show(_ state: PublishedShowState) {
        for topic in state.topics {
            desk.put(
                state: Array(topic.payload.utf8), topic: BrokerTopics.topic(settings.name, topic.leaf))
        }
    }

    /// Publishes a fired cue as "baton/NAME/cue/fired", not retained; dropped while there is no connection.
    public func fired(cue id: String, name: String, kind: String) {
        let payload = JSONText.object([
            ("id", JSONText.string(id)), ("name", JSONText.string(name)), ("kind", JSONText.string(kind)),
        ])
        desk.put(event: Array(payload.utf8), topic: BrokerTopics.topic(settings.name, "cue/fired"))
    }

    /// Publishes to any topic. A retained message is a state: the newest is kept, and sent again after each
    /// reconnection. Any other message is an event: while there is no connection it is dropped and counted.
    /// - Throws: ``BrokerFault/badTopic(_:)`` or ``BrokerFault/payloadTooLong(bytes:most:)``.
    public func publish(
        _ payload: [UInt8], to topic: String, isRetained: Bool = false
    ) throws(BrokerFault) {
        try Self.check(payload, for: topic)
        if isRetained {
            desk.put(state: payload, topic: topic)
        } else {
            desk.put(event: payload, topic: topic)
        }
    }

    /// Checks that a payload may be published under a topic.
    /// - Throws: ``BrokerFault`` if it may not.
    public static func check(_ payload: [UInt8], for topic: String) throws(BrokerFault) {
        guard BrokerTopics.isTopic(topic) else { throw .badTopic(topic) }
        guard payload.count <= BrokerSharedState.longestPayload else {
            throw .payloadTooLong(bytes: payload.count, most: BrokerSharedState.longestPayload)
        }
    }

    /// Subscribes to a topic, which may hold the wildcards + and #; the subscription survives reconnections. The
    /// stream ends with ``close()``; a consumer that falls behind loses the oldest messages first.
    /// - Throws: ``BrokerFault/badTopic(_:)`` for an invalid filter, or for the 65th subscription.
    public func subscribe(_ filter: String) throws(BrokerFault) -> AsyncStream<BrokerMessage> {
        guard BrokerThread.isFilter(filter), let stream = desk.subscribe(filter) else {
            throw .badTopic(filter)
        }
        return stream
    }

    /// The commands received under "baton/NAME/command", split into words; nil unless the settings allow commands.
    ///
    /// A retained message is never a command: it would be executed again at each reconnection.
    public func commands() throws(BrokerFault) -> AsyncStream<[String]>? {
        guard settings.acceptsCommands else { return nil }
        let messages = try subscribe(BrokerTopics.topic(settings.name, "command"))
        let (stream, continuation) = AsyncStream.makeStream(
            of: [String].self, bufferingPolicy: .bufferingOldest(BrokerSharedState.mostHeard))
        let reading = Task {
            for await message in messages where !message.isRetained {
                if let words = CommandText.words(of: message.payload) { continuation.yield(words) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in reading.cancel() }
        return stream
    }

    /// Publishes the result of a command under "baton/NAME/reply".
    public func reply(to words: [String], isDone: Bool, sentence: String = "") {
        let payload = JSONText.object([
            ("command", JSONText.string(words.joined(separator: " "))), ("ok", isDone ? "true" : "false"),
            ("sentence", JSONText.string(sentence)),
        ])
        desk.put(event: Array(payload.utf8), topic: BrokerTopics.topic(settings.name, "reply"))
    }

    /// Disconnects and ends the thread; waits at most 1.5 s for a broker that hangs.
    public func close() async {
        desk.close()
        let end = ContinuousClock.now + .milliseconds(1_500)
        while !ended.isSet, .now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
