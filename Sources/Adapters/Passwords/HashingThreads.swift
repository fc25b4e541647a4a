import Foundation
import Glibc
import Synchronization

/// A few low-priority threads that compute queued work in order.
///
/// These threads are not part of Swift's cooperative pool, which everything else shares. Their priority is low so that,
/// on a machine with two cores, a flood of sign-ins takes only the time that audio processing leaves.
final class HashingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let workAvailable = DispatchSemaphore(value: 0)
    private let limit: Int
    private let waitingLimit: Int

    private let niceness: Int32

    /// Sets the limits of the threads, which start when needed.
    /// - Parameter niceness: 0 is the priority of ordinary threads, 19 the lowest.
    init(limit: Int, waitingLimit: Int, niceness: Int32) {
        self.limit = limit
        self.waitingLimit = waitingLimit
        self.niceness = niceness
    }

    /// Queues work for a thread.
    /// - Returns: nil if the work was accepted; otherwise the number of pieces of work already waiting.
    func enqueue(_ work: @escaping Work) -> Int? {
        let (refused, starts) = state.withLock { state -> (Int?, Bool) in
            guard state.waiting.count < waitingLimit else { return (state.waiting.count, false) }
            state.waiting.append(work)
            let starts = state.idle < state.waiting.count && state.threads < limit
            if starts { state.threads += 1 }
            return (nil, starts)
        }
        if let refused { return refused }
        if starts { Thread(block: loop).start() }
        workAvailable.signal()
        return nil
    }

    // The threads never end. They are few, and they wait while there is no work.
    private func loop() {
        // On Linux, process 0 means the calling thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while true {
            state.withLock { $0.idle += 1 }
            workAvailable.wait()
            let work = state.withLock { state -> Work? in
                state.idle -= 1
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            work?()
        }
    }
}
