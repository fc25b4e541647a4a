import Basics

/// The way in which a phone treats a datagram.
public enum PacketVerdict: Hashable, Sendable {
    /// The packet is newer than all packets before it: phones show it.
    case shown(MeasurePacket)
    /// The sender has restarted its count: phones that accept lower counts show the packet.
    case restarted(MeasurePacket)
    /// A newer packet overtook this one: phones drop it.
    case late(MeasurePacket)
    /// The same packet arrived before: phones drop it.
    case duplicate(MeasurePacket)
    /// The packet is a message; `isNew` is true if phones now show it for the first time.
    case message(PushMessage, isNew: Bool)
    /// The bytes are not a packet.
    case malformed(ExplainedError)
}
