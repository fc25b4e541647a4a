import NIOCore
import NIOHTTP1

/// A handler in a connection's pipeline that writes events, below the HTTP encoder and without a task that must wake
/// up.
///
/// It is between the encoder, which has already sent the head, and the socket (or TLS). Subclasses write the data in
/// ``tell()``.
///
/// @unchecked: mutable state is touched only on the connection's event loop.
class StreamWriter: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    let loop: any EventLoop
    /// Nil while it is not in the pipeline.
    private(set) var context: ChannelHandlerContext?
    private var ended: EventLoopPromise<Void>?
    private var isEnded = false

    init(on loop: any EventLoop) { self.loop = loop }

    // MARK: What subclasses say

    /// Bytes that may wait for the socket before the connection is skipped.
    var mostWaiting: ChannelOptions.Types.WriteBufferWaterMark { .init(low: 2_048, high: 8_192) }

    /// Writes the available data, as far as the connection accepts it.
    func tell() {}

    /// Called when it was added to the pipeline; ``tell()`` follows.
    func began(_ channel: any Channel) {}

    /// Called when it was removed from the pipeline.
    func left() {}

    // MARK: From beginning to end

    /// Writes until there is nothing more, the other side disconnects, or the task is cancelled; then the body may be
    /// ended.
    func serve(_ channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await loop.flatSubmit { self.begin(channel) }.get()
        } onCancel: {
            loop.execute { self.end() }
        }
    }

    /// Like ``serve(_:)``, for a reader whose rights may end.
    /// - Parameter mayStay: ends the stream when the reader's rights end; nil if everybody may read it.
    func serve(_ channel: any Channel, while mayStay: ReadPermission?) async throws {
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
        // No more data is expected from the other side, so the read buffers are released.
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
        // A closed input means that the reader has gone: browsers never close one side only.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        end()
    }
}
