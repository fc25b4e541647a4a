import Hosting
import Platform
import Podium
import Synchronization

/// The state of the copy of one replicated folder on the standby server.
final class FolderProgress: Sendable {
    private struct State {
        var monitor = ReplicationMonitor(requestInterval: .seconds(2))
        var items: [ReplicatedItem] = []
        var digest = ""
        var missingItems = 0
        var leftOutItems = 0
        var missingBytes: Int64 = 0
        /// Bytes of the present item that have arrived; they count once it is there.
        var partBytes: Int64 = 0
    }

    private let state = Mutex(State())
    private let startedAt = MonotonicClock.now

    private var now: Duration { MonotonicClock.now - startedAt }

    /// The active server's list when it was last read.
    var lastList: (items: [ReplicatedItem], digest: String) { state.withLock { ($0.items, $0.digest) } }
    var isDue: Bool { state.withLock { $0.monitor.nextRequestAt } <= now }
    var failureReason: String? { state.withLock { $0.monitor.copyFailureReason } }
    /// The items and bytes that are still to be copied.
    var missing: (items: Int, bytes: Int64) {
        state.withLock { ($0.missingItems, max($0.missingBytes - $0.partBytes, 0)) }
    }
    /// The number of items that are beyond the active server's limits and never copied.
    var leftOutItems: Int { state.withLock { $0.leftOutItems } }
    /// The time since this server last had every item; nil if it never had.
    var timeSinceInSync: Duration? { state.withLock { $0.monitor.lastInSyncAt }.map { now - $0 } }

    func recordList(_ items: [ReplicatedItem], digest: String, missing: [ReplicatedItem]) {
        state.withLock {
            ($0.items, $0.digest, $0.partBytes) = (items, digest, 0)
            ($0.missingItems, $0.missingBytes) = (missing.count, missing.reduce(0) { $0 + $1.bytes })
        }
    }

    func recordLeftOut(_ count: Int) { state.withLock { $0.leftOutItems = max(count, 0) } }

    func recordBytes(_ count: Int) { state.withLock { $0.partBytes += Int64(count) } }

    func recordArrival(of item: ReplicatedItem) {
        state.withLock {
            $0.missingItems -= 1
            $0.missingBytes -= item.bytes
            $0.partBytes = 0
        }
    }

    func recordInSync() {
        let now = now
        state.withLock {
            ($0.missingItems, $0.missingBytes, $0.partBytes) = (0, 0, 0)
            $0.monitor.recordInSync(at: now)
        }
    }

    func recordFailure(_ sentence: String) {
        let now = now
        state.withLock { $0.monitor.recordFailure(sentence, at: now) }
    }
}
