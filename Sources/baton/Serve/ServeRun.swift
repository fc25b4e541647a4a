import BackupLink
import Catalogue
import Following
import Foundation
import MessageBroker
import Multicast
import Passwords
import Podium
import RealTime
import Score
import ShowControl
import ShowLog
import Synchronization
import WebServer

/// A concert being served: lanes, desk, outputs and pages, started and stopped in order.
final class ServeRun: Sendable {
    static let version = "0.3"

    let lane: FollowLane
    let input: any LiveInput
    let air: LiveAir?
    let desk: ShowDesk
    let show: ServeShow
    let outputs: [any ShowOutput]
    let osc: OSCOutput?
    let broker: BrokerOutput?
    let web: WebServer
    let folder: ShowFolder
    let policies: Policies
    let pair: ServePair?
    let console: ConsoleOutput
    let content: ContentServing
    let rooms: RoomServing
    let place: ProgrammePlace
    let startFaults: StartFaults

    /// How the system schedules the lanes' threads, once they run.
    final class Policies: Sendable {
        let list = Mutex<[RealTimeThread.Policy]>([])
    }

    init(
        concert: ConcertFollower, folders: [String], place: ProgrammePlace, input: any LiveInput,
        options: ServeCommand
    ) async throws {
        self.input = input
        self.place = place
        let settings = try options.server.settings()
        try WebServer.checkAddress(of: settings)
        let folder = try ShowFolder(path: options.server.data)
        self.folder = folder
        let files = ServeCourse(recordings: options.programme.recordings, data: options.server.data)
        var beginning: [Fault] = []
        let course = try files.course(of: concert.programme, folders: folders) { beginning.append($0) }
        for fault in beginning { say(fault.sentence + "\n") }
        let pairBox = Late<ServePair>()
        let show = try ServeShow.open(course, in: folder, new: options.server.new) { sequence, line in
            pairBox.value?.offer(sequence, line)
        }
        self.show = show
        var isReady = false
        defer { if !isReady { show.discard() } }
        if let remark = show.remark { say(remark + "\n") }
        for sentence in show.damage.prefix(10) { say(sentence + "\n") }
        if let sentence = show.damageSentence {
            beginning.append(Fault(id: Self.damagedLog, sentence: sentence))
        }
        let found = StartFaults(beginning)
        startFaults = found
        let lane = try FollowLane(concert)
        self.lane = lane
        let air = try await options.packets.air(for: concert.programme, continuingFrom: show.packets)
        self.air = air
        let policies = Policies()
        self.policies = policies

        let setup = try options.pair.setup
        let pair = try setup.map { setup throws(ShowLogFault) in
            try ServePair(setup, show: show, folder: folder, air: air, own: course)
        }
        self.pair = pair
        if let pair {
            pairBox.set(pair)
            air?.sendOnly { pair.maySend }
        }

        // The web server is made before the desk, which tells it; it asks the desk only when it serves.
        let hubBox = Late<EventHub>()
        let deskBox = Late<ShowDesk>()
        let oscSettings = options.control.listenOsc ? try options.control.oscSettings() : nil
        let cueTargets = CueTargets(
            osc: oscSettings?.targets, brokerName: options.control.mqtt.map { _ in options.control.mqttName })
        for sentence in cueTargets.troubles(of: show.podium.course) { say(sentence + "\n") }
        var oscDesk: ShowControlDesk?
        if let oscSettings {
            oscDesk = try await ShowControlDesk(settings: oscSettings) { words, peer in
                await ShowControlCommands(desk: deskBox).obey(words, from: peer)
            }
        }
        let trouble: @Sendable (Fault) -> Void = { deskBox.value?.tell(.fault($0)) }
        let cueTrouble = CueTrouble(targets: cueTargets) { deskBox.value?.tell($0) }
        osc = oscDesk.map { OSCOutput($0, trouble: cueTrouble) }
        let broker = try options.control.brokerSettings().map { settings throws(BrokerFault) in
            try BrokerOutput(settings, trouble: cueTrouble)
        }
        self.broker = broker
        let isNewFolder = !FileManager.default.fileExists(
            atPath: options.server.data + "/catalogue.sqlite")
        let catalogue = try CatalogueStore(path: options.server.data + "/catalogue.sqlite")
        let clock = show.clock
        content = try await ContentServing(
            catalogue: catalogue, data: options.server.data,
            start: ContentStart(
                recordings: options.programme.recordings, models: options.programme.models, folders: folders,
                programme: concert.programme),
            show: show.started, clock: { clock.now.milliseconds }, say: say)
        let content = content
        let library = try await Library.open(
            catalogue: catalogue, data: options.server.data, recordings: options.programme.recordings,
            programme: zip(folders, concert.programme.models).map { folder, model in
                let map = course.pieces.first { $0.folder == folder }?.measures
                return LibraryPiece(
                    piece: folder, name: "\(model.name)",
                    numbers: map.flatMap { MeasureMap.numbers(of: $0.marks) })
            }, resumesImports: pair == nil, say: say)
        let rooms = try RoomServing(
            data: options.server.data, shelf: library, accounts: catalogue, course: course,
            clock: { clock.now }, desk: deskBox
        ) { score, part, remarks in
            await library.answer(printing: score, part: part, remarks: remarks)
        }
        self.rooms = rooms
        if let pair {
            try await Self.mirror(
                pair, options, isNew: isNewFolder, content: content, library: library, rooms: rooms)
        }
        library.changed.set { score in Task { await rooms.hub.scoreChanged(score) } }
        let writer = show.scribe.writer
        let clients: @Sendable () -> MetersSection.Clients = { [osc] in
            MetersSection.Clients(
                console: hubBox.value?.listenerCount ?? 0, audience: content.listeners,
                osc: osc?.desk.subscribers.subscribers.count ?? 0)
        }
        let meters = ServeMeters(
            lane: lane, input: input, air: air, folder: options.server.data, clients: clients,
            logBytes: { writer.writtenBytes })
        let console = ConsoleOutput(
            hub: hubBox, started: show.started, wall: show.wall,
            server: {
                ShowFlagsSection.Server(
                    role: pair?.role.rawValue ?? "alone",
                    term: deskBox.value?.newestPicture.state.epoch.term ?? 1,
                    version: ServeRun.version, backup: pair?.other)
            }, meters: meters.section, messages: { content.desk.served?.document.messages ?? [] },
            cueTargets: cueTargets)
        var outputs: [any ShowOutput] = [LaneOutput(orders: lane.orders)]
        if let air { outputs.append(AirOutput(air)) }
        outputs.append(content.output)
        outputs.append(rooms.output)
        outputs.append(console)
        if let osc { outputs.append(osc) }
        if let broker {
            outputs.append(broker)
            // Behind the audience's own output, whose words it repeats to relays.
            outputs.append(
                AudienceBroker(
                    name: options.control.mqttName, client: { broker.client }, hub: content.desk.audience,
                    content: { content.desk.served }, shelf: content.desk.shelf, trouble: trouble))
        }
        outputs.append(cueTrouble)
        outputs.append(
            CueFiles(show.podium.course, files, trouble: trouble) { id in
                if found.end(id) { deskBox.value?.tell(.faultEnded(id)) }
            })
        self.outputs = outputs
        let desk = ShowDesk(
            reign: DeskReign(podium: show.podium, scribe: show.scribe, isOurs: pair == nil), lane: lane,
            outputs: outputs, clock: show.clock, packets: { air?.count ?? 0 },
            clients: {
                let now = clients()
                return ["console": now.console, "audience": now.audience, "osc": now.osc]
            }, mayAct: { pair?.maySend ?? true })
        self.desk = desk
        deskBox.set(desk)
        content.desk.obeyShowLock { deskBox.value?.newestPicture.state.isLocked ?? false }
        let unlocked = lockMemoryIfPermitted()
        let check = PreShowCheck(
            PreShowCheck.Subjects(
                lane: lane, input: input, endpoint: air?.endpoint, osc: osc, broker: broker,
                cueTargets: cueTargets, folder: options.server.data,
                policies: { policies.list.withLock { $0 } },
                memoryTrouble: unlocked, backup: { pair?.readiness }, models: concert.programme.models,
                content: { content.desk.served }, matchSeconds: options.server.checkSeconds,
                scores: { [folders] in await library.numberRemarks(tonight: Set(folders)) })
        ) { section in console.publish(.check, section) }
        check.attach(desk)
        if let pair, let setup {
            try await pair.connect(
                setup, key: options.pair.key(),
                identity: LinkIdentity(
                    version: Self.version, show: course.title,
                    showDigest: String(ShowFingerprint.of(own: course, inForce: course), radix: 16),
                    console: settings.consoleForOthers), desk: desk)
        }
        self.console = console
        let truth = options.server.truth
        let health = ServeHealth(
            role: { pair?.role.rawValue ?? "alone" }, isListening: { !input.status.isLost },
            content: { pair?.mirror.value?.section.sentence })
        let reserve = DiskReserve(folder: options.server.data)
        let serveDesk = ServeDesk(
            desk: desk, check: check, cueTargets: cueTargets, health: health, reserve: reserve
        ) {
            await ServeRun.report(desk.logFolder, truth: truth)
        }
        let quota = UploadQuota(catalogue: catalogue, assets: content.desk.shelf, scores: library.shelf)
        let routes = Self.intake(
            Self.furtherRoutes(
                content: content.routes(quota), library: library.routes, rooms: rooms.routes, reigning: pair),
            reserve, quota)
        web = try WebServer(
            settings: settings, desk: serveDesk,
            accounts: ServeAccounts(
                catalogue: catalogue, hasher: PasswordHasher(waitingLimit: 32),
                reigns: { pair.map { $0.role == .main } ?? true }),
            furtherRoutes: routes,
            clock: { clock.now.milliseconds },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                say("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
        hubBox.set(web.events)
        if settings.signIn == .required, try await catalogue.accounts().isEmpty {
            // On a backup accounts are not made: they come from the main server.
            say(
                pair?.role == .backup
                    ? "Nobody can sign in here yet: the accounts come from the main server as soon as it is heard.\n"
                    : "Nobody can sign in yet: baton user add NAME --role administrator"
                        + (options.server.data == ServeOptions.standardData
                            ? "" : " --data \(options.server.data)") + "\n")
        }
        isReady = true
    }

    /// The fault of a show log of which something is missing.
    private static let damagedLog = "show-log-damage"
}
