/// The counts of a pump's datagrams, and its longest delays.
public struct TransmitterCounters: Hashable, Sendable {
    /// Datagrams that the network accepted.
    public internal(set) var sent: UInt64 = 0
    /// Datagrams that the network refused.
    public internal(set) var failed: UInt64 = 0
    /// Datagrams dropped because the network accepted none for too long.
    public internal(set) var overflowed: UInt64 = 0
    /// The longest time between two datagrams sent while there was a live position.
    public internal(set) var longestGap: Duration = .zero
    /// The longest time from the call or timer that made a datagram until the network had accepted it.
    public internal(set) var longestSendDelay: Duration = .zero
    /// The sentence of the newest failure.
    public internal(set) var lastFailure: String?
}
