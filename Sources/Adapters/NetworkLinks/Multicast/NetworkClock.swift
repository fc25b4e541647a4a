import NIOCore

/// The continuous clock, with timers that run on the thread of the packets.
///
/// The standard clock wakes its sleepers through the thread pool that all tasks share. While that pool is busy, packets
/// would be late.
public struct NetworkClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private let eventLoop: any EventLoop

    public init() { eventLoop = NetworkThread.group.next() }

    public var now: Instant { ContinuousClock.now }
    public var minimumResolution: Duration { .milliseconds(1) }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let alarm = eventLoop.scheduleTask(in: TimeAmount(max(.zero, now.duration(to: deadline)))) {}
        try await withTaskCancellationHandler {
            try await alarm.futureResult.get()
        } onCancel: {
            alarm.cancel()
        }
    }
}
