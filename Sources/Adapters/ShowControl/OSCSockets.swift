import Glibc
import NIOCore
import NIOPosix

extension OSCServerCore {
    func bindUDP(_ endpoint: OSCEndpoint) async throws -> any Channel {
        // The buffer has one word more than the limit, so that a longer packet is recognised.
        let room = FixedSizeRecvByteBufferAllocator(capacity: settings.limits.packetBytes + 4)
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: room)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OSCDatagramHandler(core: self))
                }
            }
            .bind(host: endpoint.host, port: endpoint.port).get()
        remember(datagramSocket: channel)
        return channel
    }

    func bindTCP(_ endpoint: OSCEndpoint) async throws -> any Channel {
        let most = settings.mostUnsentBytesPerConnection
        let marks = ChannelOptions.Types.WriteBufferWaterMark(low: most / 2, high: most)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: marks)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let peer = self.registerConnection(channel) else {
                        channel.close(promise: nil)
                        return
                    }
                    channel.closeFuture.whenComplete { _ in self.unregisterConnection(peer) }
                    try channel.pipeline.syncOperations.addHandler(OSCStreamHandler(core: self, peer: peer))
                }
            }
            .bind(host: endpoint.host, port: endpoint.port).get()
    }
}

/// Receives the datagrams of a socket; an answer goes to the port from which the datagram came.
private final class OSCDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let core: OSCServerCore

    init(core: OSCServerCore) { self.core = core }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let remote = envelope.remoteAddress
        let channel = context.channel
        let peer = OSCPeer(address: remote.numericAddressText, port: remote.port ?? 0, transport: .udp)
        core.receivePacket(Array(envelope.data.readableBytesView), from: peer) { bytes in
            guard channel.isWritable else { return }
            channel.writeAndFlush(
                AddressedEnvelope(remoteAddress: remote, data: ByteBuffer(bytes: bytes)), promise: nil)
        }
    }

    /// Ignores errors: an answer to a port where nobody listens any more comes back as an error, but the socket stays
    /// usable.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Receives the SLIP frames of one TCP connection.
private final class OSCStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let core: OSCServerCore
    private let peer: OSCPeer
    private var slipReader: SLIPReader

    init(core: OSCServerCore, peer: OSCPeer) {
        self.core = core
        self.peer = peer
        slipReader = SLIPReader(maximumFrameBytes: core.settings.limits.packetBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = context.channel
        let hub = core
        let answer: OSCServerCore.ReplySender = { bytes in _ = hub.writeToConnection(bytes, to: channel) }
        for result in slipReader.readFrames(in: unwrapInboundIn(data).readableBytesView) {
            switch result {
            case .success(let frame): hub.receivePacket(frame, from: peer, answer: answer)
            case .failure(let fault): hub.refuseFrame(fault, from: peer, answer: answer)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension SocketAddress {
    var numericAddressText: String { Optional(self).numericIPText }
}
