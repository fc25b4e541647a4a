import Audience
import BackupLink
import Catalogue
import Console
import Editor
import Following
import Foundation
import Hosting
import ScoreLibrary
import MessageBroker
import Multicast
import Passwords
import Performance
import Podium
import RealTime
import Replication
import Score
import ShowControl
import ShowLog
import SignIn
import Stands
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
    let stream: ConsoleStream
    let content: ContentServing
    let audience: AudienceServing
    let library: Library
    let mirror: ServeMirror?
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
        let lines = LogLines()
        let show = try ServeShow.open(course, in: folder, new: options.server.new, forward: lines.offer)
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
        let setup = try options.pair.setup
        let inbox = ShowDesk.inbox(
            to: lane, for: show.podium, isOurs: setup == nil, at: show.clock.now)
        let stream = ConsoleStream(WebServer.consoleEvents(settings.limits))
        let policies = Policies()
        self.policies = policies

        let pair = try setup.map { setup throws(ShowLogFault) in
            try ServePair(setup, show: show, folder: folder, lines: lines, own: course)
        }
        self.pair = pair
        let air = try await options.packets.air(
            for: concert.programme, continuingFrom: show.packets, while: { pair?.maySend ?? true })
        self.air = air

        let oscSettings = options.control.listenOsc ? try options.control.oscSettings() : nil
        let cueTargets = CueTargets(
            osc: oscSettings?.targets, brokerName: options.control.mqtt.map { _ in options.control.mqttName })
        for sentence in cueTargets.troubles(of: show.podium.course) { say(sentence + "\n") }
        var oscDesk: ShowControlDesk?
        if let oscSettings {
            oscDesk = try await ShowControlDesk(settings: oscSettings) { words, peer in
                await ShowControlCommands(show: inbox).obey(words, from: peer)
            }
        }
        let trouble: @Sendable (Fault) -> Void = { inbox.tell(.fault($0)) }
        let cueTrouble = CueTrouble(targets: cueTargets) { inbox.tell($0) }
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
            say: say)
        let content = content
        let audience = AudienceServing(
            content.desk.listeners, show: show.started, clock: { clock.now.milliseconds })
        self.audience = audience
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
            clock: { clock.now }, show: inbox
        ) { score, part, remarks in
            await library.answer(printing: score, part: part, remarks: remarks)
        }
        self.rooms = rooms
        self.library = library
        let mirror: ServeMirror? =
            if let pair {
                try await Self.mirror(
                    pair, options, isNew: isNewFolder, content: content, library: library, rooms: rooms)
            } else { nil }
        self.mirror = mirror
        let writer = show.scribe.writer
        let clients: @Sendable () -> MetersSection.Clients = { [osc] in
            MetersSection.Clients(
                console: stream.hub.listenerCount, audience: audience.listeners.hub.listenerCount,
                osc: osc?.desk.subscribers.subscribers.count ?? 0)
        }
        let meters = ServeMeters(
            lane: lane, input: input, air: air, folder: options.server.data, stream: stream, clients: clients,
            logBytes: { writer.writtenBytes })
        let console = ConsoleOutput(
            stream: stream, started: show.started, wall: show.wall,
            server: {
                ServerField(
                    role: pair?.role.rawValue ?? "alone",
                    term: inbox.newestPicture.state.epoch.term,
                    version: ServeRun.version, backup: pair?.other)
            }, messages: { content.desk.served?.document.messages ?? [] },
            cueTrouble: cueTargets.trouble)
        var outputs: [any ShowOutput] = [LaneOutput(orders: lane.orders)]
        if let air { outputs.append(AirOutput(air)) }
        outputs.append(audience.output)
        outputs.append(rooms.output)
        outputs.append(console)
        outputs.append(meters)
        if let osc { outputs.append(osc) }
        if let broker {
            outputs.append(broker)
            // Behind the audience's own output, whose words it repeats to relays.
            outputs.append(
                AudienceBroker(
                    name: options.control.mqttName, client: { broker.client }, hub: audience.listeners.hub,
                    content: { content.desk.served }, shelf: content.desk.shelf, trouble: trouble))
        }
        outputs.append(cueTrouble)
        outputs.append(
            CueFiles(show.podium.course, files, trouble: trouble) { id in
                if found.end(id) { inbox.tell(.faultEnded(id)) }
            })
        self.outputs = outputs
        let desk = ShowDesk(
            reign: DeskReign(podium: show.podium, scribe: show.scribe, isOurs: pair == nil), inbox: inbox,
            lane: lane,
            outputs: outputs, clock: show.clock, packets: { air?.count ?? 0 },
            clients: {
                let now = clients()
                return ["console": now.console, "audience": now.audience, "osc": now.osc]
            }, mayAct: { pair?.maySend ?? true })
        self.desk = desk
        content.desk.obeyShowLock { inbox.newestPicture.state.isLocked }
        let unlocked = lockMemoryIfPermitted()
        let check = PreShowCheck(
            PreShowCheck.Subjects(
                lane: lane, input: input, endpoint: air?.endpoint, osc: osc, broker: broker,
                cueTargets: cueTargets, folder: options.server.data,
                policies: { policies.list.withLock { $0 } },
                memoryTrouble: unlocked, backup: { pair?.readiness }, models: concert.programme.models,
                matchSeconds: options.server.checkSeconds,
                questions: [
                    audience.slidesQuestion, library.numbersQuestion,
                ]), show: inbox
        ) { section in stream.publish(.check, section) }
        if let pair, let setup, let mirror {
            try await pair.connect(
                setup, key: options.pair.key(),
                identity: LinkIdentity(
                    version: Self.version, show: course.title,
                    showDigest: String(ShowFingerprint.of(own: course, inForce: course), radix: 16),
                    console: settings.consoleForOthers), desk: desk, mirror: mirror, air: air)
        }
        self.console = console
        self.stream = stream
        let truth = options.server.truth
        let health = ServeHealth(
            role: { pair?.role.rawValue ?? "alone" }, idle: { desk.idle },
            isListening: { !input.status.isLost }, content: { mirror?.section.sentence })
        let reserve = DiskReserve(folder: options.server.data)
        let serveDesk = ServeDesk(
            show: inbox, beginCheck: check.start, cueTrouble: cueTargets.trouble, health: health,
            reserve: reserve
        ) {
            await ServeRun.report(desk.logFolder, truth: truth)
        }
        let quota = UploadQuota(catalogue: catalogue, assets: content.desk.shelf, scores: library.shelf)
        let routes = Self.intake(
            Self.furtherRoutes(
                content: audience.routes + content.routes(quota), library: library.routes,
                rooms: rooms.routes, reigning: pair),
            reserve, quota)
        web = try WebServer(
            settings: settings, desk: serveDesk,
            accounts: ServeAccounts(
                catalogue: catalogue, hasher: PasswordHasher(waitingLimit: 32),
                reigns: { pair.map { $0.role == .main } ?? true }),
            furtherRoutes: routes, events: stream.hub,
            clock: { clock.now.milliseconds },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                say("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
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
