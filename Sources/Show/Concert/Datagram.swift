/// A packet with its number in the sender's stream, ready to be sent.
public struct Datagram: Hashable, Sendable {
    public let packet: BroadcastPacket
    /// Number of packets that the sender has sent, including this one. A message packet is counted but does not carry
    /// its count.
    public let packetCount: UInt64

    public var bytes: [UInt8] { packet.bytes }
}
