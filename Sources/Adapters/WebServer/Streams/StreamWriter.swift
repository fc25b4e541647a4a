import NIOCore
import NIOHTTP1

/// A handler in a connection's pipeline that writes a stream of events directly to the connection, so that no task has
/// to wake up for it.
///
/// Its position is between the HTTP encoder, which has already sent the response head, and the socket or TLS.
/// Subclasses write their data in ``writeAvailableData()``.
///
/// @unchecked Sendable: its mutable state is used only on the connection's event loop.
class StreamWriter: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    let loop: any EventLoop
    /// Written before each part if several streams share the connection; nil if the stream has it for itself.
    private let label: StreamLabel?
    /// The handler's context in the pipeline; nil while the handler is not in the pipeline.
    private(set) var context: ChannelHandlerContext?
    private var endPromise: EventLoopPromise<Void>?
    private var isEnded = false

    init(on loop: any EventLoop, label: StreamLabel? = nil) {
        self.loop = loop
        self.label = label
    }

    /// Writes a chunk of the HTTP body, without flushing.
    final func writeChunk(_ chunk: ByteBuffer) {
        guard let context else { return }
        if let label { context.write(NIOAny(label.begin), promise: nil) }
        context.write(NIOAny(chunk), promise: nil)
    }

    // MARK: Overridden by subclasses

    /// The number of bytes that may wait for the socket before the connection counts as accepting no more data.
    var writeBufferLimits: ChannelOptions.Types.WriteBufferWaterMark { .init(low: 2_048, high: 8_192) }

    /// True if a client that closes its direction counts as gone. Browsers never close only one direction.
    var endsWhenInputCloses: Bool { true }

    /// Writes the available data, as far as the connection accepts it. Subclasses override it.
    func writeAvailableData() {}

    /// Called when the handler was added to the pipeline; a call of ``writeAvailableData()`` follows.
    func didJoinPipeline(_ channel: any Channel) {}

    /// Called when the handler was removed from the pipeline.
    func didLeavePipeline() {}

    // MARK: Beginning and ending

    /// Writes the stream until it ends, the client disconnects, or the task is cancelled. Afterwards the caller may end
    /// the response body.
    func writeUntilEnd(_ channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await loop.flatSubmit { self.joinPipeline(channel) }.get()
        } onCancel: {
            loop.execute { self.end() }
        }
    }

    /// Writes the stream like ``writeUntilEnd(_:)``, but also ends it when its reader loses the right to read it.
    /// - Parameter mayStay: decides about that right; nil if everybody may read the stream.
    func writeUntilEnd(_ channel: any Channel, while mayStay: ReadPermission?) async throws {
        guard let mayStay else { return try await writeUntilEnd(channel) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.writeUntilEnd(channel) }
            group.addTask { try await mayStay.waitUntilEnded() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func joinPipeline(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard !isEnded else { return loop.makeSucceededVoidFuture() }
        let pipeline = channel.pipeline.syncOperations
        let promise = loop.makePromise(of: Void.self)
        endPromise = promise
        do {
            let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
            try pipeline.addHandler(self, position: .before(encoder))
        } catch {
            endPromise = nil
            promise.fail(error)
        }
        return promise.futureResult
    }

    func end() {
        isEnded = true
        guard let context else { return }
        if let label { context.writeAndFlush(NIOAny(label.end), promise: nil) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    // MARK: Called by the pipeline

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let options = context.channel.syncOptions
        try? options?.setOption(.writeBufferWaterMark, value: writeBufferLimits)
        // The client will send no more data, so large read buffers are not needed.
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        didJoinPipeline(context.channel)
        writeAvailableData()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        didLeavePipeline()
        endPromise?.succeed()
        endPromise = nil
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeAvailableData()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if endsWhenInputCloses, case ChannelEvent.inputClosed? = event as? ChannelEvent { end() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        end()
    }
}
