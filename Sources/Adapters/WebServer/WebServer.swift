import Basics
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The web server: pages, routes, event streams, and the sign-in that protects them.
///
/// It listens only on the address in `WebSettings`. It knows nothing about music; the services supply their routes.
public final class WebServer: Service {
    private let settings: WebSettings
    private let logger: Logger
    private let requestResponder: RequestResponder
    let certificate: ServerCertificate
    private let hubs: [EventHub]
    private let personalStreams: [PersonalStreams]
    private let connectionLimiter: ConnectionLimiter
    private let connectionLimits: ResourceQuota.Limits
    private let accounts: any Accounts
    let rightsMonitor = RightsMonitor()
    private let onListening: @Sendable (Int) -> Void
    private let readMilliseconds: @Sendable () -> Int64
    private let runState = Mutex(RunState())

    private struct RunState {
        var serviceGroup: ServiceGroup?
        var listeningPort: Int?
        var isStopped = false
    }

    /// Reads the pages and the certificate. It does not open a socket yet.
    /// - Parameters:
    ///   - routes: the services' routes; the routes for signing in are added to them.
    ///   - readMilliseconds: returns milliseconds, never decreasing. They are sent in the heartbeat each second, and
    ///     used for the waiting times after wrong passwords.
    ///   - certificate: what the server answers TLS with; nil reads it from the settings.
    ///   - findOtherServer: returns the address of the pages of the other server of a pair; nil without one.
    ///   - onListening: called with the port as soon as requests are accepted.
    public init(
        settings: WebSettings, accounts: any Accounts, routes: [WebRoute],
        logger: Logger = WebServer.standardLogger, readMilliseconds: (@Sendable () -> Int64)? = nil,
        certificate: ServerCertificate? = nil,
        findOtherServer: @escaping @Sendable () -> String? = { nil },
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(ExplainedError) {
        try settings.check()
        self.settings = settings
        self.logger = logger
        self.onListening = onListening
        self.accounts = accounts
        let began = ContinuousClock.now
        let readMilliseconds = readMilliseconds ?? { Int64((ContinuousClock.now - began) / .milliseconds(1)) }
        self.readMilliseconds = readMilliseconds
        FileDescriptorLimit.raiseLimit()
        connectionLimits = Self.makeConnectionLimits(settings.limits)
        connectionLimiter = ConnectionLimiter(connectionLimits, settings: settings)
        let certificate = if let certificate { certificate } else { try ServerCertificate(settings) }
        self.certificate = certificate
        let signIns = SignInService(
            accounts: accounts, settings: settings, readMilliseconds: readMilliseconds)
        let carriers = StreamCarriers()
        let routes = signIns.routes + routes + carriers.routes
        hubs =
            [carriers.hub]
            + routes.compactMap { if case .stream(let hub) = $0.handler { hub } else { nil } }
        personalStreams = routes.compactMap {
            if case .personalStreams(let streams) = $0.handler { streams } else { nil }
        }
        requestResponder = RequestResponder(
            routes: RouteMap(routes), carriers: carriers,
            pages: try PageStore(path: settings.pagesPath), signInService: signIns,
            crossSiteCheck: CrossSiteCheck(
                settings, hostNames: OwnHostNames(settings, certificateNames: certificate.names)),
            connectionLimiter: connectionLimiter,
            settings: settings, logger: logger,
            bodyTransmitters: BodyTransmitters(stallTimeLimit: settings.timeouts.slowReader),
            rightsMonitor: rightsMonitor, otherServer: OtherServerAccess(findAddress: findOtherServer),
            certificate: certificate
        )
    }

    /// Makes a hub for the console's live state. A third of its places is reserved for technicians and administrators.
    public static func makeConsoleHub(_ limits: WebSettings.Limits) -> EventHub {
        EventHub(
            ResourceQuota.Limits(
                total: limits.consoleStreams, reserve: limits.consoleStreams / 3,
                perAccount: limits.consoleStreamsPerAccount))
    }

    /// The limits for connections, which are also limited by the available file descriptors.
    static func makeConnectionLimits(_ limits: WebSettings.Limits) -> ResourceQuota.Limits {
        let total = FileDescriptorLimit.connectionLimit(for: limits.connections)
        return ResourceQuota.Limits(
            total: total, reserve: min(256, total / 8),
            perAddress: min(limits.connectionsPerAddress, total / 3),
            perAccount: min(128, total / 8))
    }

    /// The number of connections beyond the limit that may be open until they are closed.
    private static let refusedConnectionAllowance = 32
    private static let connectionsAcceptedPerRead: UInt = 32

    /// Checks that the server can listen on its address. Callers check this first, before they make files that would
    /// remain after a failure.
    ///
    /// The address is bound and released again without listening, so no connection is accepted.
    /// - Throws: the error that ``run()`` would throw. Another program may still take the address after this check.
    public static func checkAddress(of settings: WebSettings) throws(ExplainedError) {
        do { try ListenAddressCheck.tryBinding(settings.address, port: settings.port) } catch {
            throw WebError.wrapping(error, settings: settings)
        }
    }

    /// Serves requests until the server is stopped. It may be called once.
    /// - Throws: `WebError` if the server cannot listen on its address.
    public func run() async throws {
        var configuration = ServiceGroupConfiguration(services: [makeApplication()], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(3)
        let group = ServiceGroup(configuration: configuration)
        let isStopped = runState.withLock { running in
            running.serviceGroup = group
            return running.isStopped
        }
        if isStopped { return }
        let outcome: Result<Void, any Error> = await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { beats in
                beats.addTask { await self.sendHeartbeats() }
                if certificate.isPossible { beats.addTask { await self.watchCertificate() } }
                if settings.signInRequirement == .required {
                    beats.addTask { await self.rightsMonitor.watchRights(self.accounts) }
                }
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
        runState.withLock { $0 = RunState(isStopped: true) }
        if case .failure(let error) = outcome { throw WebError.wrapping(error, settings: settings) }
    }

    /// Ends all streams at once and accepts no further connections. ``run()`` returns when the last response was sent.
    public func stop() async {
        closeStreams()
        let group = runState.withLock { running in
            running.isStopped = true
            return running.serviceGroup
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
    public var boundPort: Int? { runState.withLock { $0.listeningPort } }

    public var connectionCount: Int { connectionLimiter.connectionCount }

    /// The number of places that large responses being sent have.
    var sentBodyPlaces: Int { requestResponder.bodyQueue.servedCount }

    /// The maximum number of connections that wait to be accepted. After a restart all clients reconnect at once; if
    /// the backlog is full, they retry only after 1–3 s.
    private static let backlog = 4_096

    private func closeStreams() {
        for hub in hubs { hub.close() }
        for streams in personalStreams { streams.close() }
    }

    private func sendHeartbeats() async {
        let realTime = ContinuousClock()
        var next = realTime.now
        while !Task.isCancelled {
            for hub in hubs { hub.sendHeartbeat(atMilliseconds: readMilliseconds()) }
            connectionLimiter.closeExcessConnections()
            next = max(next.advanced(by: .seconds(1)), realTime.now)
            try? await Task.sleep(until: next, clock: realTime)
        }
    }

    /// Keeps the certificate valid, and takes over a new one.
    private func watchCertificate() async {
        while !Task.isCancelled {
            await certificate.refresh()
            try? await Task.sleep(for: settings.timeouts.certificateCheck)
        }
    }

    func makeApplication() -> some ApplicationProtocol {
        let (settings, limiter, gates) = (settings, connectionLimiter, RequestGates())
        let handlers: @Sendable () -> [any RemovableChannelHandler] = {
            [
                ConnectionGuardInstaller(limiter, gates: gates),
                SlowReaderTimeout(stallTimeLimit: settings.timeouts.slowReader),
            ]
        }
        var http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: handlers(), idleTimeout: TimeAmount(settings.timeouts.requestHead))
        http1.httpDecoder.maxHeaderFieldSize = settings.limits.requestHeadBytes
        http1.httpDecoder.maxHeaderListSize = settings.limits.requestHeadBytes
        http1.httpDecoder.maxHeaderFieldCount = 100
        return Application(
            responder: requestResponder,
            server: makeServer(http1),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address, port: settings.port), serverName: nil,
                backlog: Self.backlog,
                // The ``ConnectionLimiter`` decides instead: connections that are not accepted yet cannot be told
                // apart.
                availableConnectionsDelegate: MaximumAvailableConnections(
                    connectionLimits.total + Self.refusedConnectionAllowance, logger: logger)),
            onServerRunning: { channel in await self.didStartListening(channel) },
            logger: logger)
    }

    private func makeServer(_ http1: HTTP1Channel.Configuration) -> HTTPServerBuilder {
        guard certificate.isPossible else { return .http1(configuration: http1) }
        let (certificate, limiter) = (certificate, connectionLimiter)
        return HTTPServerBuilder { responder in
            TLSDetectingChannel(
                plain: HTTP1Channel(responder: responder, configuration: http1), certificate: certificate,
                connectionLimiter: limiter)
        }
    }

    private func didStartListening(_ channel: any Channel) async {
        // Many connections are accepted at a time: the system's backlog is short, and a client that finds it full waits
        // for seconds.
        try? await channel.setOption(.maxMessagesPerRead, value: Self.connectionsAcceptedPerRead).get()
        // If this fails, the guard of each connection does the same, only later.
        try? await channel.pipeline.addHandler(AcceptFilter(connectionLimiter), position: .first).get()
        let port = channel.localAddress?.port ?? settings.port
        runState.withLock { $0.listeningPort = port }
        onListening(port)
    }
}
