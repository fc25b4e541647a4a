import Glibc
import NIOCore

/// Makes TCP detect a lost message sooner, with short timers, and with a small packet after an unacknowledged
/// message.
///
/// A page turn is one packet with nothing after it. If it is lost, the system waits for its timer, 200 ms and more
/// beyond the round trip. If a later packet arrives, its acknowledgement reports the missing one, which is sent again
/// at once. The extra packet is a comment of the event stream, which readers ignore; on a network that acknowledges
/// within ``patience``, none is sent. In addition the retransmission timer is shortened, and not doubled each time,
/// if the system supports it (Linux 6.15 and later). Source: RFC 2018 (SACK), RFC 8985 (RACK-TLP), linux/tcp.h.
///
/// Touched only on the connection's event loop.
final class TailLossProbe {
    /// The time without an acknowledgement after which a small packet is sent. Healthy readers are faster: Linux
    /// delays acknowledgements by up to 40 ms.
    private static let patience = TimeAmount.milliseconds(45)
    static let most = 3
    static let comment = ByteBuffer(string: "3\r\n:\n\n\r\n")

    /// TCP_THIN_LINEAR_TIMEOUTS, TCP_RTO_MIN_US; the C library's headers lack them.
    private static let options: [(name: CInt, value: CInt)] = [(16, 1), (45, 80_000)]

    private let loop: any EventLoop
    private var pending: Scheduled<Void>?
    private var sent = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Shortens the system's retransmission timers if it supports that.
    static func hurry(_ channel: any Channel) {
        guard let socket = channel as? any SocketOptionProvider else { return }
        for option in options {
            socket.unsafeSetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: option.name), value: option.value
            ).whenFailure { _ in }
        }
    }

    /// True if another small packet should be sent.
    /// - Parameters:
    ///   - unacknowledged: packets that the other side has not acknowledged.
    ///   - sent: small packets sent since the newest message.
    static func isDue(unacknowledged: Int, sent: Int) -> Bool { unacknowledged > 0 && sent < most }

    /// Starts the timer after a message was written.
    func begin(_ context: ChannelHandlerContext) {
        sent = 0
        guard pending == nil, let socket = context.channel as? any SocketOptionProvider else { return }
        wait(context, socket)
    }

    func end() {
        pending?.cancel()
        pending = nil
    }

    private func wait(_ context: ChannelHandlerContext, _ socket: any SocketOptionProvider) {
        let context = NIOLoopBound(context, eventLoop: loop)
        let this = NIOLoopBound(self, eventLoop: loop)
        pending = loop.scheduleTask(in: Self.patience) {
            this.value.look(context, socket)
        }
    }

    private func look(
        _ context: NIOLoopBound<ChannelHandlerContext>, _ socket: any SocketOptionProvider
    ) {
        let this = NIOLoopBound(self, eventLoop: loop)
        socket.unsafeGetSocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_INFO))
            .assumeIsolated()
            .whenComplete { (answer: Result<tcp_info, any Error>) in
                let this = this.value
                // The connection may have ended in the meantime.
                guard this.pending != nil else { return }
                this.pending = nil
                guard case .success(let state) = answer,
                    Self.isDue(unacknowledged: Int(state.tcpi_unacked), sent: this.sent),
                    context.value.channel.isWritable
                else { return }
                this.sent += 1
                context.value.writeAndFlush(NIOAny(Self.comment), promise: nil)
                this.wait(context.value, socket)
            }
    }
}
