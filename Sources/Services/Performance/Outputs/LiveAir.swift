import Concert
import Following
import Multicast
import RealTime
import Score
import Synchronization

/// Keeps the phones told: turns the newest report into the measure that packets carry.
///
/// It has a thread of its own, so that neither a stalled terminal nor a busy pool of tasks delays a packet.
/// Only a follower that follows or coasts moves the measure; one that is lost, waits or has finished leaves it
/// where it is.
final class LiveAir: Sendable {
    private let names: [PieceName]
    private let pump: PacketPump<NetworkClock>
    private let sink: TimedSink
    private let sender: MulticastSender
    private let shown = Mutex<LivePosition?>(nil)
    private let unsendable = Atomic<Int>(0)

    /// - Parameters:
    ///   - names: of the programme's pieces.
    ///   - count: of the last packet an earlier run may have sent; this one's go on behind it.
    ///   - mayLeave: packets leave only while it says so; asked before each.
    init(
        names: [PieceName], endpoint: MulticastEndpoint, timeToLive: UInt8, rate: PacketRate,
        count: UInt64 = 0, mayLeave: @escaping @Sendable () -> Bool = { true }
    ) async throws(MulticastError) {
        self.names = names
        sender = try await MulticastSender(endpoint: endpoint, timeToLive: timeToLive)
        sink = TimedSink(sender, mayLeave: mayLeave)
        pump = PacketPump(schedule: PacketSchedule(rate: rate, continuingFrom: count), sink: sink)
    }

    var endpoint: MulticastEndpoint { sender.endpoint }
    var counters: PumpCounters { pump.counters }
    /// From a report to the moment the network had the first packet of its measure.
    var reportToSent: DeadlineReading { sink.reportToSent.reading() }
    /// What phones are shown.
    var position: LivePosition? { shown.withLock { $0 } }

    /// Sends until the task is cancelled.
    func send() async { await pump.run() }

    /// Ends the live position and the socket.
    func close() async {
        pump.endLive()
        await sender.close()
    }

    /// Waits for reports until told to stop. A thread of its own.
    func herald(_ newest: Mailbox<LiveReport>, told: Doorbell, until stop: StopRequest) {
        while !stop.isMade {
            guard told.wait(milliseconds: 100), let report = newest.latest() else { continue }
            tell(report)
        }
    }

    /// The newest packet's count.
    var count: UInt64 { pump.count }

    /// Counts on behind what another server may have sent.
    func raise(countTo count: UInt64) { pump.raise(countTo: count) }

    /// Shows a measure, whoever says so.
    func show(_ position: LivePosition) {
        shown.withLock { $0 = position }
        sink.expect(position, made: MonotonicClock.now)
        pump.show(position)
    }

    /// Nothing is live; what is on its way still leaves.
    func endLive() {
        shown.withLock { $0 = nil }
        pump.endLive()
    }

    func announce(_ message: PushMessage) { pump.announce(message) }

    func withdrawMessage() { pump.withdrawMessage() }

    private func tell(_ report: LiveReport) {
        let state = report.said.report.state
        guard state == .following || state == .coasting, let measure = report.said.report.printedMeasure,
            names.indices.contains(report.said.piece)
        else { return }
        guard let position = try? LivePosition(piece: names[report.said.piece], measure: measure) else {
            unsendable.wrappingAdd(1, ordering: .relaxed)
            return
        }
        let isNew = shown.withLock { shown in
            defer { shown = position }
            return shown != position
        }
        guard isNew else { return }
        sink.expect(position, made: report.made)
        pump.show(position)
    }
}

/// Measures how soon the first packet of a measure has left.
private final class TimedSink: DatagramSink {
    let reportToSent = DeadlineMeter(limit: .milliseconds(20))
    private let sender: MulticastSender
    private let mayLeave: @Sendable () -> Bool
    private let expected = Mutex<(position: LivePosition, made: MonotonicInstant)?>(nil)

    init(_ sender: MulticastSender, mayLeave: @escaping @Sendable () -> Bool) {
        self.sender = sender
        self.mayLeave = mayLeave
    }

    func expect(_ position: LivePosition, made: MonotonicInstant) {
        expected.withLock { $0 = (position, made) }
    }

    func send(_ bytes: [UInt8]) async throws {
        guard mayLeave() else { return }
        try await sender.send(bytes)
        let now = MonotonicClock.now
        guard let packet = try? MeasurePacket(bytes: bytes) else { return }
        expected.withLock { expected in
            guard let first = expected, first.position == packet.position else { return }
            reportToSent.record(from: first.made, to: now)
            expected = nil
        }
    }
}
