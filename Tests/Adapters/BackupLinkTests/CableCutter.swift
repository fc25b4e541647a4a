import NIOCore
import NIOPosix
import Synchronization

/// Lies between the two servers and cuts each connection after some bytes towards the backup, each a little later.
final class CableCutter: Sendable {
    private let listener: any Channel
    private let count: Counter
    let port: Int

    final class Counter: Sendable {
        let connections = Mutex(0)
    }

    var connections: Int { count.connections.withLock { $0 } }

    init(to port: Int, firstBytes: Int, moreBytes: Int) async throws {
        let counter = Counter()
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { near in
                let number = counter.connections.withLock { count in
                    count += 1
                    return count - 1
                }
                return near.eventLoop.makeCompletedFuture {
                    try near.pipeline.syncOperations.addHandler(
                        Plug(port: port, mostBytes: firstBytes + number * moreBytes))
                }
            }
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = listener.localAddress!.port!
        count = counter
    }

    func close() async { try? await listener.close() }
}

/// Connects the far end as soon as the near one is there, then lets bytes through.
private final class Plug: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    private let port: Int
    private let mostBytes: Int

    init(port: Int, mostBytes: Int) {
        self.port = port
        self.mostBytes = mostBytes
    }

    func channelActive(context: ChannelHandlerContext) {
        let near = context.channel
        let toBackup = NIOLoopBound(Wire(to: near, mostBytes: mostBytes), eventLoop: near.eventLoop)
        ClientBootstrap(group: near.eventLoop)
            .channelInitializer { far in
                far.eventLoop.makeCompletedFuture {
                    try far.pipeline.syncOperations.addHandler(toBackup.value)
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .flatMapThrowing { far in
                try near.pipeline.syncOperations.addHandler(Wire(to: far, mostBytes: .max))
            }
            .flatMap { near.setOption(.autoRead, value: true) }
            .whenFailure { _ in near.close(promise: nil) }
    }
}

private final class Wire: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    private var mostBytes: Int

    init(to other: any Channel, mostBytes: Int) {
        self.other = other
        self.mostBytes = mostBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let part = bytes.readSlice(length: min(bytes.readableBytes, mostBytes))!
        mostBytes -= part.readableBytes
        let written = other.writeAndFlush(part)
        guard mostBytes == 0 else { return }
        let near = context.channel
        written.whenComplete { [other] _ in
            other.close(promise: nil)
            near.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
}
