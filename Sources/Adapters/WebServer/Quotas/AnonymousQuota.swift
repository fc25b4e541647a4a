import Synchronization

/// Limits the work that the server does at the same time for all visitors who are not signed in.
///
/// A limited number of requests is served at once. Some more wait, and the waiting addresses take turns, so that
/// sending more requests gives nobody a larger share. All further requests are refused. Signed-in people never wait
/// here.
///
/// A turn lasts milliseconds and is worth waiting for. The places of a ``ResourceQuota`` are occupied for minutes and
/// therefore refused at once. So the two types share no code.
final class AnonymousQuota: Sendable {
    struct Bounds: Sendable {
        var atOnce: Int
        var atOncePerAddress: Int
        var waiting: Int
        var waitingPerAddress: Int
        var patience: Duration = .seconds(10)

        /// The limits for making responses. This is short work, most of it done once for all visitors. Few are made at
        /// the same time, because an operator's command waits for those that have begun.
        static let answers = Bounds(
            atOnce: 4, atOncePerAddress: 2, waiting: 4_096, waitingPerAddress: 2_048)
        /// The limits for looking up sign-in tokens: one fewer at once than the database has readers.
        static let lookUps = Bounds(
            atOnce: 3, atOncePerAddress: 2, waiting: 4_096, waitingPerAddress: 2_048)
        /// The limits for sending files and long texts, which are sent in pieces of ``WebFile/chunkBytes``.
        static let files = Bounds(
            atOnce: 1_024, atOncePerAddress: 512, waiting: 4_096, waitingPerAddress: 2_048)
    }

    /// One of the places for requests being served. The place is free again when the object is released.
    final class Turn: Sendable {
        private let quota: AnonymousQuota
        private let address: String

        fileprivate init(_ allotment: AnonymousQuota, _ address: String) {
            (self.quota, self.address) = (allotment, address)
        }

        deinit { quota.giveBack(address) }
    }

    private struct Waiting {
        let number: UInt64
        let resume: CheckedContinuation<Turn?, Never>
    }

    private struct State {
        var served: [String: Int] = [:]
        var servedCount = 0
        var queues: [String: [Waiting]] = [:]
        /// The addresses that have waiting requests, in the order of their turns.
        var order: [String] = []
        var waitingCount = 0
        var lastNumber: UInt64 = 0

        mutating func admitIfFree(_ address: String, _ bounds: Bounds) -> Bool {
            guard servedCount < bounds.atOnce, served[address, default: 0] < bounds.atOncePerAddress else {
                return false
            }
            served[address, default: 0] += 1
            servedCount += 1
            return true
        }

        /// Removes and returns the next waiting request and its address, and counts it as served; nil if none can be
        /// served now.
        mutating func next(_ bounds: Bounds) -> (Waiting, String)? {
            for (place, address) in order.enumerated() where admitIfFree(address, bounds) {
                order.remove(at: place)
                var queue = queues[address] ?? []
                let first = queue.removeFirst()
                queues[address] = queue.isEmpty ? nil : queue
                if !queue.isEmpty { order.append(address) }
                waitingCount -= 1
                return (first, address)
            }
            return nil
        }

        mutating func remove(_ number: UInt64, of address: String) -> Waiting? {
            guard var queue = queues[address], let place = queue.firstIndex(where: { $0.number == number })
            else { return nil }
            let waiting = queue.remove(at: place)
            queues[address] = queue.isEmpty ? nil : queue
            if queue.isEmpty { order.removeAll { $0 == address } }
            waitingCount -= 1
            return waiting
        }
    }

    private let bounds: Bounds
    private let state = Mutex(State())

    init(_ bounds: Bounds) { self.bounds = bounds }

    var waitingCount: Int { state.withLock { $0.waitingCount } }
    var servedCount: Int { state.withLock { $0.servedCount } }

    /// A turn, if one is free and no request of this address is waiting; otherwise nil.
    func turnAtOnce(for address: String) -> Turn? {
        let isServed = state.withLock { state in
            state.queues[address] == nil && state.admitIfFree(address, bounds)
        }
        return isServed ? Turn(self, address) : nil
    }

    /// Waits for a turn.
    /// - Parameter address: the visitor's address, or the network that counts as one address.
    /// - Returns: nil if too many requests wait already, or if the wait took too long.
    func turn(for address: String) async -> Turn? {
        if let turn = turnAtOnce(for: address) { return turn }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        var giveUp: Task<Void, Never>?
        let turn: Turn? = await withCheckedContinuation { (continuation: CheckedContinuation<Turn?, Never>) in
            let waits = state.withLock { state -> Bool in
                guard state.waitingCount < bounds.waiting,
                    state.queues[address]?.count ?? 0 < bounds.waitingPerAddress
                else { return false }
                if state.queues[address] == nil { state.order.append(address) }
                state.queues[address, default: []].append(Waiting(number: number, resume: continuation))
                state.waitingCount += 1
                return true
            }
            guard waits else { return continuation.resume(returning: nil) }
            giveUp = Task { await self.giveUp(number, of: address) }
            serveNext()
        }
        giveUp?.cancel()
        return turn
    }

    private func giveUp(_ number: UInt64, of address: String) async {
        try? await Task.sleep(for: bounds.patience)
        guard !Task.isCancelled else { return }
        state.withLock { $0.remove(number, of: address) }?.resume.resume(returning: nil)
    }

    private func giveBack(_ address: String) {
        state.withLock { state in
            let count = state.served[address, default: 0]
            state.served[address] = count > 1 ? count - 1 : nil
            state.servedCount -= 1
        }
        serveNext()
    }

    private func serveNext() {
        while let (waiting, address) = state.withLock({ $0.next(bounds) }) {
            waiting.resume.resume(returning: Turn(self, address))
        }
    }
}
