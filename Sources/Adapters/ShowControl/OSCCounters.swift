/// The numbers of packets, messages and connections that the OSC server has counted since its start.
public struct OSCCounters: Hashable, Sendable {
    public var packets: UInt64 = 0
    public var messages: UInt64 = 0
    public var replies: UInt64 = 0
    public var malformed: UInt64 = 0
    public var oversized: UInt64 = 0
    public var tooFast: UInt64 = 0
    /// Packets from addresses that are not on the list of allowed senders.
    public var strangers: UInt64 = 0
    /// Packets dropped because too many were waiting.
    public var overflowed: UInt64 = 0
    public var peersTurnedAway: UInt64 = 0
    public var slowPeersDropped: UInt64 = 0
    public var connections = 0
    /// The sender of the last refused packet, and the reason for the refusal.
    public var lastFault: String?

    public init() {}
}
