import Glibc
import NIOCore

/// Closes a connection whose client accepts no data for too long, or whose client has disappeared.
///
/// Sleeping phones, closed laptops and pulled cables would otherwise each occupy a file descriptor and a stream until
/// the system gives up, a quarter of an hour later.
final class SlowReaderTimeout: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let stallTimeLimit: TimeAmount
    private var scheduledClose: Scheduled<Void>?

    init(stallTimeLimit: Duration) { self.stallTimeLimit = TimeAmount(stallTimeLimit) }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: ConnectionBuffers.waterMark)
        // The system's own timeout for unacknowledged bytes. Tests run without a socket.
        let milliseconds = CInt(clamping: stallTimeLimit.nanoseconds / 1_000_000)
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        socket.unsafeSetSocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT), value: milliseconds
        ).whenFailure { _ in }
        socket.unsafeSetSocketOption(level: .socket, name: .so_keepalive, value: CInt(1)).whenFailure { _ in }
    }

    func handlerRemoved(context: ChannelHandlerContext) { scheduledClose?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        scheduledClose?.cancel()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        scheduledClose?.cancel()
        scheduledClose = nil
        if !context.channel.isWritable {
            let channel = context.channel
            scheduledClose = context.eventLoop.scheduleTask(in: stallTimeLimit) {
                channel.close(mode: .all, promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }
}

/// The memory of a connection for data that its client has not accepted.
enum ConnectionBuffers {
    /// The numbers of waiting bytes above which no further response is written, and below which one is written again.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 4_096, high: 16_384)
}
