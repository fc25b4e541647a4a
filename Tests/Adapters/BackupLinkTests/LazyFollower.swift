import NIOCore
import NIOPosix

@testable import BackupLink

/// Proves the key, asks for the log, and reads nothing any more.
final class LazyFollower: Sendable {
    private let channel: any Channel

    init(port: Int) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LazyHandler())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func close() async { try? await channel.close() }
}

private final class LazyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var session = BackupLinkSession(
        side: .dialling, key: OneServer.key, challenge: [UInt8](repeating: 3, count: 16))

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for event in session.receive(unwrapInboundIn(data).readableBytesView) {
            switch event {
            case .send(let bytes):
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            case .authenticated:
                let ask = session.sign(.requestLog(sequence: 0, digest: "-"))
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: ask)), promise: nil)
                context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
            case .frame, .refused: break
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {}
}
