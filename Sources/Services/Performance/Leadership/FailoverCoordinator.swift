import BackupLink
import Basics
import Foundation
import Hosting
import Platform
import Podium
import ShowLog
import Synchronization

/// One server of a main and backup pair: agrees with the other server on which one is active, and carries out
/// takeovers.
///
/// The active server sends ten heartbeats a second and forwards its log; the backup copies the log and applies it to
/// its own state. Heartbeats stop when the show engine's thread is stuck, so that the backup also replaces a server
/// that runs but no longer works.
package final class FailoverCoordinator: PairedServer {
    /// The role for which a server was configured, and the address of the link.
    package enum Setup: Sendable {
        case main(address: String, port: Int)
        case backup(of: String, port: Int)
    }

    let failover: Mutex<Failover>
    private let cutOff = Mutex(CutOff())
    /// The link to the other server, and the parts of this server that the link drives. The link calls back into the
    /// coordinator, so it is opened last.
    private struct AttachedParts {
        var link: (any BackupLink)?
        var engine: ShowEngine?
        var contentReplicator: (any ContentReplicator)?
        var packetSender: PhonePacketSender?
        var linkIdentity: LinkedServerIdentity?
    }

    private let attachedParts = Mutex(AttachedParts())
    var link: (any BackupLink)? { attachedParts.withLock { $0.link } }
    private var engine: ShowEngine? { attachedParts.withLock { $0.engine } }
    var contentReplicator: (any ContentReplicator)? {
        attachedParts.withLock { $0.contentReplicator }
    }
    private let startInstant = MonotonicClock.now
    private let openedShow: OpenedShow
    private let serverDataFolder: ServerDataFolder
    private var packetSender: PhonePacketSender? { attachedParts.withLock { $0.packetSender } }
    let nextEvening: NextEvening
    private let readOwnProgramme: @Sendable () -> ShowProgramme
    private let showFingerprint: Mutex<(own: ShowProgramme, course: ShowProgramme, value: UInt64)>
    /// The host name or address of the main server; nil on the main server itself.
    let mainHost: String?
    private let logForwarder: LogForwarder
    /// True from the moment a new folder is made to copy the other server's log until the first line of that log
    /// arrives.
    private let isAwaitingFirstLine = Mutex(false)
    private let nextHeartbeatTime = Mutex<Duration>(.zero)
    let takeoverCount = Atomic<Int>(0)

    /// Creates the coordinator; `openLink` opens its link to the other server later.
    /// - Parameters:
    ///   - ownProgramme: returns the programme that this server's follower follows.
    ///   - timeouts: the timeouts of failover, which must be the same in both servers.
    package init(
        _ setup: Setup, openedShow: OpenedShow, serverDataFolder: ServerDataFolder,
        logForwarder: LogForwarder, nextEvening: NextEvening,
        ownProgramme: @escaping @Sendable () -> ShowProgramme,
        timeouts: FailoverSettings
    ) throws(ShowLogFault) {
        self.openedShow = openedShow
        self.serverDataFolder = serverDataFolder
        self.logForwarder = logForwarder
        self.nextEvening = nextEvening
        logForwarder.startForwarding(
            after: openedShow.isContinued ? Self.readLastLogLine(of: openedShow) : nil)
        readOwnProgramme = ownProgramme
        let own = ownProgramme()
        showFingerprint = Mutex((own, own, ShowFingerprint.compute(own: own, inForce: own)))
        let start: Failover.ConfiguredRole
        switch setup {
        case .main: (start, mainHost) = (.main, nil)
        case .backup(let address, _): (start, mainHost) = (.backup, address)
        }
        let term =
            openedShow.isContinued
            ? openedShow.podium.state.epoch.term
            : ProgrammeFile.readNext(in: serverDataFolder.path)?.term ?? 0
        failover = Mutex(
            Failover(
                ownServerID: Self.loadServerID(in: serverDataFolder), start: start, settings: timeouts,
                term: term,
                packetCount: openedShow.startPacketNumber, at: .zero))
    }

    /// A random name of this server, stored in the data folder.
    private static func loadServerID(in folder: ServerDataFolder) -> ServerID {
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
    func openLink(
        _ setup: Setup, key: BackupLinkKey, identity: LinkedServerIdentity, engine: ShowEngine,
        replication: any ContentReplicator, packetSender: PhonePacketSender?
    ) async throws(ExplainedError) {
        attachedParts.withLock {
            ($0.engine, $0.contentReplicator, $0.linkIdentity, $0.packetSender) = (
                engine, replication, identity, packetSender
            )
        }
        let opened: any BackupLink
        switch setup {
        case .main(let address, let port):
            opened = try await BackupLinkServer(
                address: address, port: port, key: key, identity: identity, handlers: linkHandlers)
        case .backup(let address, let port):
            opened = try await BackupLinkClient(
                address: address, port: port, key: key, identity: identity, handlers: linkHandlers)
        }
        attachedParts.withLock { $0.link = opened }
        logForwarder.attachLink(opened)
        opened.setCopyingOtherLog(true)
    }

    /// True while this server is active and may send packets, cues and state. It is checked before each of them, on any
    /// thread.
    package var maySendOutputs: Bool { failover.withLock { $0.maySend(at: timeSinceStart) } }

    /// True while this server knows whether it is the active one, so that it may carry out what it is told. False also
    /// for a moment after its own network has come back, or after it stood still.
    var isSureOfRole: Bool {
        let now = timeSinceStart
        let (role, maySend, otherHeardAt) = failover.withLock {
            ($0.role, $0.maySend(at: now), $0.otherHeardAt)
        }
        return cutOff.withLock { cutOff in
            // A server that leads and may not send has found out that it stood still.
            if role == .main, !maySend { cutOff.noteStall(at: now, otherHeardAt: otherHeardAt) }
            return maySend && !cutOff.mustWait(at: now, otherHeardAt: otherHeardAt)
        }
    }

    package var role: ServerRole { failover.withLock { $0.role } }
    /// The highest known term.
    var term: UInt32 { failover.withLock { $0.term } }

    /// True while this server is the backup, hears the active server's heartbeats and copies its log.
    package var isFollowingActiveServer: Bool { role == .backup && link?.status.isOtherServerHeard == true }

    /// Sends a question to the other server and waits for its answer; see ``BackupLink/askOtherServer(_:)``.
    package func askOtherServer(_ question: [UInt8]) async throws(ExplainedError) -> [UInt8] {
        guard let link else { throw BackupLinkAnswerError.notConnected }
        return try await link.askOtherServer(question)
    }

    private var timeSinceStart: Duration { MonotonicClock.now - startInstant }

    private var linkHandlers: BackupLinkHandlers {
        BackupLinkHandlers(
            heartbeat: { [self] heartbeat in
                performFailoverActions(
                    failover.withLock { $0.processHeartbeat(heartbeat, at: timeSinceStart) })
            },
            line: { [self] line in copyLogLine(line) },
            restartCopy: { [self] in restartLogCopy() },
            lastLine: { [logForwarder] in logForwarder.newestLine },
            history: { [self] sequence in
                ShowLogReader.readLines(of: logFolder(of: engine), after: sequence)
                    .map { BackupLogLine(sequence: $0.sequence, bytes: $0.bytes) }
            },
            closedConnection: { [self] in failover.withLock { $0.noteClosedConnection(at: timeSinceStart) } },
            answer: { [self] question in
                if let answer = answerNextEvening(question) { return answer }
                return await contentReplicator?.answerQuestion(question) ?? []
            })
    }

    private static func readLastLogLine(of show: OpenedShow) -> BackupLogLine? {
        let writer = show.recorder.writer
        guard writer.lastSequenceNumber > 0 else { return nil }
        return ShowLogReader.readLines(of: writer.showFolder, after: writer.lastSequenceNumber - 1).first
            .map { BackupLogLine(sequence: $0.sequence, bytes: $0.bytes) }
    }

    private func logFolder(of engine: ShowEngine?) -> String {
        engine?.logFolder ?? openedShow.recorder.writer.showFolder
    }

    /// Sends heartbeats and checks for a takeover until told to stop. Needs its own thread.
    package func run(until stop: StopRequest) {
        var carrier = CarrierWatch(at: timeSinceStart)
        while !stop.isMade {
            let now = timeSinceStart
            let copy = replicaFreshness
            let isCarrierSteady = carrier.isSteady(at: now, for: FailoverSettings().damping)
            // Nor does a backup take over what both servers end to begin the next evening.
            if role == .backup, nextEvening.isRequested {
                usleep(20_000)
                continue
            }
            performFailoverActions(
                failover.withLock { failover in
                    failover.replicaFreshness = copy
                    failover.hasSteadyCarrier = isCarrierSteady
                    return failover.tick(at: now)
                })
            if sendHeartbeat(at: now) { cutOff.withLock { $0.noteNetwork(at: now) } }
            usleep(20_000)
        }
    }

    /// The age of this server's replica of content, scores, rooms and accounts, on which the decision to take over
    /// depends.
    private var replicaFreshness: ReplicaFreshness {
        guard let contentReplicator, link?.status.otherAnswersQuestions != false else {
            return .notReplicated
        }
        return .lastInSync(at: contentReplicator.timeSinceInSync.map { timeSinceStart - $0 })
    }

    /// - Returns: true if a heartbeat was due: ten times a second.
    private func sendHeartbeat(at now: Duration) -> Bool {
        guard
            nextHeartbeatTime.withLock({ next in
                guard now >= next else { return false }
                next = max(next + .milliseconds(100), now)
                return true
            })
        else { return false }
        // The show engine runs twenty times a second. If it is stuck, no heartbeat is sent, so that the other server
        // takes over.
        guard let engine, engine.timeSinceLastRun < .milliseconds(400) else { return true }
        let digest = updateFingerprint(engine.inbox.newestSnapshot.programme)
        let heartbeat = failover.withLock {
            $0.makeHeartbeat(
                logSequence: logForwarder.newestLine?.sequence ?? 0, digest: digest,
                packetCount: packetSender?.newestPacketNumber ?? 0)
        }
        link?.sendHeartbeat(heartbeat)
        return true
    }

    /// Computes the fingerprint of the show again if it has changed, and sends it to the other server; cue lists may
    /// be edited while both servers run.
    private func updateFingerprint(_ course: ShowProgramme) -> UInt64 {
        let own = readOwnProgramme()
        return showFingerprint.withLock { known in
            guard known.course != course || !known.own.hasSameMusic(as: own) else { return known.value }
            known = (own, course, ShowFingerprint.compute(own: own, inForce: course))
            if var identity = attachedParts.withLock({ $0.linkIdentity }) {
                identity.showDigest = String(known.value, radix: 16)
                link?.identify(as: identity)
            }
            return known.value
        }
    }

    private func performFailoverActions(_ actions: [FailoverAction]) {
        for action in actions {
            switch action {
            case .lead(let term, let packetCount): becomeActive(term: term, packetCount: packetCount)
            case .stepDown, .follow: becomeBackup()
            }
        }
    }

    private func becomeActive(term: UInt32, packetCount: UInt64) {
        link?.setCopyingOtherLog(false)
        packetSender?.raisePacketNumber(to: packetCount)
        takeoverCount.wrappingAdd(1, ordering: .relaxed)
        let clock = openedShow.clock
        engine?.queueStateChange { engineState in
            guard !engineState.isActiveServer else { return }
            engineState.isActiveServer = true
            engineState.applyEvent(.failoverTermChanged(term), at: clock.now)
            engineState.applyEvent(.restarted, at: clock.now)
        }
    }

    private func becomeBackup() {
        packetSender?.endLive()
        packetSender?.withdrawMessage()
        engine?.queueStateChange { $0.isActiveServer = false }
        link?.setCopyingOtherLog(true)
    }

    private func copyLogLine(_ line: BackupLogLine) {
        // The other server sends its log from the beginning, so it must not be appended to lines that this server
        // wrote.
        if logForwarder.newestLine == nil, !isAwaitingFirstLine.withLock({ $0 }) { restartLogCopy() }
        isAwaitingFirstLine.withLock { $0 = false }
        logForwarder.recordCopiedLine(line)
        let clock = openedShow.clock
        engine?.queueStateChange {
            $0.applyCopiedLogLine(line.bytes)
            clock.advance(to: $0.copiedShowReplica.time)
        }
    }

    /// Begins a new log folder for the other server's show, because this server has another one.
    private func restartLogCopy() {
        logForwarder.recordCopiedLine(nil)
        isAwaitingFirstLine.withLock { $0 = true }
        // A lead that begins before the engine gets to this goes on in the copy, too.
        let isOwnShowUnplayed = takeoverCount.load(ordering: .relaxed) == 0
        engine?.queueStateChange { [self] engineState in
            guard !engineState.isActiveServer else { return }
            let title = engineState.podium.course.title
            let stamp = ServerDataFolder.formatFolderTimestamp(Date())
            do throws(ShowLogFault) {
                let path = try serverDataFolder.makeShowFolder(title: title, began: stamp)
                let writer = try ShowLogWriter(
                    show: path, title: title, started: openedShow.startTimestamp,
                    forward: logForwarder.forwardLine)
                engineState.beginLogCopy(ShowRecorder(writer: writer, continues: true))
                // Removes the show that this server created at its start and that was never played.
                if isOwnShowUnplayed { openedShow.deleteUnstartedShow() }
            } catch {
                printToStandardError("The other server's log cannot be copied: \(error.sentence)\n")
            }
        }
    }

    package func close() async { await link?.close() }
}
