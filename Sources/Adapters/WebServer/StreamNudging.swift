import Glibc
import NIOCore

/// Lets TCP notice soon that a message was lost: short timers, and something small behind what nobody acknowledges.
///
/// A page turn is one packet with nothing behind it. Where that is lost, the system waits for its timer, 200 ms and more
/// beyond the time to and fro. A packet behind it that arrives is acknowledged with a hole before it, and the hole is
/// sent again at once. What is sent is a comment of the stream, which readers pass over; on a network that acknowledges
/// within ``patience`` nothing is sent at all. The timer itself is set shorter, and not doubled each time, where the
/// system lets us: Linux from 6.15 on, others keep theirs.
/// Source: RFC 2018 (SACK), RFC 8985 (RACK-TLP), linux/tcp.h.
///
/// Touched only on the connection's event loop.
final class StreamNudging {
    /// Longer than a reader that is well takes to acknowledge: Linux puts that off for up to 40 ms.
    private static let patience = TimeAmount.milliseconds(45)
    static let most = 3
    static let comment = ByteBuffer(string: "3\r\n:\n\n\r\n")

    /// TCP_THIN_LINEAR_TIMEOUTS, TCP_RTO_MIN_US; not in the C library's headers.
    private static let options: [(name: CInt, value: CInt)] = [(16, 1), (45, 80_000)]

    private let loop: any EventLoop
    private var pending: Scheduled<Void>?
    private var sent = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Shortens the system's timers where it lets us.
    static func hurry(_ channel: any Channel) {
        guard let socket = channel as? any SocketOptionProvider else { return }
        for option in options {
            socket.unsafeSetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: option.name), value: option.value
            ).whenFailure { _ in }
        }
    }

    /// - Parameters:
    ///   - unacknowledged: packets the other side has not spoken of.
    ///   - sent: nudges behind the newest message.
    static func isDue(unacknowledged: Int, sent: Int) -> Bool { unacknowledged > 0 && sent < most }

    /// Something was written.
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
                // It may have ended meanwhile.
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
