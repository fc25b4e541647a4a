import Basics
import Concert
import Following
import Hosting
import NetworkLinks
import Platform
import Score
import Synchronization

/// Sends the position and messages to phones as packets. It sends no packets while no position is live.
package final class PhonePacketSender: Sendable {
    private let transmitter: PositionPacketTransmitter<NetworkClock>
    private let sink: LatencyMeasuringSink
    private let multicastSender: MulticastSender
    private let shownPositionStorage = Mutex<LivePosition?>(nil)

    /// Opens the socket for packets.
    /// - Parameters:
    ///   - count: the number of the last packet that an earlier run may have sent; numbering continues after it.
    ///   - maySendPacket: called before each packet, which is sent only if it returns true.
    package init(
        endpoint: MulticastEndpoint, timeToLive: UInt8, rate: PacketRate,
        count: UInt64 = 0, maySendPacket: @escaping @Sendable () -> Bool = { true }
    ) async throws(ExplainedError) {
        multicastSender = try await MulticastSender(endpoint: endpoint, timeToLive: timeToLive)
        sink = LatencyMeasuringSink(multicastSender, maySendPacket: maySendPacket)
        transmitter = PositionPacketTransmitter(
            schedule: PacketSchedule(rate: rate, continuingFrom: count), sink: sink)
    }

    package var endpoint: MulticastEndpoint { multicastSender.endpoint }
    var transmitterCounters: PacketTransmissionCounters { transmitter.counters }
    /// The delay from a report to the sending of the first packet with its measure.
    var reportToPacketDelay: DeadlineStatistics { sink.reportToPacketDelayMeter.readStatistics() }
    /// The position that phones show.
    package var shownPosition: LivePosition? { shownPositionStorage.withLock { $0 } }

    /// Sends packets until the task is cancelled.
    package func sendPacketsUntilCancelled() async { await transmitter.run() }

    /// Ends the live position and closes the socket.
    package func close() async {
        transmitter.removeLivePosition()
        await multicastSender.close()
    }

    /// The number of the newest packet.
    package var newestPacketNumber: UInt64 { transmitter.newestPacketNumber }

    /// Raises the packet number above all numbers that another server may have used.
    func raisePacketNumber(to count: UInt64) { transmitter.raisePacketNumber(countTo: count) }

    /// Sends a position in all packets from now on.
    /// - Parameter made: the time of the report that led to the position, from which ``reportToPacketDelay`` is
    ///   measured.
    package func showPosition(_ position: LivePosition, made: MonotonicInstant = MonotonicClock.now) {
        shownPositionStorage.withLock { $0 = position }
        sink.awaitFirstPacket(position, made: made)
        transmitter.setLivePosition(position)
    }

    /// Ends the live position; packets that are already queued are still sent.
    package func endLive() {
        shownPositionStorage.withLock { $0 = nil }
        transmitter.removeLivePosition()
    }

    package func announce(_ message: PushMessage) { transmitter.sendPushMessage(message) }

    package func withdrawMessage() { transmitter.withdrawPushMessage() }
}

/// Sends packets and measures the delay of the first packet of each measure.
private final class LatencyMeasuringSink: DatagramSink {
    let reportToPacketDelayMeter = DeadlineMeter(limit: .milliseconds(20))
    private let multicastSender: MulticastSender
    private let maySendPacket: @Sendable () -> Bool
    private let awaitedPosition = Mutex<(position: LivePosition, made: MonotonicInstant)?>(nil)

    init(_ sender: MulticastSender, maySendPacket: @escaping @Sendable () -> Bool) {
        self.multicastSender = sender
        self.maySendPacket = maySendPacket
    }

    func awaitFirstPacket(_ position: LivePosition, made: MonotonicInstant) {
        awaitedPosition.withLock { $0 = (position, made) }
    }

    func send(_ datagram: Datagram) async throws {
        guard maySendPacket() else { return }
        try await multicastSender.send(datagram)
        let now = MonotonicClock.now
        guard case .measure(let packet) = datagram.packet else { return }
        awaitedPosition.withLock { expected in
            guard let first = expected, first.position == packet.position else { return }
            reportToPacketDelayMeter.recordHop(from: first.made, to: now)
            expected = nil
        }
    }
}
