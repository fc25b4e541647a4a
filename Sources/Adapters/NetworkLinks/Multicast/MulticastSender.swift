import Basics
import Concert
import Glibc
import NIOCore
import NIOPosix

/// Sends datagrams to a multicast group through one interface.
///
/// A datagram that cannot be sent is lost, and its error is thrown. If the failure closed the socket, the next call
/// opens it again, so that nobody has to act after a cable was pulled out and put back.
public actor MulticastSender: DatagramSink {
    public nonisolated let endpoint: MulticastEndpoint
    /// The number of routers that a packet may pass, plus one. With 1 it stays in the local network, with 0 on this
    /// machine.
    public nonisolated let timeToLive: UInt8

    private var channel: (any Channel)?
    private var isClosed = false

    /// Opens the sending socket.
    /// - Throws: ``ExplainedError`` if the socket cannot be opened now.
    public init(endpoint: MulticastEndpoint, timeToLive: UInt8 = 1) async throws(ExplainedError) {
        self.endpoint = endpoint
        self.timeToLive = timeToLive
        channel = try await Self.openSocketChannel(endpoint, timeToLive: timeToLive)
    }

    /// Sends one datagram.
    /// - Throws: ``ExplainedError``; also after ``close()``.
    public func send(_ bytes: [UInt8]) async throws(ExplainedError) {
        guard bytes.count <= 65_507 else {
            throw ExplainedError(
                "A packet of \(bytes.count) bytes does not fit into a datagram of this network.")
        }
        let channel = try await openChannel()
        do {
            let group = try SocketAddress(ipAddress: endpoint.group.description, port: endpoint.port)
            let envelope = AddressedEnvelope(remoteAddress: group, data: ByteBuffer(bytes: bytes))
            try await channel.writeAndFlush(envelope)
        } catch {
            throw MulticastError.wrapping(
                error, action: "send to \(endpoint.group):\(endpoint.port)", port: endpoint.port)
        }
    }

    public func send(_ datagram: Datagram) async throws { try await send(datagram.bytes) }

    public func close() async {
        isClosed = true
        try? await channel?.close()
        channel = nil
    }

    private func openChannel() async throws(ExplainedError) -> any Channel {
        guard !isClosed else { throw ExplainedError("The network failed to send: the sender is closed.") }
        if let channel, channel.isActive { return channel }
        let opened = try await Self.openSocketChannel(endpoint, timeToLive: timeToLive)
        // During the wait, another call may have opened a channel or closed the sender.
        if isClosed || channel?.isActive == true {
            try? await opened.close()
            return try await openChannel()
        }
        channel = opened
        return opened
    }

    private static func openSocketChannel(
        _ endpoint: MulticastEndpoint, timeToLive: UInt8
    ) async throws(ExplainedError) -> any Channel {
        let interface = try NetworkInterface.named(endpoint.interface, among: NetworkInterface.all())
        do {
            let channel = try await DatagramBootstrap(group: NetworkThread.group)
                .bind(host: interface.address.description, port: 0).get()
            do {
                let options = channel as? any SocketOptionProvider
                try await options?.setIPMulticastIF(interface.address.inNetworkOrder).get()
                try await options?.setIPMulticastTTL(timeToLive).get()
                // Receivers on this machine get the packets too.
                try await options?.setIPMulticastLoop(1).get()
            } catch {
                try? await channel.close()
                throw error
            }
            return channel
        } catch {
            throw MulticastError.wrapping(error, action: "open a sender on \(interface.address)", port: 0)
        }
    }
}

extension IPv4Address {
    var inNetworkOrder: in_addr { in_addr(s_addr: bits.bigEndian) }
}
