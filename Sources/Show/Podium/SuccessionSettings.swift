/// How patient two servers are with each other; the same in both.
public struct SuccessionSettings: Hashable, Sendable, Codable {
    /// Packets a taker's count leaps ahead of the last one known: more than the other can have sent meanwhile. At
    /// twenty packets a second it would take fourteen hours, and a 32-bit count lasts for two thousand takeovers.
    public static let packetMargin: UInt64 = 1_000_000

    /// So many margins where the taker was down itself: the other may have taken over unheard, twice even, and
    /// phones would take lower counts for late packets.
    public static let blindMargins: UInt64 = 4

    /// Between two heartbeats.
    public var interval: Duration = .milliseconds(100)
    /// Of the main one, until the backup takes over; with a heartbeat lost it is still within a second.
    public var silence: Duration = .milliseconds(600)
    /// The same for one that has stepped down and not yet followed for `damping` without a gap.
    public var dampedSilence: Duration = .seconds(3)
    public var damping: Duration = .seconds(10)
    /// The same for one whose copy of what people made is not current: older work would reign. Longer than the
    /// reigning one needs to be back when it was killed: a second to start and ``blindSilence``, or the second it asks.
    public var copyingSilence: Duration = .seconds(5)
    /// How long a starting main one listens.
    public var asking: Duration = .seconds(1)
    /// How long a restarted backup waits for the main one it knew.
    public var blindSilence: Duration = .seconds(3)
    /// How long a server that was held up listens before it speaks, or takes over.
    public var listening: Duration = .milliseconds(250)

    public init() {}
}
