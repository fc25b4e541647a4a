/// A message from the broker.
public struct BrokerMessage: Hashable, Sendable {
    public let topic: String
    public let payload: [UInt8]
    /// It was kept by the broker and not sent just now.
    public let isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    /// nil where the payload is not UTF-8.
    public var text: String? { String(validating: payload, as: UTF8.self) }
}

/// How it stands with the broker.
public struct BrokerStatus: Hashable, Sendable {
    public var isConnected = false
    /// When it was last connected or lost.
    public var since: ContinuousClock.Instant?
    /// Connections after the first.
    public var reconnects = 0
    /// Why it is not connected, or was not the last time.
    public var lastFault: String?
    public var sent: UInt64 = 0
    /// Events that came while there was no connection, and what found the queue full.
    public var dropped: UInt64 = 0
    /// Messages that wait to be sent.
    public var waiting = 0

    public init() {}
}
