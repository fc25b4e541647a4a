import NIOCore
import NIOPosix

/// Runs tasks on the thread of the packets, instead of the thread pool that all tasks share.
final class NetworkThread: TaskExecutor {
    /// The one thread that sends packets. The threads that serve browsers may be busy with those of a whole audience.
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let eventLoop: any EventLoop = group.next()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
