import Concert
import Following
import Hosting
import Multicast
import RealTime
import Score
import Synchronization

/// The phones' packets: sends the measure that a Podium shows, its messages, and nothing while nothing is live.
package final class LiveAir: Sendable {
    private let pump: PacketTransmitter<NetworkClock>
    private let sink: TimedSink
    private let sender: MulticastSender
    private let shown = Mutex<LivePosition?>(nil)

    /// - Parameters:
    ///   - count: of the last packet an earlier run may have sent; this one's go on behind it.
    ///   - mayLeave: packets leave only while it says so; asked before each.
    package init(
        endpoint: MulticastEndpoint, timeToLive: UInt8, rate: PacketRate,
        count: UInt64 = 0, mayLeave: @escaping @Sendable () -> Bool = { true }
    ) async throws(MulticastError) {
        sender = try await MulticastSender(endpoint: endpoint, timeToLive: timeToLive)
        sink = TimedSink(sender, mayLeave: mayLeave)
        pump = PacketTransmitter(schedule: PacketSchedule(rate: rate, continuingFrom: count), sink: sink)
    }

    package var endpoint: MulticastEndpoint { sender.endpoint }
    var counters: TransmitterCounters { pump.counters }
    /// From a report to the moment the network had the first packet of its measure.
    var reportToSent: DeadlineReading { sink.reportToSent.reading() }
    /// What phones are shown.
    package var position: LivePosition? { shown.withLock { $0 } }

    /// Sends until the task is cancelled.
    package func send() async { await pump.run() }

    /// Ends the live position and the socket.
    package func close() async {
        pump.endLive()
        await sender.close()
    }

    /// The newest packet's count.
    package var count: UInt64 { pump.count }

    /// Counts on behind what another server may have sent.
    func raise(countTo count: UInt64) { pump.raise(countTo: count) }

    /// Shows a measure.
    /// - Parameter made: when it was decided; ``reportToSent`` counts from then.
    package func show(_ position: LivePosition, made: MonotonicInstant = MonotonicClock.now) {
        shown.withLock { $0 = position }
        sink.expect(position, made: made)
        pump.setPosition(position)
    }

    /// Nothing is live; what is on its way still leaves.
    package func endLive() {
        shown.withLock { $0 = nil }
        pump.endLive()
    }

    package func announce(_ message: PushMessage) { pump.announce(message) }

    package func withdrawMessage() { pump.withdrawMessage() }
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

    func send(_ datagram: Datagram) async throws {
        guard mayLeave() else { return }
        try await sender.send(datagram)
        let now = MonotonicClock.now
        guard case .measure(let packet) = datagram.packet else { return }
        expected.withLock { expected in
            guard let first = expected, first.position == packet.position else { return }
            reportToSent.record(from: first.made, to: now)
            expected = nil
        }
    }
}
