import NIOCore
import NIOPosix

/// Runs tasks on one of the network's threads instead of the thread pool that all tasks share.
final class NetworkThread: TaskExecutor {
    private let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
