import Dispatch

/// Runs what is made for people who did not sign in: on one thread of its own, one answer after the other.
///
/// On the threads that all requests share, somebody's command would wait behind their answers at each of its steps.
final class StrangersExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "strangers", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
