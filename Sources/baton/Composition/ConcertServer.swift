import Audience
import Catalogue
import Console
import Diary
import DiaryKeeping
import Editor
import Following
import Foundation
import Hosting
import Passwords
import Performance
import Practice
import Preparation
import Presenting
import Recordings
import Rehearsal
import Remarking
import Replication
import Score
import ScoreLibrary
import Screen
import ServiceLifecycle
import SignIn
import Stands
import Students
import WebServer

/// The running server of `baton serve`: creates all services, starts them and stops them in order.
package struct ConcertServer: Sendable {
    package static let version = "0.3"

    /// The services in the order of their start; they are stopped in reverse order.
    let services: [any Service]
    /// The entrance of the show engine, through which services send commands and events.
    package let showEngineInbox: ShowInbox

    package init(
        concert: any LiveAudioFollower, folders: [String], place: ProgrammePosition,
        input ownInput: any SoundSource, settings run: ConcertServerSettings
    ) async throws {
        let input = RehearsalSoundSource(ownInput)
        let (data, recordings) = (
            run.performanceSettings.dataFolder, run.performanceSettings.recordingsFolderPath
        )
        let settings = run.webSettings
        try WebServer.checkAddress(of: settings)
        // Checked before anything creates the file.
        let isNewFolder = !FileManager.default.fileExists(atPath: data + "/catalogue.sqlite")
        let stream = ConsoleStream(WebServer.makeConsoleHub(settings.limits))
        let parts = try await PerformanceComponents(
            run.performanceSettings, concert: concert, folders: folders, place: place, input: input,
            stream: stream, makeFollower: run.makeFollower,
            packets: { try await run.makePacketSender($0, concert.programme, $1) }, say: printToStandardError)
        var isReady = false
        defer { if !isReady { parts.deleteUnstartedShow() } }
        showEngineInbox = parts.inbox
        let (inbox, pair, show, clock) = (
            parts.inbox, parts.failoverCoordinator, parts.openedShow, parts.openedShow.clock
        )

        let catalogue = try CatalogueStore(path: data + "/catalogue.sqlite")
        let content = try await EditorService.open(
            catalogue: catalogue, data: data,
            start: InitialContent(
                recordingsFolderPath: recordings, modelsFolderPath: run.modelsFolder,
                programme: parts.showProgramme),
            isShowLocked: { inbox.newestSnapshot.state.isLocked }, say: printToStandardError)
        let library = try await Library.open(
            catalogue: catalogue, data: data, recordings: recordings,
            programme: FollowablePiece.pieces(of: parts.showProgramme), resumesImports: pair == nil,
            say: printToStandardError)
        let quota = UploadQuota(catalogue: catalogue, assets: content.assetStore, scores: library.assetStore)
        let listeners = content.publisher

        let reserve = DiskReserve(folder: data)
        let recordingStore = RecordingStore(data: data)
        let recorder =
            run.recordingSettings.offSentence == nil
            ? Self.makeRecorder(of: parts, input: input, folders: folders, in: recordingStore, reserve) : nil

        let evenings = RecordingsService(
            store: recordingStore, recorder: recorder,
            offSentence: run.recordingSettings.offSentence ?? "",
            retention: run.recordingSettings.retention, stream: stream,
            erasures: RecordingErasures(
                catalogue: catalogue, isActiveServer: { pair.map { $0.role == .main } ?? true }),
            say: printToStandardError)

        let hasher = PasswordHasher(waitingLimit: 32)
        let showLog = ShowLogPlace(show.recorder.writer.showFolder)
        let presenting = PresentingService(
            run.presentingSettings, code: run.speakersCode, data: data, show: inbox, showLog: showLog,
            clock: show.timeOfDayConverter, consoles: stream, say: printToStandardError)
        let printing = PartPrinting {
            await library.makePrintResponse(printing: $0, part: $1, in: $2, remarks: $3)
        }
        let stands = try StandsService(
            data: data, shelf: library, accounts: catalogue,
            clock: { clock.now },
            show: inbox, scoreChanges: library.changedScores,
            sound: RehearsalSound(evenings: evenings, modelsFolder: run.modelsFolder, data: data),
            ownRemarks: { (try? await catalogue.ownRemarks(of: $0, in: $1)) ?? [] },
            say: printToStandardError,
            printing: printing,
            crop: { await library.makeCropResponse($0, body: $1) })
        let served: [any HostedService] = [
            AudienceService(
                listeners, show: show.startTimestamp,
                relayFeed: parts.brokerOutput.map { broker in
                    RelayPublisher(
                        name: run.serverNameInTopics, findBrokerClient: { broker.client },
                        eventHub: listeners.audienceEventHub,
                        readServedConcert: { listeners.servedConcert }, shelf: listeners.assetStore
                    ) { inbox.post(.fault($0)) }
                }, clock: { clock.now.milliseconds }),
            EditorService(
                content, quota: quota,
                programme: EditorService.FollowedProgramme(
                    atStart: parts.showProgramme, recordingsFolderPath: recordings,
                    modelsFolderPath: run.modelsFolder, say: printToStandardError)),
            LibraryService(library, quota: quota, programme: parts.showProgramme, say: printToStandardError),
            stands,
            RemarkingService(
                catalogue: catalogue, shelf: library, isActive: { inbox.newestSnapshot.isActiveServer },
                findRoomRemarks: { await Self.findRoomRemarks($0, $1, in: stands) }, printing: printing),
            ConsoleService(
                ConsoleOutput(
                    stream: stream, started: show.startTimestamp, wall: show.timeOfDayConverter,
                    server: {
                        ServerJSON(
                            role: pair?.role.rawValue ?? "alone", term: inbox.newestSnapshot.state.epoch.term,
                            version: Self.version, otherServer: pair?.otherServer)
                    }, messages: { listeners.servedConcert?.catalogueConcert.preparedMessages ?? [] },
                    cueProblem: parts.cueTargets.unsendableReason)),
            evenings,
            try await ScreenService(
                show: inbox,
                preparedTitles: PreparedTitleLists(
                    builder: parts.programmeBuilder, modelsFolderPath: run.modelsFolder),
                consoles: stream, catalogue: catalogue, pair: pair),
            presenting,
            EveningReferenceService(
                data: data, modelsFolder: run.modelsFolder, recordings: recordings, program: run.program,
                reserve: reserve),
            try PreparationService(
                data: data, models: run.modelsFolder, recordings: recordings, evenings: evenings,
                worker: WorkerProcess() ?? InProcessWorker(),
                isOnProgramme: { folder in
                    inbox.newestSnapshot.programme.pieces.contains { $0.folder == folder }
                }, removedAccounts: { (try? await catalogue.erasures(of: .account)) ?? [] },
                say: printToStandardError),
            try StudentsService(
                data: data, models: run.modelsFolder, recordings: recordings, catalogue: catalogue,
                hearing: ShowHearing(
                    input: input, show: inbox, consoles: stream,
                    leadsRehearsal: { await stands.leadsRehearsal($0) })),
            PracticeService(catalogue: catalogue, converter: TabExchangeConverter()),
            AccountsService(catalogue: catalogue, hasher: hasher),
            try DiaryKeepingService(
                data: data, catalogue: catalogue,
                runningShow: { URL(fileURLWithPath: show.recorder.writer.showFolder).lastPathComponent },
                programme: { inbox.newestSnapshot.programme },
                isActiveServer: { pair.map { $0.role == .main } ?? true }, modelsFolder: run.modelsFolder,
                sources: run.outsideSources, say: printToStandardError),
        ]
        var (replication, replica): (ReplicationService?, PerformanceService.ReplicationSettings?)
        if let pair {
            guard let key = run.linkKey else {
                throw ExplainedError(sentence: "Two servers of a show need a secret that both have.")
            }
            let copy = try await ReplicationService(
                of: served, data: data, isNew: isNewFolder, key: key, pair: pair, say: printToStandardError)
            replication = copy
            replica = PerformanceService.ReplicationSettings(
                replication: copy, key: key, version: Self.version, console: settings.externalConsoleAddress)
        }
        let performance = try await PerformanceService(
            parts, services: served, replica: replica, recordingRing: recorder?.ring,
            clients: {
                MetersSection.ClientCounts(
                    console: stream.eventHub.listenerCount,
                    audience: listeners.audienceEventHub.listenerCount,
                    osc: parts.oscOutput?.showControlService.stateReceivers.activeSubscribers.count ?? 0)
            }, checkSeconds: run.preShowListeningSeconds, say: printToStandardError)

        showLog.change(to: { performance.showLogFolder })
        let truth = run.trueMeasureTimesPath
        let health = HealthResponder(
            determineServerRole: { pair?.role.rawValue ?? "alone" },
            timeSinceEngineRan: { performance.engine.timeSinceLastRun },
            isAudioInputPresent: { !input.status.isLost },
            describeReplicaAge: { [replication] in replication?.consoleSection.sentence }
        )
        let console = ConsoleRoutes(
            desk: ConsoleRequestHandler(
                show: inbox, programme: parts.programmeChanger,
                sound: SoundDeviceChooser(ownInput, dataFolder: data, fixedBecause: run.soundFixedBecause),
                concerts: { await Self.listConcerts(in: catalogue) },
                beginCheck: performance.preShowCheck.start,
                cueProblem: parts.cueTargets.unsendableReason,
                health: health, reserve: reserve, report: { await performance.makeReport(truth: truth) }),
            events: stream.eventHub)
        let firstAccountCode = FirstAccountCode()
        let firstAccount = FirstAccountRoutes(
            catalogue: catalogue, hasher: hasher, code: firstAccountCode,
            isActiveServer: { pair.map { $0.role == .main } ?? true })
        let web = try WebServer(
            settings: settings,
            accounts: CatalogueAccounts(
                catalogue: catalogue, hasher: hasher,
                isActiveServer: { pair.map { $0.role == .main } ?? true }),
            routes: console.routes + presenting.floorRoutes
                + (settings.signInRequirement == .required ? firstAccount.routes : [])
                + Self.routesCheckingDiskSpace(
                    Self.routesRefusingChangesUnlessActive(of: served, changedOnlyBy: pair), reserve),
            readMilliseconds: { clock.now.milliseconds }, findOtherServer: { pair?.otherServerAddress },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                printToStandardError("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
        if settings.signInRequirement == .required, try await catalogue.accounts().isEmpty {
            printToStandardError(
                Self.noAccountsHint(isBackup: pair?.role == .backup, data: data, code: firstAccountCode.text))
        }
        let copies: [any Service] = replication.map { [$0] } ?? []
        // Services stop in reverse: the recording is completed before downloads are waited for.
        let recording: [any Service] = served.filter { $0 is RecordingsService }
        let others: [any Service] = served.filter { !($0 is RecordingsService) }
        services = [performance] + others + copies + [web] + recording
        isReady = true
    }

    /// Runs the server until the process is interrupted or a service fails.
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

    /// Makes the recorder of the evening. A show that is continued adds parts to its earlier recording.
    private static func makeRecorder(
        of parts: PerformanceComponents, input: any SoundSource, folders: [String], in store: RecordingStore,
        _ reserve: DiskReserve
    ) -> SoundRecorder {
        let (show, clock) = (parts.openedShow.recorder.writer.showFolder, parts.openedShow.clock)
        return SoundRecorder(
            rate: input.rate, name: URL(fileURLWithPath: show).lastPathComponent,
            title: parts.showProgramme.title,
            pieces: zip(parts.programme.pieceModels, folders).map { ("\($0.pieceName)", $1) }, store: store,
            diskReserve: reserve, readShowTime: { clock.now.milliseconds })
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

    /// Finds texts of rooms that have all words of a query, capitals and accents aside.
    private static func findRoomRemarks(
        _ query: String, _ person: RehearsalRoomUser, in stands: StandsService
    ) async -> [FoundRoomRemark] {
        let words = FoldedName.words(query, splittingAtApostrophes: false)
        guard !words.isEmpty else { return [] }
        let found = await stands.roomHub.findTexts(for: person) { text in
            let folded = FoldedName.words(text, splittingAtApostrophes: false).joined(separator: " ")
            return words.allSatisfy(folded.contains)
        }
        return found.map {
            FoundRoomRemark(room: $0.room, roomName: $0.roomName, score: $0.score, remark: $0.remark)
        }
    }

    /// Returns the hint that explains how to add the first account. A backup gets its accounts from the main server.
    private static func noAccountsHint(isBackup: Bool, data: String, code: String) -> String {
        if isBackup {
            return
                "Nobody can sign in here yet: the accounts come from the main server as soon as it is heard.\n"
        }
        let place = data == ConcertServerSettings.defaultDataFolder ? "" : " --data \(data)"
        return
            "Nobody can sign in yet. Open the page /start; it asks for the code \(code). "
            + "Or: baton user add NAME --role administrator\(place)\n"
    }
}
