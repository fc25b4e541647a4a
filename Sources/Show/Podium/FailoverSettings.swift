/// Timeouts between two servers; they must be the same in both.
public struct FailoverSettings: Hashable, Sendable, Codable {
    /// A server that takes over raises its packet count by this number, above any count that the other server can
    /// have sent meanwhile: at twenty packets per second, a million packets take fourteen hours. A 32-bit count lasts
    /// for four thousand takeovers.
    public static let packetMargin: UInt64 = 1_000_000

    /// Number of such leaps if this server was down itself. The other may have taken over unnoticed, even twice, and
    /// phones would drop lower counts as late packets.
    public static let marginsAfterOutage: UInt64 = 4

    /// Time between two heartbeats.
    public var interval: Duration = .milliseconds(100)
    /// Silence of the main server after which the backup takes over; even if a heartbeat is lost, that is within a
    /// second.
    public var silence: Duration = .milliseconds(600)
    /// The same for a server that has stepped down and has not yet followed for `damping` without a gap.
    public var dampedSilence: Duration = .seconds(3)
    public var damping: Duration = .seconds(10)
    /// The same for a server whose copy of the stored data is old, because older data would come into effect. It is
    /// longer than a killed main server needs to come back: a second to start, and ``blindSilence`` or the second of
    /// ``asking``.
    public var copyingSilence: Duration = .seconds(5)
    /// How long a main server listens when it starts.
    public var asking: Duration = .seconds(1)
    /// How long a restarted backup waits for the main server that it knew.
    public var blindSilence: Duration = .seconds(3)
    /// How long a server that was stalled listens before it sends, or takes over.
    public var listening: Duration = .milliseconds(250)

    public init() {}
}
