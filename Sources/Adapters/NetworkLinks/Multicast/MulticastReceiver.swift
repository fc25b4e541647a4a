import Basics
import Glibc
import NIOCore
import NIOPosix

/// Receives the datagrams of a multicast group on one interface, as an asynchronous sequence for one consumer.
///
/// The sequence ends with ``close()``, or when its consumer's task is cancelled. Any number of receivers on one machine
/// get the same packets. A consumer that falls behind loses the oldest datagrams first.
public final class MulticastReceiver: AsyncSequence, Sendable {
    /// The maximum number of datagrams that wait for the consumer: three minutes at the standard rate.
    static let mostWaitingDatagrams = 1_024

    public let endpoint: MulticastEndpoint
    private let channel: any Channel
    private let stream: AsyncStream<ReceivedDatagram>

    /// Joins the multicast group.
    /// - Throws: ``ExplainedError`` if the group cannot be joined.
    public init(endpoint: MulticastEndpoint) async throws(ExplainedError) {
        let interface = try NetworkInterface.named(endpoint.interface, among: NetworkInterface.all())
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReceivedDatagram.self, bufferingPolicy: .bufferingNewest(Self.mostWaitingDatagrams))
        do {
            // Bound to the group's address, not to the wildcard, so that other groups on this port are not received.
            let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
                .channelOption(.socketOption(NIOBSDSocket.Option(rawValue: SO_REUSEPORT)), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DatagramInbox(continuation))
                    }
                }
                .bind(host: endpoint.group.description, port: endpoint.port).get()
            do {
                try await Self.joinGroup(endpoint.group, on: interface.address, with: channel)
            } catch {
                try? await channel.close()
                throw error
            }
            self.endpoint = endpoint
            self.channel = channel
            self.stream = stream
            continuation.onTermination = { _ in channel.close(promise: nil) }
        } catch {
            let action = "join \(endpoint.group) on \(interface.address)"
            throw MulticastError.wrapping(error, action: action, port: endpoint.port)
        }
    }

    public func makeAsyncIterator() -> AsyncStream<ReceivedDatagram>.Iterator { stream.makeAsyncIterator() }

    public func close() async { try? await channel.close() }

    /// Joins the group by setting the socket option directly, because NIO's `joinGroup` refuses the loopback interface,
    /// which lacks the multicast flag.
    private static func joinGroup(
        _ group: IPv4Address, on interface: IPv4Address, with channel: any Channel
    ) async throws {
        guard let options = channel as? any SocketOptionProvider else { return }
        let membership = ip_mreq(imr_multiaddr: group.inNetworkOrder, imr_interface: interface.inNetworkOrder)
        try await options.unsafeSetSocketOption(level: .ip, name: .ip_add_membership, value: membership).get()
        // Without IP_MULTICAST_ALL = 0, groups that another program joined on another interface would be received
        // here too.
        let onlyJoined = NIOBSDSocket.Option(rawValue: IP_MULTICAST_ALL)
        try await options.unsafeSetSocketOption(level: .ip, name: onlyJoined, value: CInt(0)).get()
    }
}

/// Passes datagrams from the socket's thread into the receiver's sequence.
private final class DatagramInbox: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let continuation: AsyncStream<ReceivedDatagram>.Continuation

    init(_ continuation: AsyncStream<ReceivedDatagram>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrival = ContinuousClock.now
        let envelope = unwrapInboundIn(data)
        let sender = envelope.remoteAddress
        let source = "\(sender.ipAddress ?? "?"):\(sender.port ?? 0)"
        let bytes = Array(envelope.data.readableBytesView)
        continuation.yield(ReceivedDatagram(bytes: bytes, arrival: arrival, senderAddress: source))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
}
