import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Listens for presenters by TCP.
public struct PresentingServer: Sendable {
    public var address: String
    /// The port; 0 lets the system choose one.
    public var port: Int
    public var limits: PresentingLimits

    public init(address: String, port: Int, limits: PresentingLimits = PresentingLimits()) {
        (self.address, self.port, self.limits) = (address, port, limits)
    }

    /// The server cannot listen; the text is the system's reason.
    public struct ListeningError: Error, Equatable {
        public var reason: String
    }

    /// Accepts connections until the task is cancelled.
    /// - Parameters:
    ///   - onListening: called with the port once connections are accepted.
    ///   - serve: called for each connection, which is closed when it returns or throws. The fault of one connection
    ///     does not reach another.
    /// - Throws: ``ListeningError``, or the error of a listener that broke.
    public func run(
        onListening: @Sendable (Int) -> Void,
        serve: @escaping @Sendable (PresentingConnection, inout PresentingReader) async throws -> Void
    ) async throws {
        let listener = try await listen()
        onListening(listener.channel.localAddress?.port ?? port)
        let open = OpenConnections(
            most: limits.mostConnections, mostOfAddress: limits.mostConnectionsOfAddress)
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    let address = client.channel.remoteAddress?.ipAddress ?? ""
                    let isAccepted = open.add(address)
                    group.addTask {
                        guard isAccepted else {
                            try? await client.executeThenClose { _, _ in }
                            return
                        }
                        defer { open.remove(address) }
                        try? await client.executeThenClose { inbound, _ in
                            var reader = PresentingReader(inbound, limits: limits)
                            try await serve(PresentingConnection(client.channel), &reader)
                        }
                    }
                }
            }
        }
    }

    private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private func listen() async throws(ListeningError) -> NIOAsyncChannel<Client, Never> {
        let mark = ChannelOptions.Types.WriteBufferWaterMark(
            low: limits.mostUnsentBytes / 2, high: limits.mostUnsentBytes)
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // A machine that has vanished is noticed after half a minute.
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                .childChannelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)), value: 15)
                .childChannelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL)), value: 5)
                .childChannelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPCNT)), value: 3)
                .childChannelOption(.writeBufferWaterMark, value: mark)
                .bind(host: address, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Client(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw ListeningError(reason: "\(error)")
        }
    }
}

/// Counts the connections that are open, together and from each address.
final class OpenConnections: Sendable {
    private let most, mostOfAddress: Int
    private let counts = Mutex<[String: Int]>([:])

    init(most: Int, mostOfAddress: Int) { (self.most, self.mostOfAddress) = (most, mostOfAddress) }

    /// - Returns: false if as many as permitted are open already.
    func add(_ address: String) -> Bool {
        let isOwn = address.hasPrefix("127.") || address == "::1"
        return counts.withLock { counts in
            let own = counts[address] ?? 0
            guard counts.values.reduce(0, +) < most, isOwn || own < mostOfAddress else { return false }
            counts[address] = own + 1
            return true
        }
    }

    func remove(_ address: String) {
        counts.withLock { counts in
            let left = (counts[address] ?? 1) - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}
