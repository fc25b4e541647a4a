/// What a phone does with a datagram.
public enum PacketVerdict: Hashable, Sendable {
    /// The packet is newer than all before: phones show it.
    case shown(MeasurePacket)
    /// The sender has restarted its count: phones that accept lower counts show it.
    case restarted(MeasurePacket)
    /// A newer packet overtook it: phones drop it.
    case late(MeasurePacket)
    /// The packet arrived before: phones drop it.
    case duplicate(MeasurePacket)
    /// The packet is a message; `isNew` if phones show it now for the first time.
    case message(PushMessage, isNew: Bool)
    /// The bytes are not a packet.
    case malformed(PacketFault)
}
