/// A packet with its number in the sender's stream, ready to be sent.
public struct Datagram: Hashable, Sendable {
    public let packet: BroadcastPacket
    /// The number of packets that the sender has sent, including this one. Message packets count too, but the number
    /// is not in their bytes.
    public let packetCount: UInt64

    public var bytes: [UInt8] { packet.bytes }
}
