/// What one datagram meant to a phone.
public enum PacketVerdict: Hashable, Sendable {
    /// Newer than everything before: phones show it.
    case shown(MeasurePacket)
    /// The sender began to count anew: phones that do not drop low counts show it.
    case restarted(MeasurePacket)
    /// Overtaken by a newer one on its way: phones drop it.
    case late(MeasurePacket)
    /// Heard before: phones drop it.
    case duplicate(MeasurePacket)
    /// A message; `isNew` where phones would show it now.
    case message(PushMessage, isNew: Bool)
    /// Not a packet.
    case malformed(PacketFault)
}
