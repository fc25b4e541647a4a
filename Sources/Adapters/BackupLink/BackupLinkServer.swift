import Basics
import NIOCore
import NIOPosix
import Podium

/// The main server's end of the link: listens for a backup.
///
/// Heartbeats go both ways as datagrams. The log goes as a TCP stream on the same port number. A server that calls
/// ``setCopyingOtherLog(_:)`` receives the other server's lines. The direction may change: a main server that comes
/// back copies the log of the backup, which now leads. No call waits; messages that cannot be sent are counted.
///
/// The link has no timer for heartbeats, so that a server whose work hangs falls silent. Send a heartbeat every 100 ms
/// from the thread that does the work.
public final class BackupLinkServer: BackupLink {
    let sharedLinkState: BackupLinkSharedState
    private let listener: any Channel
    /// The port number on which the server listens; useful if the system chose the port.
    public let port: Int

    /// Starts listening for a backup.
    /// - Parameters:
    ///   - address: an address of this machine that the backup can reach; IPv4 or IPv6.
    ///   - port: the port number for both the datagrams and the stream.
    /// - Throws: ``ExplainedError``.
    package init(
        address: String, port: Int, key: BackupLinkKey, identity: LinkedServerIdentity,
        handlers: BackupLinkHandlers,
        limits: BackupLinkLimits = BackupLinkLimits()
    ) async throws(ExplainedError) {
        let sharedLinkState = BackupLinkSharedState(
            key: key, identity: identity, handlers: handlers, limits: limits)
        do {
            let listener = try await ServerBootstrap(group: sharedLinkState.eventLoop)
                .serverChannelOption(.backlog, value: 16)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    .writeBufferWaterMark,
                    value: .init(low: limits.mostUnsentBytes / 2, high: limits.mostUnsentBytes)
                )
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let connection = BackupLinkConnection(
                            sharedLinkState: sharedLinkState, side: .listening)
                        try channel.pipeline.syncOperations.addHandler(connection)
                    }
                }
                .bind(host: address, port: port).get()
            let chosen = listener.localAddress?.port ?? port
            do {
                _ = try await BackupLinkDatagramSocket.open(for: sharedLinkState, host: address, port: chosen)
            } catch {
                try? await listener.close()
                throw error
            }
            self.sharedLinkState = sharedLinkState
            self.listener = listener
            self.port = chosen
        } catch {
            await sharedLinkState.shutDown()
            throw BackupLinkFault.wrapping(
                error, action: "listen on \(address):\(port)", address: address, port: port)
        }
    }

    public func close() async {
        try? await listener.close()
        await sharedLinkState.shutDown()
    }
}
