import Podium

/// A client of an MQTT broker: tells the state of the concert, and hears what it subscribed to.
///
/// "baton/NAME/online" is 1 while the client is connected; the broker itself sets it to 0 when the client
/// dies (last will). States are retained. Nothing here waits for the network: ``show(_:)`` and
/// ``publish(_:to:)`` return at once whatever the broker does. Lane: services; the network on a thread of
/// its own.
public final class BrokerClient: Sendable {
    public let settings: BrokerSettings
    private let desk: BrokerDesk
    private let ended = DoneFlag()

    /// Starts connecting, and goes on until ``close()``.
    /// - Throws: ``BrokerFault`` for settings that can never work; a broker that is away is no error.
    public init(_ settings: BrokerSettings) throws(BrokerFault) {
        try settings.check()
        guard let pipe = WakePipe() else { throw .library(reason: "no file descriptors are left.") }
        let desk = BrokerDesk(pipe: pipe)
        guard BrokerThread.start(settings: settings, desk: desk, ended: ended) else {
            throw .library(reason: "no thread could be started.")
        }
        self.settings = settings
        self.desk = desk
    }

    deinit { desk.close() }

    public var status: BrokerStatus { desk.status }

    /// The state as it is now: topics that changed are published, retained. May be called with each report.
    public func show(_ state: ShowState) {
        for topic in state.topics {
            desk.put(
                state: Array(topic.payload.utf8), topic: BrokerTopics.topic(settings.name, topic.leaf))
        }
    }

    /// A cue has fired: "baton/NAME/cue/fired", not retained, dropped while there is no connection.
    public func fired(cue id: String, name: String, kind: String) {
        let payload = JSONText.object([
            ("id", JSONText.string(id)), ("name", JSONText.string(name)), ("kind", JSONText.string(kind)),
        ])
        desk.put(event: Array(payload.utf8), topic: BrokerTopics.topic(settings.name, "cue/fired"))
    }

    /// A message to any topic. Retained, it is a state: the newest is kept and told again after each
    /// reconnection. Else it is an event: dropped, and counted, while there is no connection.
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

    /// Whether a payload may be published under a topic.
    /// - Throws: ``BrokerFault`` where it may not.
    public static func check(_ payload: [UInt8], for topic: String) throws(BrokerFault) {
        guard BrokerTopics.isTopic(topic) else { throw .badTopic(topic) }
        guard payload.count <= BrokerDesk.longestPayload else {
            throw .payloadTooLong(bytes: payload.count, most: BrokerDesk.longestPayload)
        }
    }

    /// Messages of a topic, which may hold the wildcards + and #, over all reconnections. Ends with
    /// ``close()``; a consumer that falls behind loses the oldest first.
    /// - Throws: ``BrokerFault/badTopic(_:)`` for what cannot be subscribed to, or the 65th subscription.
    public func subscribe(_ filter: String) throws(BrokerFault) -> AsyncStream<BrokerMessage> {
        guard BrokerThread.isFilter(filter), let stream = desk.subscribe(filter) else {
            throw .badTopic(filter)
        }
        return stream
    }

    /// Commands from "baton/NAME/command" as words; nil unless the settings take commands.
    ///
    /// A retained message is never a command: it would be done again at each reconnection.
    public func commands() throws(BrokerFault) -> AsyncStream<[String]>? {
        guard settings.takesCommands else { return nil }
        let messages = try subscribe(BrokerTopics.topic(settings.name, "command"))
        let (stream, continuation) = AsyncStream.makeStream(
            of: [String].self, bufferingPolicy: .bufferingOldest(BrokerDesk.mostHeard))
        let reading = Task {
            for await message in messages where !message.isRetained {
                if let words = CommandText.words(of: message.payload) { continuation.yield(words) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in reading.cancel() }
        return stream
    }

    /// What came of a command: "baton/NAME/reply".
    public func reply(to words: [String], isDone: Bool, sentence: String = "") {
        let payload = JSONText.object([
            ("command", JSONText.string(words.joined(separator: " "))), ("ok", isDone ? "true" : "false"),
            ("sentence", JSONText.string(sentence)),
        ])
        desk.put(event: Array(payload.utf8), topic: BrokerTopics.topic(settings.name, "reply"))
    }

    /// Says goodbye and ends; waits at most a second and a half for a broker that hangs.
    public func close() async {
        desk.close()
        let end = ContinuousClock.now + .milliseconds(1_500)
        while !ended.isSet, .now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
