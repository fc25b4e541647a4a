import Foundation
import Glibc
import Synchronization

/// A few low-priority threads that compute queued work in order.
///
/// These are not threads of the cooperative pool, which everything else shares. They are niced, so that on a machine
/// with two cores a flood of sign-ins only takes the time that audio processing leaves.
final class HashingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let doorbell = DispatchSemaphore(value: 0)
    private let limit: Int
    private let waitingLimit: Int

    private let niceness: Int32

    /// - Parameter niceness: 0 is the priority of ordinary threads, 19 the lowest.
    init(limit: Int, waitingLimit: Int, niceness: Int32) {
        self.limit = limit
        self.waitingLimit = waitingLimit
        self.niceness = niceness
    }

    /// Queues work.
    /// - Returns: nil if the work was accepted; otherwise the number of waiting pieces of work.
    func take(_ work: @escaping Work) -> Int? {
        let (refused, starts) = state.withLock { state -> (Int?, Bool) in
            guard state.waiting.count < waitingLimit else { return (state.waiting.count, false) }
            state.waiting.append(work)
            let starts = state.idle < state.waiting.count && state.threads < limit
            if starts { state.threads += 1 }
            return (nil, starts)
        }
        if let refused { return refused }
        if starts { Thread(block: loop).start() }
        doorbell.signal()
        return nil
    }

    // The threads never end: they are few, and they wait when there is no work.
    private func loop() {
        // On Linux, process 0 means the calling thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while true {
            state.withLock { $0.idle += 1 }
            doorbell.wait()
            let work = state.withLock { state -> Work? in
                state.idle -= 1
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            work?()
        }
    }
}
