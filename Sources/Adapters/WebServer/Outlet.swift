import NIOCore
import NIOHTTP1

/// A place in a connection's pipeline from which events are written, below the HTTP encoder and without a task that
/// must wake.
///
/// Stands between the encoder, which has sent the head before, and the socket (or TLS). Subclasses say what is
/// written, in ``tell()``.
///
/// @unchecked: everything that changes is touched only on the connection's event loop.
class Outlet: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    let loop: any EventLoop
    /// Nil while it does not stand in the pipeline.
    private(set) var context: ChannelHandlerContext?
    private var ended: EventLoopPromise<Void>?
    private var isEnded = false

    init(on loop: any EventLoop) { self.loop = loop }

    // MARK: What subclasses say

    /// Bytes that wait for the socket before the connection is passed over.
    var mostWaiting: ChannelOptions.Types.WriteBufferWaterMark { .init(low: 2_048, high: 8_192) }

    /// Writes what there is, as far as the connection takes it.
    func tell() {}

    /// It stands in the pipeline now; ``tell()`` comes next.
    func began(_ channel: any Channel) {}

    /// It has left the pipeline.
    func left() {}

    // MARK: From beginning to end

    /// Tells until there is nothing more, the other side leaves, or the task is cancelled; then the body may be ended.
    func serve(_ channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await loop.flatSubmit { self.begin(channel) }.get()
        } onCancel: {
            loop.execute { self.end() }
        }
    }

    /// The same for one who may not stay for ever.
    /// - Parameter mayStay: ends it when the reader's rights end; nil where everybody may.
    func serve(_ channel: any Channel, while mayStay: StayRule?) async throws {
        guard let mayStay else { return try await serve(channel) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.serve(channel) }
            group.addTask { try await mayStay.untilOver() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func begin(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard !isEnded else { return loop.makeSucceededVoidFuture() }
        let pipeline = channel.pipeline.syncOperations
        let promise = loop.makePromise(of: Void.self)
        ended = promise
        do {
            let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
            try pipeline.addHandler(self, position: .before(encoder))
        } catch {
            ended = nil
            promise.fail(error)
        }
        return promise.futureResult
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
        try? options?.setOption(.writeBufferWaterMark, value: mostWaiting)
        // Nothing is heard from the other side any more: the buffers it was heard with are given back.
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        began(context.channel)
        tell()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        left()
        ended?.succeed()
        ended = nil
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        tell()
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
