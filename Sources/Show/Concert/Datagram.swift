/// A packet with its number in the sender's stream, ready to be sent.
public struct Datagram: Hashable, Sendable {
    public let packet: BroadcastPacket
    /// How many packets the sender has sent, including this one; a message is counted but does not carry its count.
    public let count: UInt64

    public var bytes: [UInt8] { packet.bytes }
}
