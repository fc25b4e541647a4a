/// A datagram with its arrival time and its sender.
public struct ReceivedDatagram: Sendable {
    /// The datagram's content, at most 2,048 bytes; a longer datagram is cut.
    public let bytes: [UInt8]
    /// The time at which it was read from the socket.
    public let arrival: ContinuousClock.Instant
    /// The sender's address and port, as `address:port`.
    public let source: String
}
