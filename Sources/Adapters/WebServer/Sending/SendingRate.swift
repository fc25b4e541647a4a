import Synchronization

/// Limits how many bytes of large responses leave the server in a second, all together. The rest of the processors
/// and of the network is for commands, packets and listeners.
struct TokenBucket: Sendable {
    let bytesPerSecond: Double
    /// The bytes that may be sent at once after a pause.
    let burstBytes: Double
    private var available: Double
    private var lastRefill: ContinuousClock.Instant?

    init(bytesPerSecond: Int, burstBytes: Int) {
        self.bytesPerSecond = Double(bytesPerSecond)
        self.burstBytes = Double(burstBytes)
        available = Double(burstBytes)
    }

    /// - Returns: false if so many bytes may not be sent yet.
    mutating func take(_ byteCount: Int, at now: ContinuousClock.Instant) -> Bool {
        if let lastRefill {
            available = min(burstBytes, available + max(0, (now - lastRefill) / .seconds(1)) * bytesPerSecond)
        }
        lastRefill = now
        guard available >= Double(byteCount) else { return false }
        available -= Double(byteCount)
        return true
    }
}

/// A ``TokenBucket`` that all event loops use.
final class SendingRate: Sendable {
    /// More than a network of 1 Gbit/s carries.
    static let bytesPerSecond = 128 << 20
    private static let burstBytes = 1 << 20

    private let bucket = Mutex(TokenBucket(bytesPerSecond: bytesPerSecond, burstBytes: burstBytes))

    func take(_ byteCount: Int) -> Bool { bucket.withLock { $0.take(byteCount, at: .now) } }
}
