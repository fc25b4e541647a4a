import Audience
import Catalogue
import Console
import Editor
import Following
import Foundation
import Hosting
import Passwords
import Performance
import Replication
import Score
import ScoreLibrary
import ServiceLifecycle
import SignIn
import Stands
import WebServer

/// The running server of `baton serve`: creates all services, starts them and stops them in order.
package struct ConcertServer: Sendable {
    package static let version = "0.3"

    /// The services in the order of their start; they are stopped in reverse order.
    let services: [any Service]
    /// The way to the show engine.
    package let inbox: ShowInbox

    package init(
        concert: any LaneFollower, folders: [String], place: ProgrammePosition, input: any SoundSource,
        settings run: ConcertServerSettings
    ) async throws {
        let (data, recordings) = (run.performance.data, run.performance.recordings)
        let settings = run.web
        try WebServer.checkAddress(of: settings)
        // Checked before anything creates the file.
        let isNewFolder = !FileManager.default.fileExists(atPath: data + "/catalogue.sqlite")
        let stream = ConsoleStream(WebServer.consoleEvents(settings.limits))
        let parts = try await PerformanceComponents(
            run.performance, concert: concert, folders: folders, place: place, input: input,
            stream: stream,
            packets: { try await run.packets($0, concert.programme, $1) }, say: say)
        var isReady = false
        defer { if !isReady { parts.deleteUnstartedShow() } }
        inbox = parts.inbox
        let (inbox, pair, show, clock) = (parts.inbox, parts.pair, parts.show, parts.show.clock)

        let catalogue = try CatalogueStore(path: data + "/catalogue.sqlite")
        let content = try await EditorService.open(
            catalogue: catalogue, data: data,
            start: InitialContent(
                recordings: recordings, models: run.models, folders: folders,
                programme: concert.programme),
            isShowLocked: { inbox.newestSnapshot.state.isLocked }, say: say)
        let library = try await Library.open(
            catalogue: catalogue, data: data, recordings: recordings,
            programme: Self.pieces(of: concert.programme, folders), resumesImports: pair == nil, say: say)
        let quota = UploadQuota(catalogue: catalogue, assets: content.shelf, scores: library.shelf)
        let listeners = content.listeners

        let served: [any HostedService] = [
            AudienceService(
                listeners, show: show.started,
                relayFeed: parts.broker.map { broker in
                    RelayPublisher(
                        name: run.brokerName, client: { broker.client }, hub: listeners.hub,
                        content: { listeners.served }, shelf: listeners.shelf
                    ) { inbox.post(.fault($0)) }
                }, clock: { clock.now.milliseconds }),
            EditorService(content, quota: quota),
            LibraryService(library, quota: quota, say: say),
            try StandsService(
                data: data, shelf: library, accounts: catalogue, course: parts.course, clock: { clock.now },
                show: inbox, scoreChanges: library.changes, say: say,
                print: { await library.answer(printing: $0, part: $1, remarks: $2) }),
            ConsoleService(
                ConsoleOutput(
                    stream: stream, started: show.started, wall: show.wall,
                    server: {
                        ServerJSON(
                            role: pair?.role.rawValue ?? "alone", term: inbox.newestSnapshot.state.epoch.term,
                            version: Self.version, backup: pair?.other)
                    }, messages: { listeners.served?.document.messages ?? [] },
                    cueProblem: parts.cueTargets.problem)),
        ]
        var (replication, replica): (ReplicationService?, PerformanceService.ReplicationSettings?)
        if let pair {
            guard let key = run.linkKey else {
                throw ExplainedError(sentence: "Two servers of a show need a secret that both have.")
            }
            let copy = try await ReplicationService(
                of: served, data: data, isNew: isNewFolder, key: key, pair: pair, say: say)
            replication = copy
            replica = PerformanceService.ReplicationSettings(
                replication: copy, key: key, version: Self.version, console: settings.consoleForOthers)
        }
        let performance = try await PerformanceService(
            parts, services: served, replica: replica,
            clients: {
                MetersSection.Clients(
                    console: stream.hub.listenerCount, audience: listeners.hub.listenerCount,
                    osc: parts.osc?.service.subscribers.subscribers.count ?? 0)
            }, checkSeconds: run.checkSeconds, say: say)

        let reserve = DiskReserve(folder: data)
        let truth = run.truth
        let health = HealthResponder(
            role: { pair?.role.rawValue ?? "alone" }, idle: { performance.engine.idle },
            isListening: { !input.status.isLost }, content: { [replication] in replication?.section.sentence }
        )
        let console = ConsoleRoutes(
            desk: ConsoleRequestHandler(
                show: inbox, beginCheck: performance.check.start, cueProblem: parts.cueTargets.problem,
                health: health, reserve: reserve, report: { await performance.report(truth: truth) }),
            events: stream.hub)
        let web = try WebServer(
            settings: settings,
            accounts: CatalogueAccounts(
                catalogue: catalogue, hasher: PasswordHasher(waitingLimit: 32),
                isActiveServer: { pair.map { $0.role == .main } ?? true }),
            routes: console.routes
                + Self.guardedUploads(Self.routes(of: served, changedOnlyBy: pair), reserve),
            clock: { clock.now.milliseconds },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                say("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
        if settings.signIn == .required, try await catalogue.accounts().isEmpty {
            say(Self.noAccountsHint(isBackup: pair?.role == .backup, data: data))
        }
        services = [performance] + served + (replication.map { [$0] } ?? []) + [web]
        isReady = true
    }

    /// Serves until the process is interrupted or a service fails.
    package func run(until interruption: ShutdownSignal) async throws {
        var configuration = ServiceGroupConfiguration(
            services: (services + [interruption]).map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, logger: WebServer.standardLogger)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Tonight's pieces, to which movements of scores can be assigned.
    private static func pieces(of programme: Programme, _ folders: [String]) -> [FollowablePiece] {
        zip(folders, programme.models).map { folder, model in
            FollowablePiece(
                piece: folder, name: "\(model.name)", numbers: MeasureMap.numbers(of: model.measures.marks))
        }
    }

    /// The hint how to add the first account. A backup gets its accounts from the main server.
    private static func noAccountsHint(isBackup: Bool, data: String) -> String {
        if isBackup {
            return
                "Nobody can sign in here yet: the accounts come from the main server as soon as it is heard.\n"
        }
        let place = data == ConcertServerSettings.standardData ? "" : " --data \(data)"
        return "Nobody can sign in yet: baton user add NAME --role administrator\(place)\n"
    }
}
