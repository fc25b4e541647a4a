/// The numbers of packets, messages and connections that the OSC server has counted since its start.
public struct OSCCounters: Hashable, Sendable {
    public var receivedPackets: UInt64 = 0
    public var receivedMessages: UInt64 = 0
    public var sentReplies: UInt64 = 0
    public var malformedPackets: UInt64 = 0
    public var oversizedPackets: UInt64 = 0
    public var rateLimitedPackets: UInt64 = 0
    /// Packets from addresses that are not on the list of allowed senders.
    public var packetsFromStrangers: UInt64 = 0
    /// Packets dropped because too many were waiting.
    public var packetsDroppedFromFullQueue: UInt64 = 0
    /// Commands by TCP that had neither a passphrase nor a named sender.
    public var unprotectedCommands: UInt64 = 0
    /// TCP connections ended because they sent something that is no OSC.
    public var connectionsEnded: UInt64 = 0
    public var connectionsTurnedAway: UInt64 = 0
    public var slowPeersDropped: UInt64 = 0
    public var openConnections = 0
    /// The sender of the last refused packet, and the reason for the refusal.
    public var lastRefusal: String?

    /// The refusals that concern somebody who configures a sender.
    public var refusals: UInt64 { malformedPackets + oversizedPackets + unprotectedCommands }

    public init() {}
}
