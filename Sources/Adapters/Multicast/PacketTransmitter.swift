import Concert
import Synchronization

/// Sends the phones' packets: owns the schedule, runs its timer, and passes datagrams to a sink.
///
/// Changes may come from any task or thread of the services lane. They return at once, with the packet of a changed
/// measure already queued. A datagram that fails is counted, and the next one is sent as usual.
public final class PacketTransmitter<Time: Clock>: Sendable where Time.Duration == Duration {
    /// Datagrams that may wait while the network accepts none; phones could not use older ones.
    static var mostWaiting: Int { 64 }

    private struct QueuedDatagram: Sendable {
        let datagram: Datagram
        let requested: Time.Instant
    }

    private struct State {
        var schedule: PacketSchedule
        var counters = TransmitterCounters()
        var newestSent: Time.Instant?
        var hasRun = false
    }

    private let state: Mutex<State>
    private let clock: Time
    private let origin: Time.Instant
    private let sink: any DatagramSink
    private let outbox: AsyncStream<QueuedDatagram>
    private let door: AsyncStream<QueuedDatagram>.Continuation

    public init(schedule: PacketSchedule, sink: any DatagramSink, clock: Time) {
        state = Mutex(State(schedule: schedule))
        self.clock = clock
        origin = clock.now
        self.sink = sink
        (outbox, door) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    /// Sends this position in all packets from now on.
    public func setPosition(_ position: LivePosition) {
        change { schedule, now in schedule.position(position, at: now) }
    }

    /// Removes the live position from the following packets; packets already queued are still sent.
    public func endLive() {
        state.withLock { state in
            state.schedule.endLive()
            state.newestSent = nil
        }
    }

    /// Sends a message with the following packets.
    public func announce(_ message: PushMessage) {
        change { schedule, now in schedule.announce(message, at: now) }
    }

    public func withdrawMessage() {
        state.withLock { $0.schedule.withdrawMessage() }
    }

    public var counters: TransmitterCounters { state.withLock { $0.counters } }

    /// The number of the newest packet; a later run of the same sender continues from it.
    public var count: UInt64 { state.withLock { $0.schedule.count } }

    /// Continues counting after a number that another sender may have used.
    public func raise(countTo count: UInt64) { state.withLock { $0.schedule.raise(countTo: count) } }

    /// Sends until the task is cancelled. May be called once.
    ///
    /// It runs on a thread of the network's, because the pool that all other tasks share may be busy with a large
    /// page just when the measure changes.
    public func run() async {
        let isFirst = state.withLock { state in
            defer { state.hasRun = true }
            return !state.hasRun
        }
        precondition(isFirst, "a packet pump runs once")
        await withTaskExecutorPreference(NetworkThread()) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.runTimer() }
                group.addTask { await self.send() }
            }
        }
    }

    private func change(_ edit: (inout PacketSchedule, Duration) -> [Datagram]) {
        state.withLock { state in
            let now = clock.now
            let leaving = edit(&state.schedule, origin.duration(to: now))
            enqueueDatagrams(leaving, requested: now, counters: &state.counters)
        }
    }

    /// Queues datagrams for sending. Called with the lock held, so that they are queued in the order of their
    /// numbers.
    private func enqueueDatagrams(
        _ datagrams: [Datagram], requested: Time.Instant, counters: inout TransmitterCounters
    ) {
        for datagram in datagrams {
            if case .dropped = door.yield(QueuedDatagram(datagram: datagram, requested: requested)) {
                counters.overflowed += 1
            }
        }
    }

    /// Wakes at least twice in an interval, so that a change never has to wake it.
    private func runTimer() async {
        while !Task.isCancelled {
            let wake = state.withLock { state in
                let now = clock.now
                let elapsed = origin.duration(to: now)
                while let datagram = state.schedule.tick(at: elapsed) {
                    enqueueDatagrams([datagram], requested: now, counters: &state.counters)
                }
                let latest = now.advanced(by: state.schedule.rate.interval / 2)
                return state.schedule.nextDue.map { min(origin.advanced(by: $0), latest) } ?? latest
            }
            try? await clock.sleep(until: wake, tolerance: nil)
        }
    }

    private func send() async {
        for await departure in outbox {
            do {
                try await sink.send(departure.datagram)
                noteSent(departure)
            } catch {
                state.withLock { state in
                    state.counters.failed += 1
                    state.counters.lastFailure = (error as? MulticastError)?.sentence ?? "\(error)"
                }
            }
        }
    }

    private func noteSent(_ departure: QueuedDatagram) {
        state.withLock { state in
            let now = clock.now
            state.counters.sent += 1
            state.counters.longestSendDelay = max(
                state.counters.longestSendDelay, departure.requested.duration(to: now))
            if let newest = state.newestSent {
                state.counters.longestGap = max(state.counters.longestGap, newest.duration(to: now))
            }
            state.newestSent = state.schedule.live == nil ? nil : now
        }
    }
}

extension PacketTransmitter where Time == NetworkClock {
    public convenience init(schedule: PacketSchedule = PacketSchedule(), sink: any DatagramSink) {
        self.init(schedule: schedule, sink: sink, clock: NetworkClock())
    }
}
