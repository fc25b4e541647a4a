import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The web server: pages, routes, event streams, and the sign-in that protects them.
///
/// It listens only on the address in `WebSettings`. It knows nothing about music; the services supply their routes.
public final class WebServer: Service {
    private let settings: WebSettings
    private let logger: Logger
    private let requestResponder: RequestResponder
    private let tls: TLSConfiguration?
    private let hubs: [EventHub]
    private let personalStreams: [PersonalStreams]
    private let limiter: ConnectionLimiter
    private let connectionShares: ResourceQuota.Shares
    private let accounts: any Accounts
    let rights = RightsMonitor()
    private let onListening: @Sendable (Int) -> Void
    private let clock: @Sendable () -> Int64
    private let running = Mutex(Running())

    private struct Running {
        var group: ServiceGroup?
        var port: Int?
        var isStopped = false
    }

    /// Reads the pages and the certificate. It does not open a socket yet.
    /// - Parameters:
    ///   - routes: the services' routes; the routes for signing in are added to them.
    ///   - clock: milliseconds, never decreasing. They are sent in the heartbeat each second, and used for the waiting
    ///     times after wrong passwords.
    ///   - onListening: called with the port as soon as requests are accepted.
    public init(
        settings: WebSettings, accounts: any Accounts, routes: [WebRoute],
        logger: Logger = WebServer.standardLogger, clock: (@Sendable () -> Int64)? = nil,
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(WebError) {
        try settings.check()
        self.settings = settings
        self.logger = logger
        self.onListening = onListening
        self.accounts = accounts
        let began = ContinuousClock.now
        let clock = clock ?? { Int64((ContinuousClock.now - began) / .milliseconds(1)) }
        self.clock = clock
        FileDescriptorLimit.raiseLimit()
        connectionShares = Self.connectionShares(settings.limits)
        limiter = ConnectionLimiter(connectionShares, settings: settings)
        tls = try settings.tls.map { files throws(WebError) in try TLSFilesReading.configuration(files) }
        let signIns = SignInService(accounts: accounts, settings: settings, clock: clock)
        let routes = (settings.servesConsole ? signIns.routes : []) + routes
        hubs = routes.compactMap { if case .stream(let hub) = $0.handler { hub } else { nil } }
        personalStreams = routes.compactMap {
            if case .personalStreams(let streams) = $0.handler { streams } else { nil }
        }
        requestResponder = RequestResponder(
            routes: RouteMap(routes), pages: try PageStore(path: settings.pagesPath), signIns: signIns,
            crossSite: CrossSiteCheck(settings), limiter: limiter, settings: settings, logger: logger,
            rights: rights
        )
    }

    /// Makes a hub for the console's live state. A third of its places is reserved for technicians and administrators.
    public static func makeConsoleHub(_ limits: WebSettings.Limits) -> EventHub {
        EventHub(
            ResourceQuota.Shares(
                total: limits.consoleStreams, reserve: limits.consoleStreams / 3,
                perAccount: limits.consoleStreamsPerAccount))
    }

    /// The limits for connections, which are also limited by the available file descriptors.
    static func connectionShares(_ limits: WebSettings.Limits) -> ResourceQuota.Shares {
        let total = FileDescriptorLimit.connectionLimit(for: limits.connections)
        return ResourceQuota.Shares(
            total: total, reserve: min(256, total / 8),
            perAddress: min(limits.connectionsPerAddress, total / 3),
            perAccount: min(128, total / 8))
    }

    /// The number of connections beyond the limit that may be open until they are closed.
    private static let connectionsBeingRefused = 32
    private static let acceptedPerRead: UInt = 128

    /// Checks that the server can listen on its address, before the caller makes anything that would be left over.
    ///
    /// The address is bound and released again without listening, so no connection is accepted.
    /// - Throws: the error that ``run()`` would throw. Another program may still take the address after this check.
    public static func checkAddress(of settings: WebSettings) throws(WebError) {
        do { try ListeningProbe.bind(settings.address, port: settings.port) } catch {
            throw .wrapping(error, settings: settings)
        }
    }

    /// Serves requests until the server is stopped. It may be called once.
    /// - Throws: `WebError` if the server cannot listen on its address.
    public func run() async throws {
        var configuration = ServiceGroupConfiguration(services: [application()], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(3)
        let group = ServiceGroup(configuration: configuration)
        let isStopped = running.withLock { running in
            running.group = group
            return running.isStopped
        }
        if isStopped { return }
        let outcome: Result<Void, any Error> = await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { beats in
                beats.addTask { await self.beat() }
                if settings.signIn == .required { beats.addTask { await self.rights.run(self.accounts) } }
                defer { beats.cancelAll() }
                do {
                    return .success(try await group.run())
                } catch {
                    return .failure(error)
                }
            }
        } onGracefulShutdown: {
            self.closeStreams()
        }
        closeStreams()
        running.withLock { $0 = Running(isStopped: true) }
        if case .failure(let error) = outcome { throw WebError.wrapping(error, settings: settings) }
    }

    /// Ends all streams at once and accepts no further connections. ``run()`` returns when the last response was sent.
    public func stop() async {
        closeStreams()
        let group = running.withLock { running in
            running.isStopped = true
            return running.group
        }
        await group?.triggerGracefulShutdown()
    }

    /// A logger that writes warnings and errors to standard error.
    public static var standardLogger: Logger {
        var logger = Logger(label: "web") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }

    /// The port on which the server listens; nil while it does not listen.
    public var boundPort: Int? { running.withLock { $0.port } }

    public var connectionCount: Int { limiter.connections }

    /// The maximum number of connections that wait to be accepted. After a restart all clients reconnect at once; if
    /// the backlog is full, they retry only after 1–3 s.
    private static let backlog = 4_096

    private func closeStreams() {
        for hub in hubs { hub.close() }
        for streams in personalStreams { streams.close() }
    }

    private func beat() async {
        let realTime = ContinuousClock()
        var next = realTime.now
        while !Task.isCancelled {
            for hub in hubs { hub.beat(atMilliseconds: clock()) }
            limiter.closeExcessConnections()
            next = max(next.advanced(by: .seconds(1)), realTime.now)
            try? await Task.sleep(until: next, clock: realTime)
        }
    }

    func application() -> some ApplicationProtocol {
        let (settings, limiter) = (settings, limiter)
        let handlers: @Sendable () -> [any RemovableChannelHandler] = {
            [ConnectionGuardInstaller(limiter), SlowReaderTimeout(patience: settings.timeouts.reader)]
        }
        var http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: handlers(), idleTimeout: TimeAmount(settings.timeouts.head))
        http1.httpDecoder.maxHeaderFieldSize = settings.limits.headBytes
        http1.httpDecoder.maxHeaderListSize = settings.limits.headBytes
        http1.httpDecoder.maxHeaderFieldCount = 100
        let plain = HTTPServerBuilder.http1(configuration: http1)
        return Application(
            responder: requestResponder,
            server: server(over: plain),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address, port: settings.port), serverName: nil,
                backlog: Self.backlog,
                // The ``ConnectionLimiter`` decides instead: connections that are not accepted yet cannot be told
                // apart.
                availableConnectionsDelegate: MaximumAvailableConnections(
                    connectionShares.total + Self.connectionsBeingRefused, logger: logger)),
            onServerRunning: { channel in await self.didStartListening(channel) },
            logger: logger)
    }

    private func server(over plain: HTTPServerBuilder) -> HTTPServerBuilder {
        guard let tls else { return plain }
        do {
            return try .tls(plain, tlsConfiguration: tls)
        } catch {
            // The server never continues without TLS if TLS was configured. The same configuration was valid when it
            // was read.
            preconditionFailure("the TLS configuration fails now: \(error)")
        }
    }

    private func didStartListening(_ channel: any Channel) async {
        // Many connections are accepted at a time: the system's backlog is short, and a client that finds it full waits
        // for seconds.
        try? await channel.setOption(.maxMessagesPerRead, value: Self.acceptedPerRead).get()
        // If this fails, the guard of each connection does the same, only later.
        try? await channel.pipeline.addHandler(AcceptFilter(limiter), position: .first).get()
        let port = channel.localAddress?.port ?? settings.port
        running.withLock { $0.port = port }
        onListening(port)
    }
}
