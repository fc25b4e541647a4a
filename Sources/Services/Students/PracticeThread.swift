import Glibc
import Platform
import Synchronization

/// A thread of low priority for what practising needs: reports, scores, recordings that play along. It never takes time
/// from the lanes of a show, which have real-time scheduling, nor from the threads that answer operators.
final class PracticeThread: SerialExecutor {
    /// The niceness of the thread: a fifth of the processor time of an ordinary thread if both have work.
    static let niceness: Int32 = 10

    private let queue: JobQueue
    private let thread: RealTimeThread

    /// The jobs of the thread. The thread refers to this object only, so that the executor can be released.
    private final class JobQueue: Sendable {
        private let jobs = Mutex<[UnownedJob]>([])
        let wake: WakeSignal

        init() throws(RealTimeError) { wake = try WakeSignal() }

        func add(_ job: UnownedJob) {
            jobs.withLock { $0.append(job) }
            wake.ring()
        }

        func takeAll() -> [UnownedJob] {
            jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
        }
    }

    /// The executor as its own thread sees it.
    private final class Reference: Sendable {
        let executor = Mutex<UnownedSerialExecutor?>(nil)
    }

    init(name: String) throws(RealTimeError) {
        let queue = try JobQueue()
        let reference = Reference()
        self.queue = queue
        thread = try RealTimeThread(name: name, priority: nil) { stop in
            // For the calling thread only.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            while !stop.isMade {
                _ = queue.wake.wait(milliseconds: 500)
                for job in queue.takeAll() {
                    guard let executor = reference.executor.withLock(\.self) else { continue }
                    job.runSynchronously(on: executor)
                }
            }
        }
        reference.executor.withLock { $0 = asUnownedSerialExecutor() }
    }

    deinit {
        thread.requestStop()
        queue.wake.ring()
    }

    func enqueue(_ job: consuming ExecutorJob) { queue.add(UnownedJob(job)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
