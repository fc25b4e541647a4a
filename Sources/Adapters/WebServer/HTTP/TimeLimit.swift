import NIOCore

/// Ends work that takes too long.
enum TimeLimit {
    /// Does something, and cancels it after a time.
    ///
    /// The event loop measures the time. A sleeping task would remain in memory until the end of its sleep, even if it is
    /// cancelled.
    /// - Parameter work: returns nil if it was cancelled.
    /// - Returns: nil if it was cancelled.
    static func run<Result: Sendable>(
        _ patience: Duration, on eventLoop: any EventLoop, _ work: @escaping @Sendable () async -> Result?
    ) async -> Result? {
        let task = Task(operation: work)
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience)) { task.cancel() }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
