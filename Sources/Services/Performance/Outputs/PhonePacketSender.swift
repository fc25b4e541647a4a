import Concert
import Following
import Hosting
import Multicast
import RealTime
import Score
import Synchronization

/// Sends the position and messages to phones as packets. It sends no packets while no position is live.
package final class PhonePacketSender: Sendable {
    private let transmitter: PacketTransmitter<NetworkClock>
    private let sink: LatencyMeasuringSink
    private let sender: MulticastSender
    private let shown = Mutex<LivePosition?>(nil)

    /// Opens the socket for packets.
    /// - Parameters:
    ///   - count: the number of the last packet that an earlier run may have sent; numbering continues after it.
    ///   - maySendPacket: called before each packet, which is sent only if it returns true.
    package init(
        endpoint: MulticastEndpoint, timeToLive: UInt8, rate: PacketRate,
        count: UInt64 = 0, maySendPacket: @escaping @Sendable () -> Bool = { true }
    ) async throws(MulticastError) {
        sender = try await MulticastSender(endpoint: endpoint, timeToLive: timeToLive)
        sink = LatencyMeasuringSink(sender, maySendPacket: maySendPacket)
        transmitter = PacketTransmitter(
            schedule: PacketSchedule(rate: rate, continuingFrom: count), sink: sink)
    }

    package var endpoint: MulticastEndpoint { sender.endpoint }
    var counters: TransmitterCounters { transmitter.counters }
    /// The delay from a report to the sending of the first packet with its measure.
    var reportToSent: DeadlineReading { sink.reportToSent.reading() }
    /// The position that phones show.
    package var position: LivePosition? { shown.withLock { $0 } }

    /// Sends packets until the task is cancelled.
    package func send() async { await transmitter.run() }

    /// Ends the live position and closes the socket.
    package func close() async {
        transmitter.endLive()
        await sender.close()
    }

    /// The number of the newest packet.
    package var newestPacketNumber: UInt64 { transmitter.packetCount }

    /// Raises the packet number above those that another server may have used.
    func raisePacketNumber(to count: UInt64) { transmitter.raise(countTo: count) }

    /// Sends a position in all packets from now on.
    /// - Parameter made: the time of the report that led to the position, from which ``reportToSent`` is measured.
    package func showPosition(_ position: LivePosition, made: MonotonicInstant = MonotonicClock.now) {
        shown.withLock { $0 = position }
        sink.awaitFirstPacket(position, made: made)
        transmitter.setPosition(position)
    }

    /// Ends the live position; packets that are already queued are still sent.
    package func endLive() {
        shown.withLock { $0 = nil }
        transmitter.endLive()
    }

    package func announce(_ message: PushMessage) { transmitter.announce(message) }

    package func withdrawMessage() { transmitter.withdrawMessage() }
}

/// Sends packets and measures the delay of the first packet of each measure.
private final class LatencyMeasuringSink: DatagramSink {
    let reportToSent = DeadlineMeter(limit: .milliseconds(20))
    private let sender: MulticastSender
    private let maySendPacket: @Sendable () -> Bool
    private let awaitedPosition = Mutex<(position: LivePosition, made: MonotonicInstant)?>(nil)

    init(_ sender: MulticastSender, maySendPacket: @escaping @Sendable () -> Bool) {
        self.sender = sender
        self.maySendPacket = maySendPacket
    }

    func awaitFirstPacket(_ position: LivePosition, made: MonotonicInstant) {
        awaitedPosition.withLock { $0 = (position, made) }
    }

    func send(_ datagram: Datagram) async throws {
        guard maySendPacket() else { return }
        try await sender.send(datagram)
        let now = MonotonicClock.now
        guard case .measure(let packet) = datagram.packet else { return }
        awaitedPosition.withLock { expected in
            guard let first = expected, first.position == packet.position else { return }
            reportToSent.record(from: first.made, to: now)
            expected = nil
        }
    }
}
