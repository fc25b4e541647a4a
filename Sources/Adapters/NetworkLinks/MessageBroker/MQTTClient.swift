import Podium

/// A client of an MQTT broker: publishes the state of the concert, and receives messages of topics it subscribed to.
///
/// "baton/NAME/online" is 1 while the client is connected; the broker itself sets it to 0 when the connection is lost
/// (last will). States are retained. ``publishState(_:)`` and ``publish(_:to:)`` return at once, because the network
/// has a thread of its own.
public final class MQTTClient: Sendable {
    public let settings: MQTTSettings
    private let sharedState: MQTTSharedState
    private let threadEnded = DoneFlag()

    /// Starts connecting, and reconnects until ``close()``.
    /// - Throws: ``MQTTFault`` for settings that can never work. A broker that cannot be reached causes no error.
    public init(_ settings: MQTTSettings) throws(MQTTFault) {
        try settings.check()
        guard let pipe = WakePipe() else { throw .libraryFailed(reason: "no file descriptors are left.") }
        let desk = MQTTSharedState(pipe: pipe)
        guard MQTTThread.start(settings: settings, desk: desk, ended: threadEnded) else {
            throw .libraryFailed(reason: "no thread could be started.")
        }
        self.settings = settings
        self.sharedState = desk
    }

    deinit { sharedState.close() }

    public var status: MQTTConnectionStatus { sharedState.status }

    /// Returns a stream of the connection's status: first the present one, then one after each attempt to connect and
    /// each lost connection. A consumer that falls behind gets only the newest. The stream ends with ``close()``.
    public func statusChanges() -> AsyncStream<MQTTConnectionStatus> { sharedState.statusChanges() }

    /// Publishes those topics of a state that changed since the last call, as retained messages. May be called with
    /// every report.
    public func publishState(_ state: PublishedShowState) {
        for topic in state.topicPayloads {
            sharedState.enqueue(
                state: Array(topic.payload.utf8),
                topic: MQTTTopics.makeTopic(settings.nameInTopics, topic.leaf))
        }
    }

    /// Publishes that a cue was fired, as "baton/NAME/cue/fired", not retained. The message is dropped while there is
    /// no connection.
    public func publishFiredCue(cue id: String, name: String, kind: String) {
        let payload = JSONText.object([
            ("id", JSONText.string(id)), ("name", JSONText.string(name)), ("kind", JSONText.string(kind)),
        ])
        sharedState.enqueue(
            event: Array(payload.utf8), topic: MQTTTopics.makeTopic(settings.nameInTopics, "cue/fired"))
    }

    /// Publishes a message to any topic. A retained message is a state: the newest is kept, and sent again after each
    /// reconnection. Any other message is an event, which is dropped and counted while there is no connection.
    /// - Throws: ``MQTTFault/invalidTopic(_:)`` or ``MQTTFault/payloadTooLong(bytes:most:)``.
    public func publish(
        _ payload: [UInt8], to topic: String, isRetained: Bool = false
    ) throws(MQTTFault) {
        try Self.checkPayload(payload, for: topic)
        if isRetained {
            sharedState.enqueue(state: payload, topic: topic)
        } else {
            sharedState.enqueue(event: payload, topic: topic)
        }
    }

    /// Checks that a payload may be published under a topic.
    /// - Throws: ``MQTTFault`` if it may not.
    public static func checkPayload(_ payload: [UInt8], for topic: String) throws(MQTTFault) {
        guard MQTTTopics.isTopic(topic) else { throw .invalidTopic(topic) }
        guard payload.count <= MQTTSharedState.longestPayload else {
            throw .payloadTooLong(bytes: payload.count, most: MQTTSharedState.longestPayload)
        }
    }

    /// Subscribes to a topic, which may contain the wildcards + and #. The subscription survives reconnections. The
    /// stream ends with ``close()``; a consumer that falls behind loses the oldest messages first.
    /// - Throws: ``MQTTFault/invalidTopic(_:)`` for an invalid filter, or for the 65th subscription.
    public func subscribe(_ filter: String) throws(MQTTFault) -> AsyncStream<MQTTMessage> {
        guard MQTTThread.isTopicFilter(filter), let stream = sharedState.subscribe(filter) else {
            throw .invalidTopic(filter)
        }
        return stream
    }

    /// Returns the commands received under "baton/NAME/command", each split into words; nil unless the settings allow
    /// commands.
    ///
    /// The copy of a message that the broker has retained is never a command, because it would be executed again at
    /// each reconnection. A message that is published as retained while this client is connected comes like any other
    /// (MQTT 3.1.1, 3.3.1.3), and is obeyed then.
    public func commands() throws(MQTTFault) -> AsyncStream<[String]>? {
        guard settings.acceptsCommands else { return nil }
        let messages = try subscribe(MQTTTopics.makeTopic(settings.nameInTopics, "command"))
        let (stream, continuation) = AsyncStream.makeStream(
            of: [String].self, bufferingPolicy: .bufferingOldest(MQTTSharedState.mostWaitingMessages))
        let reading = Task {
            for await message in messages where !message.isRetained {
                if let words = CommandPayloadParser.words(of: message.payload) { continuation.yield(words) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in reading.cancel() }
        return stream
    }

    /// Publishes the result of a command under "baton/NAME/reply".
    public func publishReply(to words: [String], isDone: Bool, sentence: String = "") {
        let payload = JSONText.object([
            ("command", JSONText.string(words.joined(separator: " "))), ("ok", isDone ? "true" : "false"),
            ("sentence", JSONText.string(sentence)),
        ])
        sharedState.enqueue(
            event: Array(payload.utf8), topic: MQTTTopics.makeTopic(settings.nameInTopics, "reply"))
    }

    /// Disconnects and ends the thread; waits at most 1.5 s for a broker that hangs.
    public func close() async {
        sharedState.close()
        let end = ContinuousClock.now + .milliseconds(1_500)
        while !threadEnded.isSet, .now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
