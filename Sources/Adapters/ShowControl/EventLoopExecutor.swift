import NIOCore

/// Runs tasks on the thread of one event loop, because the thread pool that all tasks share may be busy.
final class EventLoopExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(_ loop: any EventLoop) { self.eventLoop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
