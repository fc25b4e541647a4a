/// A datagram with its arrival time and its sender.
public struct ReceivedDatagram: Sendable {
    /// The datagram's bytes, at most 2,048; a longer datagram is cut.
    public let bytes: [UInt8]
    /// The time at which the datagram was read from the socket.
    public let arrival: ContinuousClock.Instant
    /// The sender's address and port, as `address:port`.
    public let senderAddress: String
}
