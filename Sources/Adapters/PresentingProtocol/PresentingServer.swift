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
        let open = OpenConnections(limits)
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    let connection = PresentingConnection(client.channel)
                    open.add(connection.name, from: connection.address) { [weak connection] in
                        connection?.close()
                    }
                    connection.onRegistration { [name = connection.name] in open.register(name) }
                    group.addTask {
                        defer { open.remove(connection.name) }
                        try? await client.executeThenClose { inbound, _ in
                            var reader = PresentingReader(inbound, limits: limits)
                            try await serve(connection, &reader)
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

/// The connections that are open: those of presenters who are registered, and those of strangers, who have not said
/// who they are.
///
/// Strangers have places of their own. If these are taken, the oldest connection of the address with the most
/// strangers ends, so that nobody keeps a speaker out who registers at once.
final class OpenConnections: Sendable {
    private struct Stranger {
        var name: String
        var address: String
        var end: @Sendable () -> Void
    }

    private struct State {
        /// The addresses of the presenters' connections, by the connection's name.
        var registered: [String: String] = [:]
        /// The oldest first.
        var strangers: [Stranger] = []
    }

    private let limits: PresentingLimits
    private let state = Mutex(State())

    init(_ limits: PresentingLimits) { self.limits = limits }

    /// Adds a stranger's connection.
    /// - Parameter end: ends it when it has to make room.
    func add(_ name: String, from address: String, end: @escaping @Sendable () -> Void) {
        let ended = state.withLock { state -> Stranger? in
            defer { state.strangers.append(Stranger(name: name, address: address, end: end)) }
            guard state.strangers.count >= limits.mostStrangers else { return nil }
            let counts = state.strangers.reduce(into: [:]) { $0[$1.address, default: 0] += 1 }
            let most = counts.values.max()
            return state.strangers.firstIndex { counts[$0.address] == most }.map {
                state.strangers.remove(at: $0)
            }
        }
        ended?.end()
    }

    /// Gives a stranger who has said who it is a presenter's place.
    /// - Returns: false if all are taken, this address has its share, or the connection has ended.
    func register(_ name: String) -> Bool {
        state.withLock { state in
            if state.registered[name] != nil { return true }
            guard let index = state.strangers.firstIndex(where: { $0.name == name }) else { return false }
            let address = state.strangers[index].address
            let isOwn = address.hasPrefix("127.") || address == "::1"
            guard state.registered.count < limits.mostConnections,
                isOwn
                    || state.registered.values.count(where: { $0 == address })
                        < limits.mostConnectionsOfAddress
            else { return false }
            state.strangers.remove(at: index)
            state.registered[name] = address
            return true
        }
    }

    func remove(_ name: String) {
        state.withLock { state in
            state.registered[name] = nil
            state.strangers.removeAll { $0.name == name }
        }
    }
}
