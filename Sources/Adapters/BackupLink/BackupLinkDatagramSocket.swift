import NIOCore
import NIOPosix

/// The link's datagram socket. It is opened again whenever the network closes it.
final class BackupLinkDatagramSocket: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private unowned let sharedLinkState: BackupLinkSharedState

    private init(sharedLinkState: BackupLinkSharedState) { self.sharedLinkState = sharedLinkState }

    /// Opens the socket on the link's thread.
    static func open(for sharedLinkState: BackupLinkSharedState, host: String, port: Int) async throws
        -> any Channel
    {
        let channel = try await makeBootstrap(sharedLinkState).bind(host: host, port: port).get()
        useUntilClosed(channel, sharedLinkState, host: host, port: channel.localAddress?.port ?? port)
        return channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        sharedLinkState.handleDatagram(Array(envelope.data.readableBytesView), from: envelope.remoteAddress)
    }

    /// Ignores the error, which loses one datagram only.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    private static func makeBootstrap(_ sharedLinkState: BackupLinkSharedState) -> DatagramBootstrap {
        DatagramBootstrap(group: sharedLinkState.eventLoop)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            // The buffer has one byte more than the limit, so that a longer datagram is recognised.
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(
                    capacity: BackupDatagramAuthenticator.mostDatagramBytes + 1)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        BackupLinkDatagramSocket(sharedLinkState: sharedLinkState))
                }
            }
    }

    private static func useUntilClosed(
        _ channel: any Channel, _ sharedLinkState: BackupLinkSharedState, host: String, port: Int
    ) {
        sharedLinkState.eventLoop.execute { sharedLinkState.useDatagramChannel(channel) }
        channel.closeFuture.whenComplete { _ in reopen(sharedLinkState, host: host, port: port) }
    }

    private static func reopen(_ sharedLinkState: BackupLinkSharedState, host: String, port: Int) {
        guard !sharedLinkState.isClosed else { return }
        sharedLinkState.eventLoop.scheduleTask(in: .milliseconds(200)) {
            guard !sharedLinkState.isClosed else { return }
            makeBootstrap(sharedLinkState).bind(host: host, port: port).whenComplete { result in
                switch result {
                case .success(let channel): useUntilClosed(channel, sharedLinkState, host: host, port: port)
                case .failure: reopen(sharedLinkState, host: host, port: port)
                }
            }
        }
    }
}
