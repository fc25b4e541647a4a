import Synchronization

/// Wakes whoever holds a stream open when somebody's rights may have changed: an account was disabled, removed or
/// given another role, a sign-in was ended, also by another program (`baton user`).
///
/// The accounts are asked twice a second for everything they grant; only when something is gone is each stream's own
/// right looked up. Whoever signs in costs the others nothing.
final class RightsWatch: Sendable {
    static let lookEvery: Duration = .milliseconds(500)

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

    /// Returns when rights have changed more often than that, or the task is cancelled.
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

    /// Looks at the accounts until the task is cancelled.
    func run(_ accounts: any Accounts) async {
        var last = await accounts.grants()
        state.withLock { $0.looks += 1 }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.lookEvery)
            // What cannot be read now is no change.
            guard let now = await accounts.grants() else { continue }
            if let last, !last.isSubset(of: now) { ring() }
            last = now
            state.withLock { $0.looks += 1 }
        }
    }
}

/// Whether whoever opened a stream may go on reading it.
struct StayRule: Sendable {
    let rights: RightsWatch
    let isAllowed: @Sendable () async -> Bool

    /// Returns as soon as they may not. Asked at once, at each change of rights, and now and then for sign-ins that run
    /// out.
    func untilOver() async throws {
        while true {
            // Read before the look-up, so that a change during it is looked at again.
            let seen = rights.changes
            guard await isAllowed() else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Task.sleep(for: EventStream.askEvery) }
                group.addTask { await rights.change(after: seen) }
                try await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }
}
