import Platform
import Synchronization

/// Limits how many bytes of large responses leave the server in a second, all together. The rest of the processors
/// and of the network is for commands, packets and listeners. All event loops use it.
final class SendingRate: Sendable {
    /// More than a network of 1 Gbit/s carries.
    static let bytesPerSecond = 128 << 20
    private static let burstBytes = 1 << 20

    private let limit = Mutex(RateLimit<String>(unitsPerSecond: bytesPerSecond, burst: burstBytes))

    /// - Returns: false if so many bytes may not be sent yet.
    func take(_ byteCount: Int) -> Bool {
        limit.withLock { $0.admits("", units: Double(byteCount), at: .now) }
    }
}
