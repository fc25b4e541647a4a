import BackupLink
import Foundation
import Hosting
import Podium
import RealTime
import ShowLog
import Synchronization

/// One server of a main and backup pair: agrees with the other on which one is active, and carries out takeovers.
///
/// The active server sends ten heartbeats a second and forwards its log; the backup copies the log and applies it to
/// its own state. Heartbeats stop when the show engine's thread is stuck, so that a server that runs but no longer
/// works is replaced, too.
package final class ServePair: OtherServer {
    /// The role for which a server was configured, and the address of the link.
    package enum Setup: Sendable {
        case main(address: String, port: Int)
        case backup(of: String, port: Int)
    }

    private let succession: Mutex<Failover>
    /// The link to the other server, and the parts of this server that it drives. The link calls back into this
    /// object, so it is opened last.
    private struct Connection {
        var link: (any BackupLink)?
        var desk: ShowDesk?
        var mirror: (any ContentCopying)?
        var air: LiveAir?
        var identity: LinkIdentity?
    }

    private let connection = Mutex(Connection())
    private var link: (any BackupLink)? { connection.withLock { $0.link } }
    private var desk: ShowDesk? { connection.withLock { $0.desk } }
    private var mirror: (any ContentCopying)? { connection.withLock { $0.mirror } }
    private let began = MonotonicClock.now
    private let show: ServeShow
    private let folder: ShowFolder
    private var air: LiveAir? { connection.withLock { $0.air } }
    private let own: ShowProgramme
    private let fingerprint: Mutex<(course: ShowProgramme, value: UInt64)>
    /// The host name or address of the main server; nil on the main server itself.
    private let mainHost: String?
    private let lines: LogLines
    /// True after a new folder was made to copy the other server's log from its first line, until that line arrives.
    private let isCopyBegun = Mutex(false)
    private let nextBeat = Mutex<Duration>(.zero)
    private let takeovers = Atomic<Int>(0)

    /// - Parameters:
    ///   - own: the programme from this server's files.
    ///   - timeouts: the same in both servers.
    package init(
        _ setup: Setup, show: ServeShow, folder: ShowFolder, lines: LogLines, own: ShowProgramme,
        timeouts: FailoverSettings
    ) throws(ShowLogFault) {
        self.show = show
        self.folder = folder
        self.lines = lines
        lines.begin(after: show.isContinued ? Self.lastLine(of: show) : nil)
        self.own = own
        fingerprint = Mutex((own, ShowFingerprint.of(own: own, inForce: own)))
        let start: Failover.Start
        switch setup {
        case .main: (start, mainHost) = (.main, nil)
        case .backup(let address, _): (start, mainHost) = (.backup, address)
        }
        let term = show.isContinued ? show.podium.state.epoch.term : 0
        succession = Mutex(
            Failover(
                server: Self.name(in: folder), start: start, settings: timeouts, term: term,
                packetCount: show.packets, at: .zero))
    }

    /// A random name of this server, stored in the data folder.
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

    /// Opens the link. Call once, before the show engine runs.
    func connect(
        _ setup: Setup, key: LinkKey, identity: LinkIdentity, desk: ShowDesk,
        mirror: any ContentCopying, air: LiveAir?
    ) async throws(BackupLinkFault) {
        connection.withLock {
            ($0.desk, $0.mirror, $0.identity, $0.air) = (desk, mirror, identity, air)
        }
        let opened: any BackupLink
        switch setup {
        case .main(let address, let port):
            opened = try await BackupLinkServer(
                address: address, port: port, key: key, identity: identity, handlers: handlers)
        case .backup(let address, let port):
            opened = try await BackupLinkClient(
                address: address, port: port, key: key, identity: identity, handlers: handlers)
        }
        connection.withLock { $0.link = opened }
        lines.plugIn(opened)
        opened.follow(true)
    }

    /// True while this server is active and may send packets, cues and state. Checked before each of them, on any
    /// thread.
    package var maySend: Bool { succession.withLock { $0.maySend(at: now) } }

    package var role: ServerRole { succession.withLock { $0.role } }

    /// True while this server is the backup, hears the active server's heartbeats and copies its log.
    package var follows: Bool { role == .backup && link?.status.isHeard == true }

    /// Sends a question to the other server and waits for its answer; see ``BackupLink/ask(_:)``.
    package func ask(_ question: [UInt8]) async throws(LinkAnswerError) -> [UInt8] {
        guard let link else { throw .notConnected }
        return try await link.ask(question)
    }

    private var now: Duration { MonotonicClock.now - began }

    private var handlers: LinkHandlers {
        LinkHandlers(
            heartbeat: { [self] beat in carry(out: succession.withLock { $0.hear(beat, at: now) }) },
            line: { [self] line in follow(line) },
            restartCopy: { [self] in restartCopy() },
            lastLine: { [lines] in lines.last },
            history: { [self] sequence in
                ShowLogReader.lines(of: show(of: desk), after: sequence)
                    .map { LinkLine(sequence: $0.sequence, bytes: $0.bytes) }
            },
            answer: { [self] question in await mirror?.answer(question) ?? [] })
    }

    private static func lastLine(of show: ServeShow) -> LinkLine? {
        let writer = show.scribe.writer
        guard writer.sequence > 0 else { return nil }
        return ShowLogReader.lines(of: writer.show, after: writer.sequence - 1).first
            .map { LinkLine(sequence: $0.sequence, bytes: $0.bytes) }
    }

    private func show(of desk: ShowDesk?) -> String { desk?.logFolder ?? show.scribe.writer.show }

    /// Sends heartbeats and checks for a takeover until told to stop. Needs its own thread.
    package func run(until stop: StopRequest) {
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

    /// The age of this server's replica of content, scores, rooms and accounts, on which the decision to take over
    /// depends.
    private var copy: ReplicaFreshness {
        guard let mirror, link?.status.otherAnswersQuestions != false else { return .noneMade }
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
        // The show engine runs twenty times a second. If it is stuck, no heartbeat is sent, so that the other server
        // takes over.
        guard let desk, desk.idle < .milliseconds(400) else { return }
        let digest = compareAnew(desk.inbox.newestPicture.course)
        let beat = succession.withLock {
            $0.heartbeat(
                logSequence: lines.last?.sequence ?? 0, digest: digest,
                packetCount: air?.count ?? 0)
        }
        link?.send(beat)
    }

    /// Computes the fingerprint of the show again if it has changed, and sends it to the other server; cue lists may
    /// be edited while both servers run.
    private func compareAnew(_ course: ShowProgramme) -> UInt64 {
        fingerprint.withLock { known in
            guard known.course != course else { return known.value }
            known = (course, ShowFingerprint.of(own: own, inForce: course))
            if var identity = connection.withLock({ $0.identity }) {
                identity.showDigest = String(known.value, radix: 16)
                link?.identify(as: identity)
            }
            return known.value
        }
    }

    private func carry(out moves: [FailoverAction]) {
        for move in moves {
            switch move {
            case .reign(let term, let packetCount): reign(term: term, packetCount: packetCount)
            case .stepDown, .follow: follow()
            }
        }
    }

    private func reign(term: UInt32, packetCount: UInt64) {
        link?.follow(false)
        air?.raise(countTo: packetCount)
        takeovers.wrappingAdd(1, ordering: .relaxed)
        let clock = show.clock
        desk?.act { reign in
            guard !reign.isOurs else { return }
            reign.isOurs = true
            reign.take(.term(term), at: clock.now)
            reign.take(.restarted, at: clock.now)
        }
    }

    private func follow() {
        air?.endLive()
        air?.withdrawMessage()
        desk?.act { $0.isOurs = false }
        link?.follow(true)
    }

    private func follow(_ line: LinkLine) {
        // The other server sends its log from the beginning, so it must not be appended to lines that this server
        // wrote.
        if lines.last == nil, !isCopyBegun.withLock({ $0 }) { restartCopy() }
        isCopyBegun.withLock { $0 = false }
        lines.note(line)
        desk?.act { $0.copy(line.bytes) }
    }

    /// Begins a new log folder for the other server's show, because this server has another one.
    private func restartCopy() {
        lines.note(nil)
        isCopyBegun.withLock { $0 = true }
        desk?.act { [self] reign in
            guard !reign.isOurs else { return }
            let title = reign.podium.course.title
            let stamp = ShowFolder.stamp(Date())
            do throws(ShowLogFault) {
                let path = try folder.makeShow(title: title, began: stamp)
                let writer = try ShowLogWriter(
                    show: path, title: title, started: show.started, forward: lines.offer)
                reign.beginCopy(ShowRecorder(writer: writer, continues: true))
                // Removes the show that this server created at its start and that was never played.
                if takeovers.load(ordering: .relaxed) == 0 { show.discard() }
            } catch {
                say("The other server's log cannot be copied: \(error.sentence)\n")
            }
        }
    }

    /// The console's section `backup`: the state of the pair.
    package var section: BackupSection {
        let status = link?.status
        let (role, other, term, waits) = succession.withLock {
            ($0.role, $0.other, $0.term, $0.waitsForReplica)
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
        case .main: sentence = "No backup is heard; this server is active alone."
        case .backup:
            sentence =
                heard
                ? "The main server is heard; this one follows it."
                : waits
                    ? "The main server is silent; it has data that is not here yet, so this one waits 5 s for it."
                    : "The main server is silent."
        case .asking: sentence = "Listening whether another server is active."
        case .alone: sentence = "There is no other server."
        }
        return BackupSection(
            role: role.rawValue, term: term, otherHeard: heard, otherRole: other?.role.rawValue,
            otherTerm: other?.term, heardMsAgo: status?.heardMillisecondsAgo,
            connected: status?.isConnected ?? false,
            lagLines: role == .main ? status?.lagLines ?? 0 : 0,
            lagMs: role == .main ? status?.lagMilliseconds ?? 0 : 0,
            takeovers: takeovers.load(ordering: .relaxed), warnings: warnings, sentence: sentence,
            content: mirror?.section)
    }

    /// A summary of the other server for the console.
    package var other: ServerField.Other {
        let status = link?.status
        return ServerField.Other(
            connected: (status?.isHeard ?? false) && (role != .main || status?.isFollowed ?? false),
            lagMs: role == .main ? status?.lagMilliseconds ?? 0 : 0, version: status?.other?.version ?? "",
            sameShow: status?.warnings.isEmpty ?? true,
            address: ConsoleAddress.of(status?.other?.console, at: mainHost ?? status?.otherAddress))
    }

    /// Whether the pair is ready for the show, for the pre-show check.
    var readiness: (isReady: Bool, sentence: String) {
        let section = section
        guard section.otherHeard else { return (false, section.sentence + " Start it, and check the cable.") }
        guard section.warnings.isEmpty else { return (false, section.warnings.joined(separator: " ")) }
        if section.role == ServerRole.main.rawValue, let content = section.content, !content.isCurrent {
            return (false, section.sentence + " Of slides, scores and rooms, " + content.sentence + ".")
        }
        return (true, section.sentence)
    }

    package func close() async { await link?.close() }
}

package struct BackupSection: Encodable {
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
    /// The state of the replication of content, scores, rooms and accounts.
    var content: ContentCopySection?
}
