import Dispatch

/// Runs the handlers for visitors who are not signed in one after the other, on a thread of its own.
///
/// On the threads that all requests share, each step of an operator's command would wait for these handlers.
final class AnonymousExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "strangers", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
