import NIOCore
import NIOHTTP1

/// Writes a hub's events straight to one connection, below the HTTP encoder and without a task that must wake.
///
/// Stands in the pipeline between the encoder, which has sent the head and the snapshot before, and the socket (or
/// TLS); the chunks it writes are framed once for all listeners. A connection that takes nothing more is passed over
/// until it does, and then gets what is newest.
///
/// @unchecked: everything that changes is touched only on the connection's event loop.
final class EventOutlet: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    /// Bytes that wait for the socket before the connection is passed over.
    private static let mostWaiting = ChannelOptions.Types.WriteBufferWaterMark(low: 2_048, high: 8_192)

    /// Where it stands in its row.
    var index = 0
    private let hub: EventHub
    private let row: EventRow
    private var seen: UInt64
    private var context: ChannelHandlerContext?
    private var ended: EventLoopPromise<Void>?
    private var isEnded = false

    init(hub: EventHub, seat: EventHub.Seat) {
        self.hub = hub
        row = seat.row
        seen = seat.seen
    }

    /// Tells news until the hub closes, the other side leaves, or the task is cancelled; then the body may be ended.
    func serve(_ channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await row.loop.flatSubmit { self.begin(channel) }.get()
        } onCancel: {
            row.loop.execute { self.end() }
        }
    }

    private func begin(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard !isEnded else { return row.loop.makeSucceededVoidFuture() }
        let pipeline = channel.pipeline.syncOperations
        do {
            let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
            let promise = row.loop.makePromise(of: Void.self)
            ended = promise
            do {
                try pipeline.addHandler(self, position: .before(encoder))
            } catch {
                ended = nil
                promise.fail(error)
            }
            return promise.futureResult
        } catch {
            return row.loop.makeFailedFuture(error)
        }
    }

    /// - Parameter known: what others were told just now.
    /// - Returns: what this one was told.
    func tell(_ known: EventHub.News?) -> EventHub.News? {
        guard let context, context.channel.isWritable else { return known }
        let news = known.flatMap { $0.after == seen ? $0 : nil } ?? hub.news(after: seen)
        seen = news.upTo
        if let chunk = news.chunk { context.writeAndFlush(NIOAny(chunk), promise: nil) }
        return news
    }

    func end() {
        isEnded = true
        guard let context else { return }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    // MARK: The pipeline's calls

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let options = context.channel.syncOptions
        try? options?.setOption(.writeBufferWaterMark, value: Self.mostWaiting)
        // Nothing is heard from a listener any more: the buffers it was heard with are given back.
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        row.add(self)
        // What was published since the snapshot.
        _ = tell(nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        row.remove(self)
        ended?.succeed()
        ended = nil
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        _ = tell(nil)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        // Who says nothing more has gone: browsers never close one side only.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        end()
    }
}
