import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The web server: the console's pages, its live state, its commands, and the sign-in before them.
///
/// Listens where `WebSettings` says and nowhere else. Knows nothing of music: what a command means and what a
/// section holds comes encoded from outside.
public final class WebServer: Service {
    /// The console's live state; publish sections into it.
    public let events: EventHub
    private let settings: WebSettings
    private let logger: Logger
    private let frontDoor: FrontDoor
    private let tls: TLSConfiguration?
    private let hubs: [EventHub]
    private let personal: [PersonalStreams]
    private let census: ConnectionCensus
    private let connectionShares: Allotment.Shares
    private let accounts: any Accounts
    private let rights = RightsWatch()
    private let onListening: @Sendable (Int) -> Void
    private let clock: @Sendable () -> Int64
    private let running = Mutex(Running())

    private struct Running {
        var group: ServiceGroup?
        var port: Int?
        var isStopped = false
    }

    /// Reads pages and certificate, opens nothing yet.
    /// - Parameters:
    ///   - furtherRoutes: addresses beside the console's own. They are guarded like those.
    ///   - events: the console's live state; nil makes one of its own.
    ///   - clock: milliseconds, never falling: what the heartbeat each second carries, and what the waits after wrong
    ///     passwords are counted by.
    ///   - onListening: told the port once requests are taken.
    public init(
        settings: WebSettings, desk: any WebDesk, accounts: any Accounts, furtherRoutes: [WebRoute] = [],
        events: EventHub? = nil,
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
        Descriptors.raiseLimit()
        connectionShares = Self.connectionShares(settings.limits)
        census = ConnectionCensus(connectionShares, settings: settings)
        tls = try settings.tls.map { files throws(WebError) in try TLSFilesReading.configuration(files) }
        self.events = events ?? Self.consoleEvents(settings.limits)
        let signIns = SignInDesk(accounts: accounts, settings: settings, clock: clock)
        let console = RouteTable(desk: desk, signIns: signIns, events: self.events).routes
        let routes = (settings.servesConsole ? console : []) + furtherRoutes
        hubs = routes.compactMap { if case .stream(let hub) = $0.handler { hub } else { nil } }
        personal = routes.compactMap {
            if case .personal(let streams) = $0.handler { streams } else { nil }
        }
        frontDoor = FrontDoor(
            routes: RouteMap(routes), pages: try PageShelf(path: settings.pagesPath), signIns: signIns,
            crossSite: CrossSite(settings), census: census, settings: settings, logger: logger, rights: rights
        )
    }

    /// Makes a hub for the console's live state. A third of it is for technicians and administrators.
    public static func consoleEvents(_ limits: WebSettings.Limits) -> EventHub {
        EventHub(
            Allotment.Shares(
                total: limits.streams, reserve: limits.streams / 3, perAccount: limits.streamsPerAccount))
    }

    /// Of the descriptors there are.
    static func connectionShares(_ limits: WebSettings.Limits) -> Allotment.Shares {
        let total = Descriptors.room(for: limits.connections)
        return Allotment.Shares(
            total: total, reserve: min(256, total / 8),
            perAddress: min(limits.connectionsPerAddress, total / 3),
            perAccount: min(128, total / 8))
    }

    /// Connections beyond the limit, open for as long as it takes to close them.
    private static let beingTurnedAway = 32
    private static let takenAtOnce: UInt = 128

    /// Sees whether the address can be listened on, before anything is made that would be left behind.
    ///
    /// Nobody who knocks is taken: the address is bound and let go of, not listened on.
    /// - Throws: as ``run()`` would; another program may still come between.
    public static func checkAddress(of settings: WebSettings) throws(WebError) {
        do { try ListeningProbe.bind(settings.address, port: settings.port) } catch {
            throw .wrapping(error, settings: settings)
        }
    }

    /// Serves until it is stopped; returns then, for good.
    /// - Throws: `WebError`, when the address cannot be listened on.
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

    /// Ends all streams at once, takes no further connection, and lets `run` return when the last answer is out.
    public func stop() async {
        closeStreams()
        let group = running.withLock { running in
            running.isStopped = true
            return running.group
        }
        await group?.triggerGracefulShutdown()
    }

    /// Warnings and worse, to standard error.
    public static var standardLogger: Logger {
        var logger = Logger(label: "web") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }

    /// The port listened on; nil while there is none.
    public var boundPort: Int? { running.withLock { $0.port } }

    public var connectionCount: Int { census.connections }

    /// Connections that wait to be taken: after a restart a whole audience knocks within the same second, and who finds
    /// the queue full is not heard again for a second or three.
    private static let backlog = 4_096

    private func closeStreams() {
        for hub in hubs { hub.close() }
        for streams in personal { streams.close() }
    }

    private func beat() async {
        let realTime = ContinuousClock()
        var next = realTime.now
        while !Task.isCancelled {
            for hub in hubs { hub.beat(atMilliseconds: clock()) }
            census.makeRoom()
            next = max(next.advanced(by: .seconds(1)), realTime.now)
            try? await Task.sleep(until: next, clock: realTime)
        }
    }

    func application() -> some ApplicationProtocol {
        let (settings, census) = (settings, census)
        let handlers: @Sendable () -> [any RemovableChannelHandler] = {
            [ConnectionGateSetting(census), SlowReader(patience: settings.patience.reader)]
        }
        var http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: handlers(), idleTimeout: TimeAmount(settings.patience.head))
        http1.httpDecoder.maxHeaderFieldSize = settings.limits.headBytes
        http1.httpDecoder.maxHeaderListSize = settings.limits.headBytes
        http1.httpDecoder.maxHeaderFieldCount = 100
        let plain = HTTPServerBuilder.http1(configuration: http1)
        return Application(
            responder: frontDoor,
            server: server(over: plain),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address, port: settings.port), serverName: nil,
                backlog: Self.backlog,
                // The census decides: whoever waits unaccepted cannot be told apart.
                availableConnectionsDelegate: MaximumAvailableConnections(
                    connectionShares.total + Self.beingTurnedAway, logger: logger)),
            onServerRunning: { channel in await self.listening(channel) },
            logger: logger)
    }

    private func server(over plain: HTTPServerBuilder) -> HTTPServerBuilder {
        guard let tls else { return plain }
        do {
            return try .tls(plain, tlsConfiguration: tls)
        } catch {
            // Never plain where TLS was asked for. The same configuration made a context when it was read.
            preconditionFailure("the TLS configuration fails now: \(error)")
        }
    }

    private func listening(_ channel: any Channel) async {
        // The system's queue of connections is short, and whoever finds it full waits for seconds.
        try? await channel.setOption(.maxMessagesPerRead, value: Self.takenAtOnce).get()
        // Where it fails, the gate of each connection does the same, only later.
        try? await channel.pipeline.addHandler(Doorkeeper(census), position: .first).get()
        let port = channel.localAddress?.port ?? settings.port
        running.withLock { $0.port = port }
        onListening(port)
    }
}
