import NIOCore
import NIOPosix

/// The link's datagram socket. It is opened again whenever the network closes it.
final class LinkDatagramSocket: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private unowned let core: LinkCore

    private init(core: LinkCore) { self.core = core }

    /// Opens the socket on the link's thread.
    static func open(for core: LinkCore, host: String, port: Int) async throws -> any Channel {
        let channel = try await bootstrap(core).bind(host: host, port: port).get()
        useUntilClosed(channel, core, host: host, port: channel.localAddress?.port ?? port)
        return channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        core.handleDatagram(Array(envelope.data.readableBytesView), from: envelope.remoteAddress)
    }

    /// Ignores the error, which loses one datagram only.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private static func bootstrap(_ core: LinkCore) -> DatagramBootstrap {
        DatagramBootstrap(group: core.loop)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            // The buffer has one byte more than the limit, so that a longer datagram is recognised.
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: DatagramAuthenticator.mostBytes + 1)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LinkDatagramSocket(core: core))
                }
            }
    }

    private static func useUntilClosed(_ channel: any Channel, _ core: LinkCore, host: String, port: Int) {
        core.loop.execute { core.useDatagramChannel(channel) }
        channel.closeFuture.whenComplete { _ in reopen(core, host: host, port: port) }
    }

    private static func reopen(_ core: LinkCore, host: String, port: Int) {
        guard !core.isClosed else { return }
        core.loop.scheduleTask(in: .milliseconds(200)) {
            guard !core.isClosed else { return }
            bootstrap(core).bind(host: host, port: port).whenComplete { result in
                switch result {
                case .success(let channel): useUntilClosed(channel, core, host: host, port: port)
                case .failure: reopen(core, host: host, port: port)
                }
            }
        }
    }
}
