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

/// Receives the packets of one TCP connection, and frames its answers as the sender frames its packets. What is no OSC
/// ends the connection.
private final class OSCStreamHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time for the last answers to leave before the connection is closed.
    private static let farewellTime = TimeAmount.milliseconds(250)

    private let core: OSCServerCore
    private let peer: OSCPeer
    private var streamReader: OSCStreamReader
    private var hasEnded = false

    init(core: OSCServerCore, peer: OSCPeer) {
        self.core = core
        self.peer = peer
        streamReader = OSCStreamReader(maximumPacketBytes: core.settings.limits.packetBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        let channel = context.channel
        let hub = core
        let answer: OSCServerCore.ReplySender = { bytes in _ = hub.writeToConnection(bytes, to: channel) }
        for result in streamReader.readPackets(in: unwrapInboundIn(data).readableBytesView) {
            switch result {
            case .success(let packet):
                guard !hub.receivePacket(packet, from: peer, answer: answer) else { continue }
            case .failure(let fault): hub.refuseStream(fault, from: peer, answer: answer)
            }
            return end(channel)
        }
    }

    /// Ends the connection after the answers to what came before.
    private func end(_ channel: any Channel) {
        hasEnded = true
        core.updateCounters { $0.connectionsEnded += 1 }
        guard streamReader.framing != nil else { return channel.close(promise: nil) }
        channel.eventLoop.scheduleTask(in: Self.farewellTime) { channel.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Nobody can read an answer before it is known how the stream is divided.
        guard let framing = streamReader.framing else {
            promise?.succeed()
            return
        }
        let packet = Array(unwrapOutboundIn(data).readableBytesView)
        context.write(wrapOutboundOut(ByteBuffer(bytes: framing.makeFrame(packet))), promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension SocketAddress {
    var numericAddressText: String { Optional(self).numericIPText }
}
