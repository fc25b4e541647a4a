/// A message received from the broker.
public struct MQTTMessage: Hashable, Sendable {
    public let topic: String
    public let payload: [UInt8]
    /// True if the broker had stored the message, false if the message was published just now.
    public let isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    /// The payload as text; nil if it is not UTF-8.
    public var text: String? { String(validating: payload, as: UTF8.self) }
}

/// The state of the connection to the broker.
public struct MQTTConnectionStatus: Hashable, Sendable {
    public var isConnected = false
    /// The time at which the connection was last made or lost.
    public var connectionChangedAt: ContinuousClock.Instant?
    /// The number of connections after the first one.
    public var reconnects = 0
    /// The reason of the newest failed or lost connection, as a sentence.
    public var lastFault: String?
    public var sentMessageCount: UInt64 = 0
    /// The number of events dropped because there was no connection or the queue was full.
    public var droppedMessageCount: UInt64 = 0
    /// The number of messages that wait to be sent.
    public var waitingMessageCount = 0

    public init() {}
}
