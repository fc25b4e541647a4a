import Basics
import Concert
import Synchronization

/// Sends packets with the live position to the phones: keeps their schedule, runs its timer, and passes datagrams to a
/// sink.
///
/// Changes may come from any task or thread. They return at once, with the packet of a changed measure already queued.
/// A datagram that fails is counted, and the next one is sent as usual.
public final class PositionPacketTransmitter<Time: Clock>: Sendable where Time.Duration == Duration {
    /// The number of datagrams that may wait while the network accepts none; phones could not use older ones.
    static var mostWaitingDatagrams: Int { 64 }

    private struct QueuedDatagram: Sendable {
        let datagram: Datagram
        let requestedAt: Time.Instant
    }

    private struct State {
        var schedule: PacketSchedule
        var counters = PacketTransmissionCounters()
        var newestSendTime: Time.Instant?
        var hasRun = false
    }

    private let state: Mutex<State>
    private let clock: Time
    private let startInstant: Time.Instant
    private let sink: any DatagramSink
    private let outbox: AsyncStream<QueuedDatagram>
    private let outboxInput: AsyncStream<QueuedDatagram>.Continuation

    public init(schedule: PacketSchedule, sink: any DatagramSink, clock: Time) {
        state = Mutex(State(schedule: schedule))
        self.clock = clock
        startInstant = clock.now
        self.sink = sink
        (outbox, outboxInput) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostWaitingDatagrams))
    }

    /// Sends this position in all packets from now on.
    public func setLivePosition(_ position: LivePosition) {
        changeSchedule { schedule, now in schedule.setPosition(position, at: now) }
    }

    /// Removes the live position from the following packets. Packets already queued are still sent.
    public func removeLivePosition() {
        state.withLock { state in
            state.schedule.endLivePosition()
            state.newestSendTime = nil
        }
    }

    /// Sends a push message to the phones with the following packets.
    public func sendPushMessage(_ message: PushMessage) {
        changeSchedule { schedule, now in schedule.announce(message, at: now) }
    }

    public func withdrawPushMessage() {
        state.withLock { $0.schedule.withdrawMessage() }
    }

    public var counters: PacketTransmissionCounters { state.withLock { $0.counters } }

    /// The number of the newest packet. A later run of the same sender continues from this number.
    public var newestPacketNumber: UInt64 { state.withLock { $0.schedule.packetCount } }

    /// Raises the packet number at least to `count`, a number that another sender may have used. So no number is used
    /// twice.
    public func raisePacketNumber(countTo count: UInt64) {
        state.withLock { $0.schedule.raise(countTo: count) }
    }

    /// Sends packets until the task is cancelled. May be called once.
    /// The sending runs on a thread of its own, because the thread pool of all other tasks may be busy just
    /// when the measure changes.
    public func run() async {
        let isFirst = state.withLock { state in
            defer { state.hasRun = true }
            return !state.hasRun
        }
        precondition(isFirst, "a packet transmitter runs once")
        await withTaskExecutorPreference(NetworkThread()) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.runTimer() }
                group.addTask { await self.sendQueuedDatagrams() }
            }
        }
    }

    private func changeSchedule(_ edit: (inout PacketSchedule, Duration) -> [Datagram]) {
        state.withLock { state in
            let now = clock.now
            let leaving = edit(&state.schedule, startInstant.duration(to: now))
            enqueueDatagrams(leaving, requested: now, counters: &state.counters)
        }
    }

    /// Queues datagrams for sending. Called with the lock held, so that they are queued in the order of their numbers.
    private func enqueueDatagrams(
        _ datagrams: [Datagram], requested: Time.Instant, counters: inout PacketTransmissionCounters
    ) {
        for datagram in datagrams {
            if case .dropped = outboxInput.yield(QueuedDatagram(datagram: datagram, requestedAt: requested)) {
                counters.overflowed += 1
            }
        }
    }

    /// Runs the schedule's timer. The timer wakes at least twice in each sending interval, so that a change of the
    /// schedule never has to wake it.
    private func runTimer() async {
        while !Task.isCancelled {
            let wake = state.withLock { state in
                let now = clock.now
                let elapsed = startInstant.duration(to: now)
                while let datagram = state.schedule.takeDueDatagram(at: elapsed) {
                    enqueueDatagrams([datagram], requested: now, counters: &state.counters)
                }
                let latest = now.advanced(by: state.schedule.rate.interval / 2)
                return state.schedule.nextDatagramDue.map { min(startInstant.advanced(by: $0), latest) }
                    ?? latest
            }
            try? await clock.sleep(until: wake, tolerance: nil)
        }
    }

    private func sendQueuedDatagrams() async {
        for await departure in outbox {
            do {
                try await sink.send(departure.datagram)
                recordSent(departure)
            } catch {
                state.withLock { state in
                    state.counters.failed += 1
                    state.counters.lastFailure = (error as? ExplainedError)?.sentence ?? "\(error)"
                }
            }
        }
    }

    private func recordSent(_ departure: QueuedDatagram) {
        state.withLock { state in
            let now = clock.now
            state.counters.sent += 1
            state.counters.longestSendDelay = max(
                state.counters.longestSendDelay, departure.requestedAt.duration(to: now))
            if let newest = state.newestSendTime {
                state.counters.longestGap = max(state.counters.longestGap, newest.duration(to: now))
            }
            state.newestSendTime = state.schedule.livePosition == nil ? nil : now
        }
    }
}

extension PositionPacketTransmitter where Time == NetworkClock {
    public convenience init(schedule: PacketSchedule = PacketSchedule(), sink: any DatagramSink) {
        self.init(schedule: schedule, sink: sink, clock: NetworkClock())
    }
}
