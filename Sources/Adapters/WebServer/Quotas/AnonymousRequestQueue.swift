import Synchronization

/// Limits the work that the server does at the same time for all visitors who are not signed in.
///
/// A limited number of requests is served at once. Some more wait, and the waiting addresses take turns, so that
/// sending more requests gives nobody a larger share. All further requests are refused. Signed-in people never wait
/// here.
///
/// A turn lasts milliseconds and is worth waiting for. The places of a ``ResourceQuota`` are occupied for minutes, so
/// requests for them are refused at once. This is why the two types share no code.
final class AnonymousRequestQueue: Sendable {
    struct Limits: Sendable {
        var mostServedAtOnce: Int
        var mostServedAtOncePerAddress: Int
        var mostWaiting: Int
        var mostWaitingPerAddress: Int
        var longestWait: Duration = .seconds(10)

        /// The limits for making responses. This is short work, and most of it is done once for all visitors. Few
        /// responses are made at the same time, because an operator's command waits until they are made.
        static let forResponses = Limits(
            mostServedAtOnce: 4, mostServedAtOncePerAddress: 2, mostWaiting: 4_096,
            mostWaitingPerAddress: 2_048)
        /// The limits for looking up sign-in tokens. The number of look-ups at once is one less than the number of
        /// the database's readers.
        static let forTokenLookUps = Limits(
            mostServedAtOnce: 3, mostServedAtOncePerAddress: 2, mostWaiting: 4_096,
            mostWaitingPerAddress: 2_048)
        /// The limits for sending files and long texts, which are sent in pieces of ``ServedDiskFile/chunkBytes``.
        static let forFiles = Limits(
            mostServedAtOnce: 1_024, mostServedAtOncePerAddress: 512, mostWaiting: 4_096,
            mostWaitingPerAddress: 2_048)
    }

    /// One of the places for requests being served. The place is free again when the object is released.
    final class Turn: Sendable {
        private let requestQueue: AnonymousRequestQueue
        private let address: String

        fileprivate init(_ allotment: AnonymousRequestQueue, _ address: String) {
            (self.requestQueue, self.address) = (allotment, address)
        }

        deinit { requestQueue.giveBackTurn(address) }
    }

    private struct WaitingRequest {
        let number: UInt64
        let continuation: CheckedContinuation<Turn?, Never>
    }

    private struct State {
        var servedCountByAddress: [String: Int] = [:]
        var servedCount = 0
        var waitingRequestsByAddress: [String: [WaitingRequest]] = [:]
        /// The addresses that have waiting requests, in the order of their turns.
        var addressOrder: [String] = []
        var waitingCount = 0
        var lastNumber: UInt64 = 0

        mutating func admitIfFree(_ address: String, _ bounds: Limits) -> Bool {
            guard servedCount < bounds.mostServedAtOnce,
                servedCountByAddress[address, default: 0] < bounds.mostServedAtOncePerAddress
            else {
                return false
            }
            servedCountByAddress[address, default: 0] += 1
            servedCount += 1
            return true
        }

        /// Removes and returns the next waiting request and its address, and counts it as served; nil if none can be
        /// served now.
        mutating func takeNextRequest(_ bounds: Limits) -> (WaitingRequest, String)? {
            for (place, address) in addressOrder.enumerated() where admitIfFree(address, bounds) {
                addressOrder.remove(at: place)
                var queue = waitingRequestsByAddress[address] ?? []
                let first = queue.removeFirst()
                waitingRequestsByAddress[address] = queue.isEmpty ? nil : queue
                if !queue.isEmpty { addressOrder.append(address) }
                waitingCount -= 1
                return (first, address)
            }
            return nil
        }

        mutating func removeRequest(_ number: UInt64, of address: String) -> WaitingRequest? {
            guard var queue = waitingRequestsByAddress[address],
                let place = queue.firstIndex(where: { $0.number == number })
            else { return nil }
            let waiting = queue.remove(at: place)
            waitingRequestsByAddress[address] = queue.isEmpty ? nil : queue
            if queue.isEmpty { addressOrder.removeAll { $0 == address } }
            waitingCount -= 1
            return waiting
        }
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(_ bounds: Limits) { self.limits = bounds }

    var waitingCount: Int { state.withLock { $0.waitingCount } }
    var servedCount: Int { state.withLock { $0.servedCount } }

    /// A turn, if one is free and no request of this address is waiting; otherwise nil.
    func takeTurnIfFree(for address: String) -> Turn? {
        let isServed = state.withLock { state in
            state.waitingRequestsByAddress[address] == nil && state.admitIfFree(address, limits)
        }
        return isServed ? Turn(self, address) : nil
    }

    /// Waits for a turn.
    /// - Parameter address: the visitor's address, or the network that counts as one address.
    /// - Returns: nil if too many requests wait already, or if the wait took too long.
    func waitForTurn(for address: String) async -> Turn? {
        if let turn = takeTurnIfFree(for: address) { return turn }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        var giveUp: Task<Void, Never>?
        let turn: Turn? = await withCheckedContinuation { (continuation: CheckedContinuation<Turn?, Never>) in
            let waits = state.withLock { state -> Bool in
                guard state.waitingCount < limits.mostWaiting,
                    state.waitingRequestsByAddress[address]?.count ?? 0 < limits.mostWaitingPerAddress
                else { return false }
                if state.waitingRequestsByAddress[address] == nil { state.addressOrder.append(address) }
                state.waitingRequestsByAddress[address, default: []].append(
                    WaitingRequest(number: number, continuation: continuation))
                state.waitingCount += 1
                return true
            }
            guard waits else { return continuation.resume(returning: nil) }
            giveUp = Task { await self.giveUpAfterLongestWait(number, of: address) }
            serveNext()
        }
        giveUp?.cancel()
        return turn
    }

    private func giveUpAfterLongestWait(_ number: UInt64, of address: String) async {
        try? await Task.sleep(for: limits.longestWait)
        guard !Task.isCancelled else { return }
        state.withLock { $0.removeRequest(number, of: address) }?.continuation.resume(returning: nil)
    }

    private func giveBackTurn(_ address: String) {
        state.withLock { state in
            let count = state.servedCountByAddress[address, default: 0]
            state.servedCountByAddress[address] = count > 1 ? count - 1 : nil
            state.servedCount -= 1
        }
        serveNext()
    }

    private func serveNext() {
        while let (waiting, address) = state.withLock({ $0.takeNextRequest(limits) }) {
            waiting.continuation.resume(returning: Turn(self, address))
        }
    }
}
