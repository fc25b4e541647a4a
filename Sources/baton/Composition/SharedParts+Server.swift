import BackupLink
import Basics
import Catalogue
import Console
import Following
import Foundation
import Hosting
import Performance
import Presenting
import Recordings
import Replication
import SignIn
import WebServer

/// The services that are made of all others: the copy on the other server, the performance and the web server.
extension SharedParts {
    /// The copy of what people make, on the other server; nil for a single server.
    func makeReplication(
        of services: [any HostedService], isNewFolder: Bool
    ) async throws -> ReplicationService? {
        guard let pair else { return nil }
        return try await ReplicationService(
            of: services, data: dataFolder, isNew: isNewFolder, key: linkKey(), pair: pair,
            say: printToStandardError)
    }

    /// The secret of the pair.
    private func linkKey() throws -> BackupLinkKey {
        guard let key = settings.linkKey else {
            throw ExplainedError("Two servers of a show need a secret that both have.")
        }
        return key
    }

    /// The show engine with its outputs. In a pair, the other server may ask as soon as this returns.
    func makePerformance(
        services: [any HostedService], replication: ReplicationService?, recorder: SoundRecorder?
    ) async throws -> PerformanceService {
        let (consoles, publisher, osc) = (consoleStream, publisher, components.oscOutput)
        let service = try await PerformanceService(
            components, services: services,
            replica: replication.map { copy in
                PerformanceService.ReplicationSettings(
                    replication: copy, key: try linkKey(), version: ConcertServer.version,
                    console: settings.webSettings.externalConsoleAddress)
            },
            recordingRing: recorder?.ring,
            clients: {
                MetersSection.ClientCounts(
                    console: consoles.eventHub.listenerCount,
                    audience: publisher.audienceEventHub.listenerCount,
                    osc: osc?.showControlService.stateReceivers.activeSubscribers.count ?? 0)
            }, checkSeconds: settings.preShowListeningSeconds, say: printToStandardError)
        showLogPlace.change { (service.showLogFolder, service.showOrigin) }
        return service
    }

    /// The web server with the routes of all services. Says on the terminal how to make the first account, if there is
    /// none.
    func makeWebServer(
        services: [any HostedService], presenting: PresentingService, performance: PerformanceService,
        replication: ReplicationService?
    ) async throws -> WebServer {
        let (settings, clock, pair) = (settings.webSettings, clock, pair)
        let firstAccountCode = FirstAccountCode()
        let needsSignIn = settings.signInRequirement == .required
        let web = try WebServer(
            settings: settings,
            accounts: CatalogueAccounts(
                catalogue: catalogue, hasher: passwordHasher, isActiveServer: isActiveServer),
            routes: makeConsoleRoutes(performance: performance, replication: replication).routes
                + presenting.floorRoutes
                + (needsSignIn ? makeFirstAccountRoutes(code: firstAccountCode).routes : [])
                + ConcertServer.routesCheckingDiskSpace(
                    ConcertServer.routesRefusingChangesUnlessActive(of: services, changedOnlyBy: pair),
                    diskReserve),
            readMilliseconds: { clock().milliseconds }, certificate: certificate,
            findOtherServer: { pair?.otherServerAddress },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                printToStandardError("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
        if needsSignIn, try await catalogue.accounts().isEmpty {
            printToStandardError(noAccountsHint(code: firstAccountCode.text))
        }
        return web
    }

    /// The pages over TLS.
    func makeSecurePages() -> SecurePagesService {
        let inbox = inbox
        return SecurePagesService(
            certificate: certificate, hostNames: settings.webSettings.hostNames,
            isShowLocked: { inbox.newestSnapshot.state.isLocked })
    }

    /// The routes by which consoles command the show.
    private func makeConsoleRoutes(
        performance: PerformanceService, replication: ReplicationService?
    ) -> ConsoleRoutes {
        let (truth, catalogue) = (settings.trueMeasureTimesPath, catalogue)
        return ConsoleRoutes(
            desk: ConsoleRequestHandler(
                show: inbox, programme: components.programmeChanger,
                sound: SoundDeviceChooser(
                    sound.own, silenceMeter: components.silenceMeter, dataFolder: dataFolder,
                    fixedBecause: settings.soundFixedBecause),
                concerts: { await Self.listConcerts(in: catalogue) },
                beginCheck: performance.preShowCheck.start,
                cueProblem: components.cueTargets.unsendableReason,
                health: makeHealthResponder(performance: performance, replication: replication),
                reserve: diskReserve, report: { await performance.makeReport(truth: truth) }),
            events: consoleStream.eventHub)
    }

    private func makeHealthResponder(
        performance: PerformanceService, replication: ReplicationService?
    ) -> HealthResponder {
        let (pair, input) = (pair, sound.switchable)
        return HealthResponder(
            determineServerRole: { pair?.role.rawValue ?? "alone" },
            timeSinceEngineRan: { performance.engine.timeSinceLastRun },
            isAudioInputPresent: { !input.status.isLost },
            describeReplicaAge: { replication?.consoleSection.sentence })
    }

    private func makeFirstAccountRoutes(code: FirstAccountCode) -> FirstAccountRoutes {
        FirstAccountRoutes(
            catalogue: catalogue, hasher: passwordHasher, code: code, isActiveServer: isActiveServer)
    }

    /// Lists the concerts of the catalogue with the names of their pieces; none if the catalogue cannot be read.
    private static func listConcerts(in catalogue: CatalogueStore) async -> [CatalogueConcertPieces] {
        var found: [CatalogueConcertPieces] = []
        for concert in (try? await catalogue.concerts()) ?? [] {
            guard let tree = try? await catalogue.concertContent(of: concert.id) else { continue }
            found.append(
                CatalogueConcertPieces(
                    id: concert.id, title: concert.title,
                    pieceNames: tree.children(of: .root, kind: .piece).map { $0["name"] }))
        }
        return found
    }

    /// Returns the hint that explains how to add the first account. A backup gets its accounts from the main server.
    private func noAccountsHint(code: String) -> String {
        if pair?.role == .backup {
            return
                "Nobody can sign in here yet: the accounts come from the main server as soon as it is heard.\n"
        }
        let option = dataFolder == ConcertServerSettings.defaultDataFolder ? "" : " --data \(dataFolder)"
        return
            "Nobody can sign in yet. Open the page /start; it asks for the code \(code). "
            + "Or: baton user add NAME --role administrator\(option)\n"
    }
}
