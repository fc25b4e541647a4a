import NIOCore
import NIOPosix
import Podium

/// The main server's end of the link: listens for a backup.
///
/// Heartbeats go both ways as datagrams, the log as a TCP stream, both on the same port number. The direction of
/// copying may change: the end that calls ``follow(_:)`` gets the other's lines, so that a main server that comes
/// back follows the backup that now leads. No call waits; messages that cannot be sent are counted.
///
/// The link has no timer for heartbeats: it sends when told, so that a server whose work hangs falls silent. Send one
/// every 100 ms from the thread that does the work.
public final class BackupLinkServer: BackupLink {
    let core: LinkCore
    private let listener: any Channel
    /// The port it listens on; useful if the system chose the port.
    public let port: Int

    /// Starts listening.
    /// - Parameters:
    ///   - address: an address of this machine that the backup can reach; IPv4 or IPv6.
    ///   - port: for both the datagrams and the stream.
    /// - Throws: ``BackupLinkFault``.
    package init(
        address: String, port: Int, key: LinkKey, identity: LinkIdentity, handlers: LinkHandlers,
        limits: LinkLimits = LinkLimits()
    ) async throws(BackupLinkFault) {
        let core = LinkCore(key: key, identity: identity, handlers: handlers, limits: limits)
        do {
            let listener = try await ServerBootstrap(group: core.loop)
                .serverChannelOption(.backlog, value: 16)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    .writeBufferWaterMark,
                    value: .init(low: limits.waitingBytes / 2, high: limits.waitingBytes)
                )
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let connection = LinkConnection(core: core, side: .listening)
                        try channel.pipeline.syncOperations.addHandler(connection)
                    }
                }
                .bind(host: address, port: port).get()
            let chosen = listener.localAddress?.port ?? port
            do {
                _ = try await LinkDatagramSocket.open(for: core, host: address, port: chosen)
            } catch {
                try? await listener.close()
                throw error
            }
            self.core = core
            self.listener = listener
            self.port = chosen
        } catch {
            await core.end()
            throw .wrapping(error, action: "listen on \(address):\(port)", address: address, port: port)
        }
    }

    public func close() async {
        try? await listener.close()
        await core.end()
    }
}
