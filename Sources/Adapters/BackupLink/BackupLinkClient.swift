import NIOCore
import NIOPosix
import Podium

/// The backup's end of the link: dials the main server, again and again.
///
/// As ``BackupLinkServer`` otherwise: heartbeats when told, the log of whoever is followed, no call waits.
public final class BackupLinkClient: BackupLink {
    let core: LinkCore
    private let dialler: LinkDialler

    /// Begins dialling; that nobody answers yet is no error.
    /// - Throws: ``BackupLinkFault`` where the address has no meaning or no socket can be had.
    public convenience init(
        address: String, port: Int, key: LinkKey, identity: LinkIdentity, handlers: LinkHandlers
    ) async throws(BackupLinkFault) {
        try await self.init(
            address: address, port: port, key: key, identity: identity, handlers: handlers,
            limits: LinkLimits())
    }

    init(
        address: String, port: Int, key: LinkKey, identity: LinkIdentity, handlers: LinkHandlers,
        limits: LinkLimits
    ) async throws(BackupLinkFault) {
        let core = LinkCore(key: key, identity: identity, handlers: handlers, limits: limits)
        do {
            let main = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(address, port: port)
            }
            let any = main.protocol == .inet6 ? "::" : "0.0.0.0"
            let own = main.ipAddress.map { $0.hasPrefix("127.") ? "127.0.0.1" : any } ?? any
            _ = try await DatagramDoor.open(for: core, host: own, port: 0)
            let dialler = LinkDialler(core: core, main: main)
            core.loop.execute {
                core.greeting = main
                dialler.dial()
            }
            self.core = core
            self.dialler = dialler
        } catch {
            await core.end()
            throw .wrapping(error, action: "dial \(address):\(port)", address: address, port: port)
        }
    }

    public func close() async { await core.end() }
}

/// Connects, and connects again with growing pauses.
final class LinkDialler: Sendable {
    private let core: LinkCore
    private let main: SocketAddress

    init(core: LinkCore, main: SocketAddress) {
        self.core = core
        self.main = main
    }

    /// On the loop.
    /// - Parameter pause: before the next try, where this one fails.
    func dial(pause: TimeAmount? = nil) {
        guard !core.isClosed else { return }
        let core = core
        let pause = pause ?? core.limits.firstRetry
        let provenBefore = core.counters.connections
        ClientBootstrap(group: core.loop)
            .connectTimeout(.seconds(2))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .writeBufferWaterMark,
                value: .init(low: core.limits.waitingBytes / 2, high: core.limits.waitingBytes)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = LinkConnection(core: core, side: .dialling)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .connect(to: main)
            .flatMap { $0.closeFuture }
            .whenComplete { _ in
                guard !core.isClosed else { return }
                // A connection that had proven itself starts the pauses anew.
                let succeeded = core.counters.connections > provenBefore
                let next = succeeded ? core.limits.firstRetry : min(pause * 2, core.limits.longestRetry)
                core.loop.scheduleTask(in: succeeded ? core.limits.firstRetry : pause) {
                    self.dial(pause: next)
                }
            }
    }
}
