import Basics
import NIOCore
import NIOPosix
import Podium

/// The backup's end of the link: connects to the main server, and reconnects after each failure.
///
/// Otherwise the client works like ``BackupLinkServer``: it sends a heartbeat when told, copies the log of the server
/// that leads, and none of its calls waits.
public final class BackupLinkClient: BackupLink {
    let sharedLinkState: BackupLinkSharedState
    private let connector: BackupLinkConnector

    /// Starts connecting in the background. A main server that does not answer yet causes no error.
    /// - Throws: ``ExplainedError`` if the address is invalid or no socket can be opened.
    package init(
        address: String, port: Int, key: BackupLinkKey, identity: LinkedServerIdentity,
        handlers: BackupLinkHandlers,
        limits: BackupLinkLimits = BackupLinkLimits()
    ) async throws(ExplainedError) {
        let sharedLinkState = BackupLinkSharedState(
            key: key, identity: identity, handlers: handlers, limits: limits)
        do {
            let main = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(address, port: port)
            }
            let any = main.protocol == .inet6 ? "::" : "0.0.0.0"
            let own = main.ipAddress.map { $0.hasPrefix("127.") ? "127.0.0.1" : any } ?? any
            _ = try await BackupLinkDatagramSocket.open(for: sharedLinkState, host: own, port: 0)
            let connector = BackupLinkConnector(sharedLinkState: sharedLinkState, main: main)
            sharedLinkState.eventLoop.execute {
                sharedLinkState.greetingAddress = main
                connector.dial()
            }
            self.sharedLinkState = sharedLinkState
            self.connector = connector
        } catch {
            await sharedLinkState.shutDown()
            throw BackupLinkFault.wrapping(
                error, action: "dial \(address):\(port)", address: address, port: port)
        }
    }

    public func close() async { await sharedLinkState.shutDown() }
}

/// Connects to the main server, and reconnects after growing pauses.
final class BackupLinkConnector: Sendable {
    private let sharedLinkState: BackupLinkSharedState
    private let mainServerAddress: SocketAddress

    init(sharedLinkState: BackupLinkSharedState, main: SocketAddress) {
        self.sharedLinkState = sharedLinkState
        self.mainServerAddress = main
    }

    /// Starts one attempt to connect to the main server. Runs on the link's event loop.
    /// - Parameter pause: the pause before the next attempt if this one fails.
    func dial(pause: TimeAmount? = nil) {
        guard !sharedLinkState.isClosed else { return }
        let sharedLinkState = sharedLinkState
        let pause = pause ?? sharedLinkState.limits.firstReconnectPause
        let provenBefore = sharedLinkState.counters.authenticatedConnections
        ClientBootstrap(group: sharedLinkState.eventLoop)
            .connectTimeout(.seconds(2))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .writeBufferWaterMark,
                value: .init(
                    low: sharedLinkState.limits.mostUnsentBytes / 2,
                    high: sharedLinkState.limits.mostUnsentBytes)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = BackupLinkConnection(sharedLinkState: sharedLinkState, side: .dialling)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .connect(to: mainServerAddress)
            .flatMap { $0.closeFuture }
            .whenComplete { _ in
                guard !sharedLinkState.isClosed else { return }
                // After an authenticated connection, the pauses start again at the shortest.
                let succeeded = sharedLinkState.counters.authenticatedConnections > provenBefore
                let next =
                    succeeded
                    ? sharedLinkState.limits.firstReconnectPause
                    : min(pause * 2, sharedLinkState.limits.longestReconnectPause)
                sharedLinkState.eventLoop.scheduleTask(
                    in: succeeded ? sharedLinkState.limits.firstReconnectPause : pause
                ) {
                    self.dial(pause: next)
                }
            }
    }
}
