import NIOCore
import NIOPosix
import Podium

/// The backup's end of the link: connects to the main server, and reconnects after each failure.
///
/// Otherwise the client works like ``BackupLinkServer``: it sends a heartbeat when told, copies the leader's log, and
/// none of its calls waits.
public final class BackupLinkClient: BackupLink {
    let core: BackupLinkCore
    private let connector: BackupLinkConnector

    /// Starts connecting in the background. A main server that does not answer yet causes no error.
    /// - Throws: ``BackupLinkFault`` if the address is invalid or no socket can be opened.
    package init(
        address: String, port: Int, key: BackupLinkKey, identity: LinkedServerIdentity,
        handlers: BackupLinkHandlers,
        limits: BackupLinkLimits = BackupLinkLimits()
    ) async throws(BackupLinkFault) {
        let core = BackupLinkCore(key: key, identity: identity, handlers: handlers, limits: limits)
        do {
            let main = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(address, port: port)
            }
            let any = main.protocol == .inet6 ? "::" : "0.0.0.0"
            let own = main.ipAddress.map { $0.hasPrefix("127.") ? "127.0.0.1" : any } ?? any
            _ = try await BackupLinkDatagramSocket.open(for: core, host: own, port: 0)
            let connector = BackupLinkConnector(core: core, main: main)
            core.eventLoop.execute {
                core.greetingAddress = main
                connector.dial()
            }
            self.core = core
            self.connector = connector
        } catch {
            await core.shutDown()
            throw .wrapping(error, action: "dial \(address):\(port)", address: address, port: port)
        }
    }

    public func close() async { await core.shutDown() }
}

/// Connects to the main server, and reconnects after growing pauses.
final class BackupLinkConnector: Sendable {
    private let core: BackupLinkCore
    private let mainServerAddress: SocketAddress

    init(core: BackupLinkCore, main: SocketAddress) {
        self.core = core
        self.mainServerAddress = main
    }

    /// Starts one attempt to connect to the main server. Runs on the link's event loop.
    /// - Parameter pause: the pause before the next attempt if this one fails.
    func dial(pause: TimeAmount? = nil) {
        guard !core.isClosed else { return }
        let core = core
        let pause = pause ?? core.limits.firstReconnectPause
        let provenBefore = core.counters.authenticatedConnections
        ClientBootstrap(group: core.eventLoop)
            .connectTimeout(.seconds(2))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .writeBufferWaterMark,
                value: .init(low: core.limits.mostUnsentBytes / 2, high: core.limits.mostUnsentBytes)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = BackupLinkConnection(core: core, side: .dialling)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .connect(to: mainServerAddress)
            .flatMap { $0.closeFuture }
            .whenComplete { _ in
                guard !core.isClosed else { return }
                // After an authenticated connection, the pauses start again at the shortest.
                let succeeded = core.counters.authenticatedConnections > provenBefore
                let next =
                    succeeded
                    ? core.limits.firstReconnectPause : min(pause * 2, core.limits.longestReconnectPause)
                core.eventLoop.scheduleTask(in: succeeded ? core.limits.firstReconnectPause : pause) {
                    self.dial(pause: next)
                }
            }
    }
}
