import Synchronization

/// Notices when rights have been withdrawn, and then makes the open streams check whether their readers may continue.
/// Rights are withdrawn when an account is disabled, removed or given another role, and when a sign-in ends. Another
/// program (`baton user`) may also withdraw them.
///
/// The set of all rights is read twice a second. Each stream looks up its reader's rights only if a right has
/// disappeared, so that a new sign-in causes no work for other streams.
final class RightsMonitor: Sendable {
    static let pollInterval: Duration = .milliseconds(500)

    private struct State {
        var lastWaiterNumber: UInt64 = 0
        var withdrawalCount: UInt64 = 0
        var pollCount: UInt64 = 0
        var waitersByNumber: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The number of times that rights were withdrawn so far.
    var withdrawalCount: UInt64 { state.withLock { $0.withdrawalCount } }

    /// The number of times that the rights were read so far.
    var pollCount: UInt64 { state.withLock { $0.pollCount } }

    /// Waits until rights were withdrawn again, or the task is cancelled.
    /// - Parameter seen: the value of ``withdrawalCount`` that the caller knows.
    func waitForWithdrawal(after seen: UInt64) async {
        let place = state.withLock { state in
            state.lastWaiterNumber += 1
            return state.lastWaiterNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // The task may have been cancelled before it waited.
                    guard state.withdrawalCount == seen, !Task.isCancelled else { return true }
                    state.waitersByNumber[place] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waitersByNumber.removeValue(forKey: place) }?.resume()
        }
    }

    func reportWithdrawal() {
        let waiting = state.withLock { state in
            state.withdrawalCount += 1
            defer { state.waitersByNumber = [:] }
            return state.waitersByNumber.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Reads the rights of all accounts regularly until the task is cancelled.
    func watchRights(_ accounts: any Accounts) async {
        var last = await accounts.listCurrentRights()
        state.withLock { $0.pollCount += 1 }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pollInterval)
            // Rights that cannot be read now count as unchanged.
            guard let now = await accounts.listCurrentRights() else { continue }
            if let last, !last.isSubset(of: now) { reportWithdrawal() }
            last = now
            state.withLock { $0.pollCount += 1 }
        }
    }
}

/// Decides whether the reader of an open stream may continue to read it.
struct ReadPermission: Sendable {
    let rightsMonitor: RightsMonitor
    let isAllowed: @Sendable () async -> Bool

    /// Waits until the reader may no longer read. It checks at once, whenever rights were withdrawn, and regularly,
    /// because sign-ins expire.
    func waitUntilEnded() async throws {
        while true {
            // The number is read before the check, so that a change during the check leads to another check.
            let seen = rightsMonitor.withdrawalCount
            guard await isAllowed() else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Task.sleep(for: EventStream.permissionRecheckInterval) }
                group.addTask { await rightsMonitor.waitForWithdrawal(after: seen) }
                try await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }
}
