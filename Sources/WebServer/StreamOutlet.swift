import NIOCore
import NIOHTTP1

/// Writes a personal stream to its connection, on the connection's event loop and below the HTTP encoder.
///
/// Stands in the pipeline between the encoder, which has sent the head before, and the socket (or TLS).
///
/// @unchecked: everything that changes is touched only on the connection's event loop.
final class StreamOutlet: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    /// Bytes that wait for the socket before the connection is passed over.
    private static let mostWaiting = ChannelOptions.Types.WriteBufferWaterMark(low: 16_384, high: 65_536)
    /// After so many connections whoever else waits for the loop has a turn.
    private static let atOnce = 64

    let loop: any EventLoop
    private let stream: PersonalStream
    private var context: ChannelHandlerContext?
    private var ended: EventLoopPromise<Void>?
    private var isEnded = false
    private lazy var nudging = StreamNudging(loop)

    init(_ stream: PersonalStream, on loop: any EventLoop) {
        self.stream = stream
        self.loop = loop
    }

    /// Tells until the stream ends, the other side leaves, or the task is cancelled; then the body may be ended.
    func serve(_ channel: any Channel) async throws {
        try await withTaskCancellationHandler {
            try await loop.flatSubmit { self.begin(channel) }.get()
        } onCancel: {
            loop.execute { self.end() }
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

    /// From any thread.
    func ring() { loop.execute { self.tell() } }

    /// One call of each event loop, whatever the number of connections. From any thread.
    static func ring(_ outlets: [StreamOutlet]) {
        guard let first = outlets.first else { return }
        guard outlets.contains(where: { $0.loop !== first.loop }) else { return tell(outlets[...]) }
        for (_, row) in Dictionary(grouping: outlets, by: { ObjectIdentifier($0.loop) }) { tell(row[...]) }
    }

    private static func tell(_ row: ArraySlice<StreamOutlet>) {
        guard let first = row.first else { return }
        first.loop.execute {
            for outlet in row.prefix(atOnce) { outlet.tell() }
            tell(row.dropFirst(atOnce))
        }
    }

    private func tell() {
        guard let context else { return }
        var hasWritten = false
        while true {
            // What a connection takes no more of waits in the stream, where it is counted.
            guard context.channel.isWritable || stream.isTooSlow else { break }
            switch stream.take() {
            case .frames(let frames):
                for frame in frames { context.write(NIOAny(frame.chunk), promise: nil) }
                hasWritten = true
                continue
            case .nothing: break
            case .end:
                if hasWritten { context.flush() }
                return end()
            case .tooSlow:
                context.channel.close(mode: .all, promise: nil)
                return
            }
            break
        }
        guard hasWritten else { return }
        context.flush()
        nudging.begin(context)
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
        // Nothing is heard from the reader any more: the buffers it was heard with are given back.
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        // A page turn is small and must not wait for the answer to the one before.
        try? options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        StreamNudging.hurry(context.channel)
        tell()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        nudging.end()
        stream.end()
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
