import BackupLink
import Foundation
import Podium
import RealTime
import ShowLog
import Synchronization

/// One of two servers of a show: decides with the other who reigns, and hands the show over.
///
/// The main one tells its pulse ten times a second and sends its log as it grows; the backup copies the log and
/// keeps the state it leads to. Falls silent when the desk's thread stands still, so that a server that is alive
/// but stuck is replaced too.
final class ServePair: Sendable {
    /// How a server is set up.
    enum Setup: Sendable {
        case main(address: String, port: Int)
        case backup(of: String, port: Int)
    }

    private let succession: Mutex<Succession>
    private let link = Late<any BackupLink>()
    private let desk = Late<ShowDesk>()
    /// What is shared beside the show; it is made when everything else is open.
    let mirror = Late<ServeMirror>()
    private let began = MonotonicClock.now
    private let show: ServeShow
    private let folder: ShowFolder
    private let air: LiveAir?
    private let own: ShowCourse
    private let fingerprint: Mutex<(course: ShowCourse, value: UInt64)>
    private let identity = Late<LinkIdentity>()
    /// Where the main server is dialled; nil on the main one.
    private let mainHost: String?
    private let lastLine = Mutex<LinkLine?>(nil)
    private let nextBeat = Mutex<Duration>(.zero)
    private let takeovers = Atomic<Int>(0)

    /// - Parameter own: the show as this server's files have it.
    init(_ setup: Setup, show: ServeShow, folder: ShowFolder, air: LiveAir?, own: ShowCourse)
        throws(ShowLogFault)
    {
        self.show = show
        self.folder = folder
        self.air = air
        self.own = own
        fingerprint = Mutex((own, ShowFingerprint.of(own: own, inForce: own)))
        let start: Succession.Start
        switch setup {
        case .main: (start, mainHost) = (.main, nil)
        case .backup(let address, _): (start, mainHost) = (.backup, address)
        }
        let term = show.isContinued ? show.podium.state.epoch.term : 0
        succession = Mutex(
            Succession(
                server: Self.name(in: folder), start: start, term: term, packetCount: show.packets, at: .zero)
        )
    }

    /// A name that stays with the data folder.
    private static func name(in folder: ShowFolder) -> ServerID {
        let path = folder.path + "/server-name"
        if let known = try? String(contentsOfFile: path, encoding: .utf8),
            (8...100).contains(known.utf8.count)
        {
            return ServerID(known)
        }
        let name = ProcessInfo.processInfo.hostName.prefix(40) + "-" + UUID().uuidString.prefix(13)
        try? name.write(toFile: path, atomically: true, encoding: .utf8)
        return ServerID(String(name))
    }

    /// Opens the link. Call once, before the desk runs.
    func connect(
        _ setup: Setup, key: LinkKey, identity: LinkIdentity, desk: ShowDesk
    ) async throws(BackupLinkFault) {
        self.desk.set(desk)
        self.identity.set(identity)
        switch setup {
        case .main(let address, let port):
            link.set(
                try await BackupLinkServer(
                    address: address, port: port, key: key, identity: identity, handlers: handlers))
        case .backup(let address, let port):
            link.set(
                try await BackupLinkClient(
                    address: address, port: port, key: key, identity: identity, handlers: handlers))
        }
        link.value?.follow(true)
    }

    /// A line of this server's own log, for the other to copy.
    func offer(_ sequence: UInt64, _ bytes: [UInt8]) {
        let line = LinkLine(sequence: sequence, bytes: bytes)
        lastLine.withLock { $0 = line }
        link.value?.offer(line)
    }

    /// True where packets, cues and state may leave. Any thread; asked before each.
    var maySend: Bool { succession.withLock { $0.maySend(at: now) } }

    var role: ServerRole { succession.withLock { $0.role } }

    /// The other server reigns, is heard, and this one copies it.
    var follows: Bool { role == .backup && link.value?.status.isHeard == true }

    /// See ``BackupLink/ask(_:)``.
    func ask(_ question: [UInt8]) async throws(LinkSilence) -> [UInt8] {
        guard let link = link.value else { throw .notConnected }
        return try await link.ask(question)
    }

    private var now: Duration { MonotonicClock.now - began }

    private var handlers: LinkHandlers {
        LinkHandlers(
            heartbeat: { [self] beat in carry(out: succession.withLock { $0.hear(beat, at: now) }) },
            line: { [self] line in follow(line) },
            beginAgain: { [self] in beginAgain() },
            lastLine: { [self] in lastLine.withLock { $0 } },
            history: { [self] sequence in
                ShowLogReader.lines(of: show(of: desk.value), after: sequence)
                    .map { LinkLine(sequence: $0.sequence, bytes: $0.bytes) }
            },
            answer: { [self] question in await mirror.value?.answer(question) ?? [] })
    }

    private func show(of desk: ShowDesk?) -> String { desk?.logFolder ?? show.scribe.writer.show }

    /// Until told to stop; a thread of its own.
    func run(until stop: StopRequest) {
        while !stop.isMade {
            let now = now
            let copy = copy
            carry(
                out: succession.withLock { succession in
                    succession.copy = copy
                    return succession.tick(at: now)
                })
            beat(at: now)
            usleep(20_000)
        }
    }

    /// Of slides, scores, rooms and accounts, for the one who decides whether to take over.
    private var copy: CopyReach {
        guard let mirror = mirror.value, link.value?.status.otherAnswers != false else { return .noneMade }
        return .same(at: mirror.sameAge.map { now - $0 })
    }

    private func beat(at now: Duration) {
        guard
            nextBeat.withLock({ next in
                guard now >= next else { return false }
                next = max(next + .milliseconds(100), now)
                return true
            })
        else { return }
        // The desk looks up twenty times a second; one that does not is stuck, and the other should know.
        guard let desk = desk.value, desk.idle < .milliseconds(400) else { return }
        let digest = compareAnew(desk.newestPicture.course)
        let beat = succession.withLock {
            $0.heartbeat(
                logSequence: lastLine.withLock { $0?.sequence ?? 0 }, digest: digest,
                packetCount: air?.count ?? 0)
        }
        link.value?.send(beat)
    }

    /// Tells the other what is in force here now: cue lists are edited, and copied, while both run.
    private func compareAnew(_ course: ShowCourse) -> UInt64 {
        fingerprint.withLock { known in
            guard known.course != course else { return known.value }
            known = (course, ShowFingerprint.of(own: own, inForce: course))
            if var identity = identity.value {
                identity.showDigest = String(known.value, radix: 16)
                link.value?.identify(as: identity)
            }
            return known.value
        }
    }

    private func carry(out moves: [SuccessionMove]) {
        for move in moves {
            switch move {
            case .reign(let term, let packetCount): reign(term: term, packetCount: packetCount)
            case .stepDown, .follow: follow()
            }
        }
    }

    private func reign(term: UInt32, packetCount: UInt64) {
        link.value?.follow(false)
        air?.raise(countTo: packetCount)
        takeovers.wrappingAdd(1, ordering: .relaxed)
        let clock = show.clock
        desk.value?.act { reign in
            guard !reign.isOurs else { return }
            reign.isOurs = true
            reign.take(.term(term), at: clock.now)
            reign.take(.restarted, at: clock.now)
        }
    }

    private func follow() {
        air?.endLive()
        air?.withdrawMessage()
        desk.value?.act { $0.isOurs = false }
        link.value?.follow(true)
    }

    private func follow(_ line: LinkLine) {
        lastLine.withLock { $0 = line }
        desk.value?.act { $0.copy(line.bytes) }
    }

    /// The other's show is another than the one copied so far: a new copy begins.
    private func beginAgain() {
        lastLine.withLock { $0 = nil }
        desk.value?.act { [self] reign in
            guard !reign.isOurs else { return }
            let title = reign.podium.course.title
            let stamp = ShowFolder.stamp(Date())
            do throws(ShowLogFault) {
                let path = try folder.makeShow(title: title, began: stamp)
                let writer = try ShowLogWriter(
                    show: path, title: title, started: show.started, forward: { [self] in offer($0, $1) })
                reign.beginCopy(ShowScribe(writer: writer, continues: true))
            } catch {
                say("The other server's log cannot be copied: \(error.sentence)\n")
            }
        }
    }

    /// How the pair stands, for the console.
    var section: BackupSection {
        let status = link.value?.status
        let (role, other, term, waits) = succession.withLock {
            ($0.role, $0.other, $0.term, $0.waitsForCopy)
        }
        let heard = status?.isHeard ?? false
        let warnings = status?.warnings.map(\.sentence) ?? []
        let sentence: String
        switch role {
        case .main where heard:
            sentence =
                status?.isFollowed ?? false
                ? "The backup follows, \(status?.lagLines ?? 0) lines behind."
                : "The backup is heard but copies nothing yet."
        case .main: sentence = "No backup is heard; this server reigns alone."
        case .backup:
            sentence =
                heard
                ? "The main server is heard; this one follows it."
                : waits
                    ? "The main server is silent; it has what is not here yet, so this one waits 5 s for it."
                    : "The main server is silent."
        case .asking: sentence = "Listening whether another server reigns."
        case .alone: sentence = "There is no other server."
        }
        return BackupSection(
            role: role.rawValue, term: term, otherHeard: heard, otherRole: other?.role.rawValue,
            otherTerm: other?.term, heardMsAgo: status?.heardMillisecondsAgo,
            connected: status?.isConnected ?? false,
            lagLines: role == .main ? status?.lagLines ?? 0 : 0,
            lagMs: role == .main ? status?.lagMilliseconds ?? 0 : 0,
            takeovers: takeovers.load(ordering: .relaxed), warnings: warnings, sentence: sentence,
            content: mirror.value?.section)
    }

    /// The other server, in a few words.
    var other: ShowFlagsSection.Server.Other {
        let status = link.value?.status
        return ShowFlagsSection.Server.Other(
            connected: (status?.isHeard ?? false) && (role != .main || status?.isFollowed ?? false),
            lagMs: role == .main ? status?.lagMilliseconds ?? 0 : 0, version: status?.other?.version ?? "",
            sameShow: status?.warnings.isEmpty ?? true,
            address: ConsoleAddress.of(status?.other?.console, at: mainHost ?? status?.otherAddress))
    }

    /// For the check before a show.
    var readiness: (isReady: Bool, sentence: String) {
        let section = section
        guard section.otherHeard else { return (false, section.sentence + " Start it, and check the cable.") }
        guard section.warnings.isEmpty else { return (false, section.warnings.joined(separator: " ")) }
        if section.role == ServerRole.main.rawValue, let content = section.content, !content.isCurrent {
            return (false, section.sentence + " Of slides, scores and rooms, " + content.sentence + ".")
        }
        return (true, section.sentence)
    }

    func close() async { await link.value?.close() }
}

struct BackupSection: Encodable {
    var role: String
    var term: UInt32
    var otherHeard: Bool
    var otherRole: String?
    var otherTerm: UInt32?
    var heardMsAgo: Int64?
    var connected: Bool
    var lagLines: Int
    var lagMs: Int64
    var takeovers: Int
    var warnings: [String]
    var sentence: String
    /// Of slides, glossary, scores, rooms and accounts.
    var content: ContentCopySection?
}
