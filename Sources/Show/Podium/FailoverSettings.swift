/// Timeouts between two servers; they must be the same in both.
public struct FailoverSettings: Hashable, Sendable, Codable {
    /// A server that takes over raises its packet count by this number, above any count that the other server can
    /// have sent meanwhile: at twenty packets per second, a million packets take fourteen hours. A 32-bit count lasts
    /// for four thousand takeovers.
    public static let packetCountLeap: UInt64 = 1_000_000

    /// The number of leaps (``packetCountLeap``) that are added if this server was down itself. The other server may
    /// have taken over unnoticed, even twice, and phones would drop lower counts as late packets.
    public static let leapsAfterOutage: UInt64 = 4

    /// The time between two heartbeats.
    public var interval: Duration = .milliseconds(100)
    /// The backup takes over after a silence of the main server of this length. Even if a heartbeat is lost, the
    /// takeover happens within a second.
    public var silence: Duration = .milliseconds(600)
    /// The silence after which a server takes over again if it has stepped down and has not yet followed for
    /// ``damping`` without a gap.
    public var dampedSilence: Duration = .seconds(3)
    public var damping: Duration = .seconds(10)
    /// The silence after which a server takes over although its copy of the stored data is old. Older data then comes
    /// into effect, so the time is longer than a killed main server needs to come back: a second to start, and
    /// ``blindSilence`` or the second of ``asking``.
    public var copyingSilence: Duration = .seconds(5)
    /// The time for which a starting main server listens for another leading server.
    public var asking: Duration = .seconds(1)
    /// The time for which a restarted backup waits for the main server that it knew.
    public var blindSilence: Duration = .seconds(3)
    /// The time for which a server that was stalled listens before it sends or takes over.
    public var listening: Duration = .milliseconds(250)

    public init() {}
}
