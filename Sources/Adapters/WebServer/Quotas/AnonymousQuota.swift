import Synchronization

/// Limits the work that the server does at the same time for all visitors who are not signed in.
///
/// A limited number is served at once. Some more wait, one address after the other in turn, so that asking more often
/// gives nobody a larger share. Further ones are refused. Signed-in visitors never wait here.
///
/// A turn lasts milliseconds and is waited for; the places of ``ResourceQuota`` are kept for minutes and refused at
/// once. The two share no code.
final class AnonymousQuota: Sendable {
    struct Bounds: Sendable {
        var atOnce: Int
        var atOncePerAddress: Int
        var waiting: Int
        var waitingPerAddress: Int
        var patience: Duration = .seconds(10)

        /// Answers being made: short work, most of it done once for all. Few at a time, because an operator's command
        /// waits for those that have begun.
        static let answers = Bounds(
            atOnce: 4, atOncePerAddress: 2, waiting: 4_096, waitingPerAddress: 2_048)
        /// Tokens being looked up: one fewer than the catalogue's readers.
        static let lookUps = Bounds(
            atOnce: 3, atOncePerAddress: 2, waiting: 4_096, waitingPerAddress: 2_048)
        /// Files and long texts being sent, each ``WebFile/chunkBytes`` at a time.
        static let files = Bounds(
            atOnce: 1_024, atOncePerAddress: 512, waiting: 4_096, waitingPerAddress: 2_048)
    }

    /// A place among those being served, returned when the object is released.
    final class Turn: Sendable {
        private let allotment: AnonymousQuota
        private let address: String

        fileprivate init(_ allotment: AnonymousQuota, _ address: String) {
            (self.allotment, self.address) = (allotment, address)
        }

        deinit { allotment.giveBack(address) }
    }

    private struct Waiting {
        let number: UInt64
        let resume: CheckedContinuation<Turn?, Never>
    }

    private struct State {
        var served: [String: Int] = [:]
        var servedCount = 0
        var queues: [String: [Waiting]] = [:]
        /// Waiting addresses, in the order of their turns.
        var order: [String] = []
        var waitingCount = 0
        var lastNumber: UInt64 = 0

        mutating func serve(_ address: String, _ bounds: Bounds) -> Bool {
            guard servedCount < bounds.atOnce, served[address, default: 0] < bounds.atOncePerAddress else {
                return false
            }
            served[address, default: 0] += 1
            servedCount += 1
            return true
        }

        /// Takes the next visitor to be served, of the address whose turn it is.
        mutating func next(_ bounds: Bounds) -> (Waiting, String)? {
            for (place, address) in order.enumerated() where serve(address, bounds) {
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

    /// A turn, if one is free and nobody waits for it; otherwise nil.
    func turnAtOnce(for address: String) -> Turn? {
        let isServed = state.withLock { state in
            state.queues[address] == nil && state.serve(address, bounds)
        }
        return isServed ? Turn(self, address) : nil
    }

    /// Waits for a turn.
    /// - Parameter address: the visitor's address, or the network that counts as one.
    /// - Returns: nil if too many wait already, or if it took too long.
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
