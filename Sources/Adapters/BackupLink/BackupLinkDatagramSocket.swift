import NIOCore
import NIOPosix

/// The link's datagram socket. It is opened again whenever the network closes it.
final class BackupLinkDatagramSocket: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private unowned let core: BackupLinkCore

    private init(core: BackupLinkCore) { self.core = core }

    /// Opens the socket on the link's thread.
    static func open(for core: BackupLinkCore, host: String, port: Int) async throws -> any Channel {
        let channel = try await makeBootstrap(core).bind(host: host, port: port).get()
        useUntilClosed(channel, core, host: host, port: channel.localAddress?.port ?? port)
        return channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        core.handleDatagram(Array(envelope.data.readableBytesView), from: envelope.remoteAddress)
    }

    /// Ignores the error, which loses one datagram only.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private static func makeBootstrap(_ core: BackupLinkCore) -> DatagramBootstrap {
        DatagramBootstrap(group: core.eventLoop)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            // The buffer has one byte more than the limit, so that a longer datagram is recognised.
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(
                    capacity: BackupDatagramAuthenticator.mostDatagramBytes + 1)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BackupLinkDatagramSocket(core: core))
                }
            }
    }

    private static func useUntilClosed(
        _ channel: any Channel, _ core: BackupLinkCore, host: String, port: Int
    ) {
        core.eventLoop.execute { core.useDatagramChannel(channel) }
        channel.closeFuture.whenComplete { _ in reopen(core, host: host, port: port) }
    }

    private static func reopen(_ core: BackupLinkCore, host: String, port: Int) {
        guard !core.isClosed else { return }
        core.eventLoop.scheduleTask(in: .milliseconds(200)) {
            guard !core.isClosed else { return }
            makeBootstrap(core).bind(host: host, port: port).whenComplete { result in
                switch result {
                case .success(let channel): useUntilClosed(channel, core, host: host, port: port)
                case .failure: reopen(core, host: host, port: port)
                }
            }
        }
    }
}
