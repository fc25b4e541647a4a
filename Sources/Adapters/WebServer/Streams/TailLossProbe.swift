import Glibc
import NIOCore

/// Makes TCP notice a lost message sooner. It shortens the retransmission timers, and sends a small packet after a
/// message that was not acknowledged.
///
/// A page turn is often one packet with none after it. If this packet is lost, the system resends it only when its
/// timer runs out, 200 ms or more after the round trip. But if another packet follows, the client's acknowledgement
/// of the other packet reports the missing one, and the system resends it at once. So a small packet is sent, a
/// comment of the event stream, which clients ignore. It is not needed on a network that acknowledges within
/// ``acknowledgementTimeout``.
///
/// If the system supports it (Linux 6.15 and later), the retransmission timer is also shortened, and not doubled after
/// each attempt. Source: RFC 2018 (SACK), RFC 8985 (RACK-TLP), linux/tcp.h.
///
/// Used only on the connection's event loop.
final class TailLossProbe {
    /// The time to wait for an acknowledgement before a small packet is sent. Healthy clients are faster: Linux delays
    /// acknowledgements by at most 40 ms.
    private static let acknowledgementTimeout = TimeAmount.milliseconds(45)
    static let mostProbes = 3
    static let probeBytes = ByteBuffer(string: "3\r\n:\n\n\r\n")

    /// The socket options TCP_THIN_LINEAR_TIMEOUTS and TCP_RTO_MIN_US with their values; the C library's headers lack
    /// them.
    private static let retransmissionTimerOptions: [(name: CInt, value: CInt)] = [(16, 1), (45, 80_000)]

    private let loop: any EventLoop
    private var pendingProbe: Scheduled<Void>?
    private var sentProbeCount = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Shortens the system's retransmission timers of a connection, if the system supports that.
    static func shortenRetransmissionTimers(_ channel: any Channel) {
        guard let socket = channel as? any SocketOptionProvider else { return }
        for option in retransmissionTimerOptions {
            socket.unsafeSetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: option.name), value: option.value
            ).whenFailure { _ in }
        }
    }

    /// True if a small packet should be sent now.
    /// - Parameters:
    ///   - unacknowledged: the number of packets that the client has not acknowledged.
    ///   - sent: the number of small packets sent since the newest message.
    static func isDue(unacknowledged: Int, sent: Int) -> Bool { unacknowledged > 0 && sent < mostProbes }

    /// Starts to wait for the acknowledgement of a message that was just written.
    func awaitAcknowledgement(_ context: ChannelHandlerContext) {
        sentProbeCount = 0
        guard pendingProbe == nil, let socket = context.channel as? any SocketOptionProvider else { return }
        scheduleProbe(context, socket)
    }

    func cancelProbe() {
        pendingProbe?.cancel()
        pendingProbe = nil
    }

    private func scheduleProbe(_ context: ChannelHandlerContext, _ socket: any SocketOptionProvider) {
        let context = NIOLoopBound(context, eventLoop: loop)
        let this = NIOLoopBound(self, eventLoop: loop)
        pendingProbe = loop.scheduleTask(in: Self.acknowledgementTimeout) {
            this.value.probeIfUnacknowledged(context, socket)
        }
    }

    private func probeIfUnacknowledged(
        _ context: NIOLoopBound<ChannelHandlerContext>, _ socket: any SocketOptionProvider
    ) {
        let this = NIOLoopBound(self, eventLoop: loop)
        socket.unsafeGetSocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_INFO))
            .assumeIsolated()
            .whenComplete { (answer: Result<tcp_info, any Error>) in
                let this = this.value
                // The connection may have ended in the meantime.
                guard this.pendingProbe != nil else { return }
                this.pendingProbe = nil
                guard case .success(let state) = answer,
                    Self.isDue(unacknowledged: Int(state.tcpi_unacked), sent: this.sentProbeCount),
                    context.value.channel.isWritable
                else { return }
                this.sentProbeCount += 1
                context.value.writeAndFlush(NIOAny(Self.probeBytes), promise: nil)
                this.scheduleProbe(context.value, socket)
            }
    }
}
