import Synchronization

/// Limits the bandwidth of the copying of files, so that log lines, rooms and packets on the same cable do not wait.
/// All folders share one pace.
final class CopyPace: Sendable {
    /// Bytes in a second: a third of a line of 100 Mbit/s.
    static let standardBytesPerSecond = 4 << 20

    private let bytesPerSecond: Int
    private let nextAt = Mutex(ContinuousClock.now)

    init(bytesPerSecond: Int = standardBytesPerSecond) { self.bytesPerSecond = bytesPerSecond }

    /// Waits until so many bytes may be asked for.
    func wait(forBytes count: Int) async {
        let now = ContinuousClock.now
        let delay = nextAt.withLock { next in
            if next < now { next = now }
            let delay = next - now
            next = next.advanced(by: .microseconds(count * 1_000_000 / bytesPerSecond))
            return delay
        }
        if delay > .zero { try? await Task.sleep(for: delay) }
    }
}
