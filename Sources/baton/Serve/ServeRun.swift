import BackupLink
import Catalogue
import Following
import Foundation
import MessageBroker
import Multicast
import Passwords
import Podium
import RealTime
import ShowControl
import ShowLog
import Synchronization
import WebServer

/// A concert being served: lanes, desk, outputs and pages, started and stopped in order.
final class ServeRun: Sendable {
    static let version = "0.3"

    private let lane: FollowLane
    private let input: any LiveInput
    private let air: LiveAir?
    private let desk: ShowDesk
    private let show: ServeShow
    private let outputs: [any ShowOutput]
    private let osc: OSCOutput?
    private let broker: BrokerOutput?
    private let web: WebServer
    private let folder: ShowFolder
    private let policies: Policies
    private let pair: ServePair?
    private let console: ConsoleOutput
    private let content: ContentServing
    private let rooms: RoomServing
    private let place: ProgrammePlace

    /// How the system schedules the lanes' threads, once they run.
    private final class Policies: Sendable {
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
        let course = try files.course(of: concert.programme, folders: folders)
        let pairBox = Late<ServePair>()
        let show = try ServeShow.open(course, in: folder, new: options.server.new) { sequence, line in
            pairBox.value?.offer(sequence, line)
        }
        self.show = show
        var isReady = false
        defer { if !isReady { show.discard() } }
        if let remark = show.remark { say(remark + "\n") }
        let lane = try FollowLane(concert)
        self.lane = lane
        let air = try await options.packets.air(for: concert.programme, continuingFrom: show.packets)
        self.air = air
        let policies = Policies()
        self.policies = policies

        let setup = try options.pair.setup
        let pair = try setup.map { setup throws(ShowLogFault) in
            try ServePair(setup, show: show, folder: folder, air: air, digest: Self.digest(of: course))
        }
        self.pair = pair
        if let pair {
            pairBox.set(pair)
            air?.sendOnly { pair.maySend }
        }

        // The web server is made before the desk, which tells it; it asks the desk only when it serves.
        let hubBox = Late<EventHub>()
        let deskBox = Late<ShowDesk>()
        let oscDesk =
            options.control.listenOsc
            ? try await ShowControlDesk(settings: options.control.oscSettings()) { words, peer in
                await ShowControlCommands(desk: deskBox).obey(words, from: peer)
            } : nil
        let trouble: @Sendable (Fault) -> Void = { deskBox.value?.tell(.fault($0)) }
        let cueTrouble = CueTrouble { deskBox.value?.tell($0) }
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
            programme: zip(folders, concert.programme.models).map {
                LibraryPiece(piece: $0, name: "\($1.name)")
            }, resumesImports: pair == nil, say: say)
        let rooms = try RoomServing(
            data: options.server.data, shelf: library, accounts: catalogue, course: course,
            clock: { clock.now }, desk: deskBox
        ) { score, part, remarks in
            await library.answer(printing: score, part: part, remarks: remarks)
        }
        self.rooms = rooms
        if let pair {
            let mirror = try await ServeMirror(
                data: options.server.data,
                shelves: [("assets", content.desk.shelf), ("scores", library.shelf)], isNew: isNewFolder,
                key: options.pair.key(), pair: pair, say: say
            ) { database, tables in
                if database == "rooms" { return rooms.hub.forget() }
                await library.reread()
                if !tables.isDisjoint(with: ["all", "concert", "servedConcert", "contentEdit"]) {
                    await content.desk.reread()
                }
            }
            mirror.whenReigning {
                for note in await library.resumeImports() { say(note + "\n") }
                _ = try? await rooms.hub.loaded()
            }
            pair.mirror.set(mirror)
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
            }, meters: meters.section, messages: { content.desk.served?.document.messages ?? [] })
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
        outputs.append(CueFiles(show.podium.course, files, trouble: trouble))
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
        let unlocked = lockMemoryIfPermitted()
        let check = PreShowCheck(
            PreShowCheck.Subjects(
                lane: lane, input: input, endpoint: air?.endpoint, osc: osc, broker: broker,
                folder: options.server.data, policies: { policies.list.withLock { $0 } },
                memoryTrouble: unlocked, backup: { pair?.readiness }, models: concert.programme.models,
                matchSeconds: options.server.checkSeconds)
        ) { section in console.publish(.check, section) }
        check.attach(desk)
        if let pair, let setup {
            try await pair.connect(
                setup, key: options.pair.key(),
                identity: LinkIdentity(
                    version: Self.version, show: course.title,
                    showDigest: String(Self.digest(of: course), radix: 16)), desk: desk)
        }
        self.console = console
        let truth = options.server.truth
        let health = ServeHealth(
            role: { pair?.role.rawValue ?? "alone" }, isListening: { !input.status.isLost },
            content: { pair?.mirror.value?.section.sentence })
        let serveDesk = ServeDesk(desk: desk, check: check, health: health) {
            await ServeRun.report(desk.logFolder, truth: truth)
        }
        web = try WebServer(
            settings: settings, desk: serveDesk,
            accounts: ServeAccounts(
                catalogue: catalogue, hasher: PasswordHasher(),
                reigns: { pair.map { $0.role == .main } ?? true }),
            furtherRoutes: (content.routes + library.routes).map { route in
                // What is changed beside the server that reigns would only be put aside.
                pair.map { pair in route.refusingChanges { Self.refusal(of: pair) } } ?? route
            } + rooms.routes,
            beatClock: { clock.now.milliseconds },
            onListening: { port in
                let scheme = settings.tls == nil ? "http" : "https"
                say("The console is at \(scheme)://\(settings.address):\(port)/console\n")
            })
        hubBox.set(web.events)
        if settings.signIn == .required, try await catalogue.accounts().isEmpty {
            say(
                "Nobody can sign in yet: baton user add NAME --role administrator"
                    + (options.server.data == ServeOptions.standardData
                        ? "" : " --data \(options.server.data)") + "\n")
        }
        isReady = true
    }

    /// Serves until somebody interrupts.
    func run(until interruption: LiveInterruption) async throws {
        let sending = air.map { air in Task { await air.send() } }
        let (lane, input, desk) = (lane, input, desk)
        let deskThread = try RealTimeThread(name: "desk", priority: Self.deskPriority) { desk.run(until: $0) }
        if show.isContinued, pair == nil { desk.tell(.restarted) }
        if !show.isContinued, let words = Self.beginning(place) {
            desk.tell(.command(words, by: Person(name: "start", role: .automation), epoch: nil))
        }
        let pairThread = try pair.map { pair in
            try RealTimeThread(name: "pair", priority: Self.deskPriority) { pair.run(until: $0) }
        }
        let follow = try RealTimeThread(name: "follow", priority: Self.followPriority) { lane.run(until: $0) }
        let capture = try RealTimeThread(name: "capture", priority: Self.capturePriority) { stop in
            input.run(into: lane.ring, ringing: lane.heard, until: stop)
        }
        policies.list.withLock { $0 = [capture.policy, follow.policy] }
        var watch = ServeWatch(
            desk: desk, lane: lane, input: input, air: air, osc: osc, broker: broker, folder: folder.path
        ) { [console] in console.publish(.targets, $0) }
        let watching = Task { await watch.run() }
        let telling = Task { await tellOfPair() }
        let mirroring = Task { [pair] in await pair?.mirror.value?.run() }
        let contentWatch = Task { [content] in await content.desk.watch() }
        let rehearsing = Task { [rooms] in await rooms.run(say: say) }
        let brokerCommands = broker.map { broker in
            Task { await ShowControlCommands(desk: desk).hear(broker) }
        }
        let serving = Task { try await web.run() }
        let failed = Mutex<(any Error)?>(nil)
        let served = Task {
            do { try await serving.value } catch { failed.withLock { $0 = error } }
        }
        while !interruption.isMade, failed.withLock({ $0 == nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
        await web.stop()
        await served.value
        watching.cancel()
        telling.cancel()
        contentWatch.cancel()
        rehearsing.cancel()
        mirroring.cancel()
        pairThread?.stop()
        await pair?.close()
        brokerCommands?.cancel()
        capture.stop()
        follow.stop()
        deskThread.stop()
        for output in outputs { await output.close() }
        await air?.close()
        sending?.cancel()
        await sending?.value
        finish()
        if let error = failed.withLock({ $0 }) { throw error }
    }

    /// The command that begins elsewhere than at the first measure of the first piece; nil where that is meant.
    private static func beginning(_ place: ProgrammePlace) -> PodiumCommand? {
        guard place != .beginning else { return nil }
        return try? PodiumCommand(
            words: ["piece", "\(place.piece + 1)", place.position.map { "p:\($0.played)" } ?? "unknown"])
    }

    /// What a server that does not reign says to who would change its content; nil where it reigns.
    private static func refusal(of pair: ServePair) -> WebAnswer? {
        guard pair.role != .main else { return nil }
        return .refused(
            503, "not-reigning",
            "Another server has the show; what you change here would not be kept. Make the change there."
        ).with("Retry-After", "1")
    }

    private func tellOfPair() async {
        guard let pair else { return }
        while !Task.isCancelled {
            console.publish(.backup, pair.section)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Equal where two servers have the same music and cues.
    private static func digest(of course: ShowCourse) -> UInt64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(course)) ?? Data()
        // FNV-1a: a fingerprint against mistakes, not against malice.
        return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// A show whose last piece was played to its end is over; any other goes on with the next start.
    private func finish() {
        let picture = desk.newestPicture
        guard picture.isOurs else { return }
        let isOver = picture.state.mode == .finished && picture.state.piece == picture.course.pieces.count - 1
        if isOver { _ = show.scribe.finish(at: show.clock.now) } else { _ = show.scribe.writer.sync() }
        guard let report = try? ShowReport(show: desk.logFolder) else { return }
        let path = desk.logFolder + "/report.json"
        try? Data(report.json).write(to: URL(fileURLWithPath: path), options: .atomic)
        say("The show log and its report are in \(desk.logFolder)\n")
    }

    private static let capturePriority: Int32 = 70
    private static let followPriority: Int32 = 60
    private static let deskPriority: Int32 = 50

    private static func report(_ show: String, truth: String?) async -> [UInt8]? {
        await Task.detached(priority: .utility) {
            guard var report = try? ShowReport(show: show) else { return nil }
            if let truth, let rows = try? ShowTruth(file: truth) { report.judge(piece: 0, by: rows) }
            return report.json
        }.value
    }
}
