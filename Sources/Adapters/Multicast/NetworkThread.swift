import NIOCore
import NIOPosix

/// Runs tasks on one of the network's threads instead of the thread pool that all tasks share.
final class NetworkThread: TaskExecutor {
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
