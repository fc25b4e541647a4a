import Synchronization

/// Wakes the holders of open streams when rights may have changed: an account was disabled, removed or given another
/// role, or a sign-in was ended, also by another program (`baton user`).
///
/// The accounts are asked twice a second for the set of all rights. Only if one has disappeared is the right of each
/// stream looked up, so that a new sign-in costs the others nothing.
final class RightsMonitor: Sendable {
    static let pollInterval: Duration = .milliseconds(500)

    private struct State {
        var next: UInt64 = 0
        var changes: UInt64 = 0
        var looks: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The number of changes of rights so far.
    var changes: UInt64 { state.withLock { $0.changes } }

    /// The number of times the accounts were looked at so far.
    var looks: UInt64 { state.withLock { $0.looks } }

    /// Returns when there are more changes than `seen`, or the task is cancelled.
    func change(after seen: UInt64) async {
        let place = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // The task may have been cancelled before it waited.
                    guard state.changes == seen, !Task.isCancelled else { return true }
                    state.waiting[place] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: place) }?.resume()
        }
    }

    func ring() {
        let waiting = state.withLock { state in
            state.changes += 1
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Watches the accounts until the task is cancelled.
    func run(_ accounts: any Accounts) async {
        var last = await accounts.grants()
        state.withLock { $0.looks += 1 }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pollInterval)
            // Rights that cannot be read now count as unchanged.
            guard let now = await accounts.grants() else { continue }
            if let last, !last.isSubset(of: now) { ring() }
            last = now
            state.withLock { $0.looks += 1 }
        }
    }
}

/// Decides whether the reader of an open stream may continue to read it.
struct ReadPermission: Sendable {
    let rights: RightsMonitor
    let isAllowed: @Sendable () async -> Bool

    /// Returns once the reader may no longer read. Checks at once, at each change of rights, and regularly for
    /// sign-ins that expire.
    func untilOver() async throws {
        while true {
            // The number is read before the look-up of the right, so that a change during the look-up leads to
            // another one.
            let seen = rights.changes
            guard await isAllowed() else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Task.sleep(for: EventStream.recheckInterval) }
                group.addTask { await rights.change(after: seen) }
                try await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }
}
