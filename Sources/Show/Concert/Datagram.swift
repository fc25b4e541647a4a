/// A packet with its place in the sender's stream, ready for the wire.
public struct Datagram: Hashable, Sendable {
    public let packet: BroadcastPacket
    /// How many packets the sender has sent with this one; a message is counted but does not show it.
    public let count: UInt64

    public var bytes: [UInt8] { packet.bytes }
}
