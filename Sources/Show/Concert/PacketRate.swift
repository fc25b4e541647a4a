/// The rate at which the current measure is sent again, in packets per second.
public struct PacketRate: Hashable, Sendable {
    public static let allowedRange = 1.0...50.0
    public static let standard = PacketRate(checked: 5)

    public let packetsPerSecond: Double

    /// Checks a rate.
    /// - Returns: nil outside ``allowedRange``. At a lower rate, a phone that joins would wait for more than a second.
    public init?(packetsPerSecond: Double) {
        guard Self.allowedRange.contains(packetsPerSecond) else { return nil }
        self.init(checked: packetsPerSecond)
    }

    private init(checked packetsPerSecond: Double) { self.packetsPerSecond = packetsPerSecond }

    /// Time from one repetition of a packet to the next.
    public var interval: Duration { .seconds(1) / packetsPerSecond }
}
