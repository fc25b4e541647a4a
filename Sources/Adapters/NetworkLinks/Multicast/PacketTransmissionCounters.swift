/// Counts of a packet transmitter's datagrams, and its longest delays.
public struct PacketTransmissionCounters: Hashable, Sendable {
    /// The number of datagrams that the network accepted.
    public internal(set) var sent: UInt64 = 0
    /// The number of datagrams that the network refused.
    public internal(set) var failed: UInt64 = 0
    /// The number of datagrams dropped because the network accepted none for too long.
    public internal(set) var overflowed: UInt64 = 0
    /// The longest time between two datagrams sent while there was a live position.
    public internal(set) var longestGap: Duration = .zero
    /// The longest time from the making of a datagram until the network had accepted it.
    public internal(set) var longestSendDelay: Duration = .zero
    /// The newest failure to send, as a sentence.
    public internal(set) var lastFailure: String?
}
