/// How a pump has fared.
public struct PumpCounters: Hashable, Sendable {
    /// Datagrams the network took.
    public internal(set) var sent: UInt64 = 0
    /// Datagrams the network refused.
    public internal(set) var failed: UInt64 = 0
    /// Datagrams given up because the network took none for too long.
    public internal(set) var overflowed: UInt64 = 0
    /// The longest time between two datagrams sent while something was live.
    public internal(set) var longestGap: Duration = .zero
    /// The longest time from the call or the beat that made a datagram until the network had it.
    public internal(set) var slowestDeparture: Duration = .zero
    /// The newest failure, for a person to read.
    public internal(set) var lastFailure: String?
}
