import Synchronization

/// Measures how long the disk makes callers wait until their lines are on it, so that a slow disk is a fault that
/// people see, and not only a slow console.
final class DiskDelay: Sendable {
    private struct State {
        /// The start of the wait that is going on; nil if there is none.
        var waitingSince: ContinuousClock.Instant?
        /// The longest wait since the disk became slow; zero if it is not slow.
        var longestSlowWait = Duration.zero
    }

    /// A longer wait is a fault. A person notices it, and a healthy disk needs some milliseconds.
    static let limit = Duration.seconds(1)

    private let readClock: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameter readClock: replaced in tests.
    init(readClock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.readClock = readClock
    }

    func beginWait() {
        state.withLock { state in
            if state.waitingSince == nil { state.waitingSince = readClock() }
        }
    }

    /// - Parameter next: true if others began to wait meanwhile. Their wait is counted from now: it is that for one flush.
    func endWait(isNextWaiting next: Bool) {
        let now = readClock()
        state.withLock { state in
            guard let since = state.waitingSince else { return }
            let wait = now - since
            // The disk is well again with the first wait that is short.
            state.longestSlowWait = wait > Self.limit ? max(wait, state.longestSlowWait) : .zero
            state.waitingSince = next ? now : nil
        }
    }

    /// The longest wait of a slow disk, in seconds; nil if the disk is not slow. While a wait goes on, the value grows
    /// in steps of a factor of two, so that it is not news all the time.
    var slowSeconds: Double? {
        state.withLock { state in
            var longest = state.longestSlowWait
            if let since = state.waitingSince, readClock() - since > Self.limit {
                var step = Self.limit
                while step * 2 <= readClock() - since { step *= 2 }
                longest = max(longest, step)
            }
            return longest > .zero ? longest / .seconds(1) : nil
        }
    }
}
