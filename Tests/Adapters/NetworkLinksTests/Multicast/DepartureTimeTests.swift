import Concert
import Dispatch
import Foundation
import NetworkLinks
import Testing

/// From the call that shows a measure until a receiver on this machine has its packet: reported, not judged.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DepartureTimeTests {
    /// Keeps the measuring itself out of the pool that is made busy.
    private final class QueueExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "measuring")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test(arguments: [false, true]) func aChangedMeasureIsOnItsWay(whileTasksAreBusy isBusy: Bool)
        async throws
    {
        try await withTaskExecutorPreference(QueueExecutor()) {
            try await measure(whileTasksAreBusy: isBusy)
        }
    }

    private func measure(whileTasksAreBusy isBusy: Bool) async throws {
        let endpoint = try await freshEndpoint()
        let receiver = try await MulticastReceiver(endpoint: endpoint)
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        let pump = PositionPacketTransmitter(sink: sender)
        let running = Task { await pump.run() }
        var arrivals = receiver.makeAsyncIterator()
        pump.setLivePosition(try place(0))
        #expect(await arrivals.next(isolation: #isolation) != nil)

        let busyUntil = ContinuousClock.now + .seconds(isBusy ? 1.5 : 0)
        let busy = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Task.detached { while ContinuousClock.now < busyUntil {} }
        }
        var milliseconds: [Double] = []
        for measure in 1...200 {
            let told = ContinuousClock.now
            pump.setLivePosition(try place(measure))
            while let datagram = await arrivals.next(isolation: #isolation) {
                guard case .measure(let packet) = try BroadcastPacket(bytes: datagram.bytes) else { continue }
                guard packet.measure == measure else { continue }
                milliseconds.append(told.duration(to: datagram.arrival) / .milliseconds(1))
                break
            }
        }
        for task in busy { await task.value }
        running.cancel()
        await running.value
        await sender.close()
        await receiver.close()

        #expect(milliseconds.count == 200)
        milliseconds.sort()
        let times = [100, 198, 199].map { String(format: "%.3f", milliseconds[$0]) }
        print(
            "call to reception\(isBusy ? " while tasks are busy" : ""): p50 \(times[0]) ms, p99 \(times[1]) ms,",
            "slowest \(times[2]) ms; longest gap \(pump.counters.longestGap)")
    }
}
