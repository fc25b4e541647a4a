import Synchronization

/// Limits the work that the server does at the same time, such as making responses or sending large ones.
///
/// A ``ResourceQuota`` says how much of it each visitor may have at once. Some more requests wait, and the waiting
/// addresses and accounts take turns, so that sending more requests gives nobody a larger share. All further requests
/// are refused.
///
/// A turn is worth waiting for, because others soon end. The places of streams are occupied for hours, so requests for
/// them are refused at once.
final class RequestQueue: Sendable {
    struct Limits: Sendable {
        /// The requests that are served at once. A request may take several places.
        var quota: ResourceQuota.Limits
        var mostWaiting = 4_096
        var mostWaitingPerOwner = 2_048
        /// The number of places, beyond one for each request, that waiting requests may ask for. They hold so much
        /// memory already while they wait.
        var mostWaitingFurtherPlaces = 1_024
        var longestWait: Duration = .seconds(10)

        /// The limits for making responses for visitors who are not signed in. This is short work, and most of it is
        /// done once for all visitors. Few responses are made at the same time, because an operator's command waits
        /// until they are made.
        static let forResponses = Limits(quota: .init(total: 4, perAddress: 2))
        /// The limits for making responses for people who are signed in: one account may be many devices, but thousands
        /// of its requests are not made at the same time, because each holds memory while it waits for files or data.
        static let forPeoplesResponses = Limits(quota: .init(total: 192, reserve: 48, perAccount: 32))
        /// The limits for looking up sign-in tokens. The number of look-ups at once is one less than the number of
        /// the database's readers.
        static let forTokenLookUps = Limits(quota: .init(total: 3, perAddress: 2))
        /// The limits for sending large responses, to everybody. A place stands for ``OutgoingBody/placeBytes``.
        static var forBodies: Limits {
            let total = FileDescriptorLimit.sentFileLimit()
            return Limits(
                quota: .init(
                    total: total, reserve: total / 9, perAddress: total * 4 / 9, perAccount: total / 9))
        }
    }

    /// The places of a request that is being served. They are free again when the object is released.
    final class Turn: Sendable {
        private let requestQueue: RequestQueue
        private let holder: ResourceQuota.Holder
        private let placeCount: Int

        fileprivate init(_ queue: RequestQueue, _ holder: ResourceQuota.Holder, _ placeCount: Int) {
            (requestQueue, self.holder, self.placeCount) = (queue, holder, placeCount)
        }

        deinit { requestQueue.giveBackTurn(holder, placeCount) }
    }

    private struct WaitingRequest {
        let givesUpAt: ContinuousClock.Instant
        let holder: ResourceQuota.Holder
        let placeCount: Int
        let continuation: CheckedContinuation<Turn?, Never>
    }

    private struct State {
        var quota: ResourceQuota
        var waitingRequests = TurnOrder<WaitingRequest>()
        var waitingFurtherPlaces = 0
        var looksForOverdueRequests = false

        mutating func admitIfFree(_ holder: ResourceQuota.Holder, _ placeCount: Int) -> Bool {
            (try? quota.takePlace(holder, count: placeCount)) != nil
        }

        /// Removes and returns the next waiting request, and counts it as served; nil if none can be served now.
        mutating func takeNextRequest() -> WaitingRequest? {
            for owner in waitingRequests.owners {
                guard let next = waitingRequests.firstItem(of: owner) else { continue }
                if admitIfFree(next.holder, next.placeCount) { return removeRequest(at: 0, of: owner) }
            }
            return nil
        }

        mutating func removeRequest(at index: Int, of owner: String) -> WaitingRequest? {
            let removed = waitingRequests.takeItem(at: index, of: owner)
            waitingFurtherPlaces -= (removed?.placeCount ?? 1) - 1
            return removed
        }

        /// Removes and returns the requests that have waited for too long. Each owner's requests are in the order in
        /// which they came.
        mutating func removeOverdueRequests() -> [WaitingRequest] {
            let now = ContinuousClock.now
            var removed: [WaitingRequest] = []
            for owner in waitingRequests.owners {
                while let oldest = waitingRequests.firstItem(of: owner), oldest.givesUpAt <= now {
                    if let request = removeRequest(at: 0, of: owner) { removed.append(request) }
                }
            }
            return removed
        }
    }

    private let limits: Limits
    private let state: Mutex<State>

    init(_ limits: Limits) {
        self.limits = limits
        state = Mutex(State(quota: ResourceQuota(limits.quota)))
    }

    var waitingCount: Int { state.withLock { $0.waitingRequests.count } }
    /// The number of places that requests being served have.
    var servedCount: Int { state.withLock { $0.quota.takenCount } }

    /// A turn, if one is free and no request of this visitor is waiting; otherwise nil.
    func takeTurnIfFree(for holder: ResourceQuota.Holder, placeCount: Int = 1) -> Turn? {
        let placeCount = possiblePlaceCount(placeCount, holder)
        let isServed = state.withLock { state in
            state.waitingRequests.count(of: holder) == 0 && state.admitIfFree(holder, placeCount)
        }
        return isServed ? Turn(self, holder, placeCount) : nil
    }

    /// Waits for a turn.
    /// - Parameter placeCount: the number of places that the request takes. One that needs more than the visitor's
    ///   whole share takes the whole share.
    /// - Returns: nil if too many requests wait already, or if the wait took too long.
    func waitForTurn(for holder: ResourceQuota.Holder, placeCount: Int = 1) async -> Turn? {
        if let turn = takeTurnIfFree(for: holder, placeCount: placeCount) { return turn }
        let placeCount = possiblePlaceCount(placeCount, holder)
        let givesUpAt = ContinuousClock.now + limits.longestWait
        return await withCheckedContinuation { (continuation: CheckedContinuation<Turn?, Never>) in
            let (waits, isFirst) = state.withLock { state in
                guard state.waitingRequests.count < limits.mostWaiting,
                    state.waitingRequests.count(of: holder) < limits.mostWaitingPerOwner,
                    state.waitingFurtherPlaces + placeCount - 1 <= limits.mostWaitingFurtherPlaces
                else { return (false, false) }
                state.waitingRequests.append(
                    WaitingRequest(
                        givesUpAt: givesUpAt, holder: holder, placeCount: placeCount,
                        continuation: continuation),
                    of: holder)
                state.waitingFurtherPlaces += placeCount - 1
                defer { state.looksForOverdueRequests = true }
                return (true, !state.looksForOverdueRequests)
            }
            guard waits else { return continuation.resume(returning: nil) }
            if isFirst { Task { await self.giveUpOverdueRequests() } }
            serveNext()
        }
    }

    private func possiblePlaceCount(_ count: Int, _ holder: ResourceQuota.Holder) -> Int {
        max(1, min(count, limits.quota.largestShare(of: holder)))
    }

    /// Refuses requests that have waited for too long, until none waits.
    ///
    /// This looks at all of them from time to time. A sleeping task for each would remain in memory until the end of its
    /// sleep, even if it is cancelled: 30,000 requests within ten seconds took 24 MB.
    private func giveUpOverdueRequests() async {
        while true {
            try? await Task.sleep(for: limits.longestWait / 20)
            let (overdue, isOver) = state.withLock { state in
                let overdue = state.removeOverdueRequests()
                state.looksForOverdueRequests = !state.waitingRequests.isEmpty
                return (overdue, state.waitingRequests.isEmpty)
            }
            for request in overdue { request.continuation.resume(returning: nil) }
            if isOver { return }
        }
    }

    private func giveBackTurn(_ holder: ResourceQuota.Holder, _ placeCount: Int) {
        state.withLock { $0.quota.giveBackPlace(holder, count: placeCount) }
        serveNext()
    }

    private func serveNext() {
        while let waiting = state.withLock({ $0.takeNextRequest() }) {
            waiting.continuation.resume(returning: Turn(self, waiting.holder, waiting.placeCount))
        }
    }
}
