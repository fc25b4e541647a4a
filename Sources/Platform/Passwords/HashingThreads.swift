import Foundation
import Glibc
import Synchronization

/// A few low-priority threads that compute queued work in order.
///
/// These threads are not part of Swift's cooperative pool, which everything else shares. Their priority is low,
/// because on a machine with two cores a flood of sign-ins must take only the time that audio processing leaves.
final class HashingThreads: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waitingWork: [Work] = []
        var threadCount = 0
        var idleThreadCount = 0
    }

    private let state = Mutex(State())
    private let workAvailable = DispatchSemaphore(value: 0)
    private let mostThreads: Int
    private let mostWaitingWork: Int

    private let niceness: Int32

    /// Sets the limits of the threads, which start when needed.
    /// - Parameter niceness: 0 is the priority of ordinary threads, 19 the lowest.
    init(mostThreads: Int, mostWaitingWork: Int, niceness: Int32) {
        self.mostThreads = mostThreads
        self.mostWaitingWork = mostWaitingWork
        self.niceness = niceness
    }

    /// Queues work for a thread.
    /// - Returns: nil if the work was accepted; otherwise the number of pieces of work already waiting.
    func enqueue(_ work: @escaping Work) -> Int? {
        let (refused, starts) = state.withLock { state -> (Int?, Bool) in
            guard state.waitingWork.count < mostWaitingWork else { return (state.waitingWork.count, false) }
            state.waitingWork.append(work)
            let starts = state.idleThreadCount < state.waitingWork.count && state.threadCount < mostThreads
            if starts { state.threadCount += 1 }
            return (nil, starts)
        }
        if let refused { return refused }
        if starts { Thread(block: runWorkLoop).start() }
        workAvailable.signal()
        return nil
    }

    // The threads never end. They are few, and they wait while there is no work.
    private func runWorkLoop() {
        // On Linux, process 0 means the calling thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while true {
            state.withLock { $0.idleThreadCount += 1 }
            workAvailable.wait()
            let work = state.withLock { state -> Work? in
                state.idleThreadCount -= 1
                return state.waitingWork.isEmpty ? nil : state.waitingWork.removeFirst()
            }
            work?()
        }
    }
}
