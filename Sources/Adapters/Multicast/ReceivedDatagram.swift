/// What arrived, when, and from whom.
public struct ReceivedDatagram: Sendable {
    /// At most 2,048; a longer datagram is cut there.
    public let bytes: [UInt8]
    /// When it was read from the socket.
    public let arrival: ContinuousClock.Instant
    /// `address:port` of the sender.
    public let source: String
}
