/// What the OSC server has seen since its start.
public struct OSCCounters: Hashable, Sendable {
    public var packets: UInt64 = 0
    public var messages: UInt64 = 0
    public var replies: UInt64 = 0
    public var malformed: UInt64 = 0
    public var oversized: UInt64 = 0
    public var tooFast: UInt64 = 0
    /// From an address that is not on the list.
    public var strangers: UInt64 = 0
    /// Not handled: too many messages waited already.
    public var overflowed: UInt64 = 0
    public var peersTurnedAway: UInt64 = 0
    public var slowPeersDropped: UInt64 = 0
    public var connections = 0
    /// Why the last packet was refused, and whose it was.
    public var lastFault: String?

    public init() {}
}
