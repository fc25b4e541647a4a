import BackupLink
import Following
import Foundation
import Hosting
import Podium
import RealTime
import ServiceLifecycle
import ShowLog
import Synchronization

/// The service that runs the performance: the threads, the show engine and the outputs.
package final class PerformanceService: HostedService {
    package let desk: ShowDesk
    package let check: PreShowCheck
    private let parts: PerformanceParts
    private let allOutputs: [any ShowOutput]
    private let faults: [WatchedFault]
    private let meters: ServeMeters
    private let policies: Policies
    private let say: @Sendable (String) -> Void
    private let isMemoryLocked: Bool

    private static let unlocked = "The memory is not locked against paging: this server was not to lock it."

    /// The scheduling policies of the capture and follow threads, known once they run.
    private final class Policies: Sendable {
        let list = Mutex<[RealTimeThread.Policy]>([])
    }

    /// The settings with which the two servers of a show connect and replicate each other's data.
    package struct Replica: Sendable {
        package var mirror: any ContentCopying
        package var key: LinkKey
        /// This program's version, sent to the other server.
        package var version: String
        /// The address of this server's console, sent to the other server.
        package var console: String

        package init(mirror: any ContentCopying, key: LinkKey, version: String, console: String) {
            (self.mirror, self.key, self.version, self.console) = (mirror, key, version, console)
        }
    }

    /// Creates the show engine and, in a pair of servers, opens the link to the other one. Create this service after
    /// all others, because the other server may send questions as soon as the link is open.
    /// - Parameters:
    ///   - services: all other services, for their outputs, faults and items of the pre-show check.
    ///   - replica: the settings for the other server; nil for a single server.
    ///   - clients: returns the numbers of connected clients.
    ///   - checkSeconds: how long the pre-show check listens.
    ///   - say: called with messages for people.
    package init(
        _ parts: PerformanceParts, services: [any HostedService], replica: Replica?,
        clients: @escaping @Sendable () -> MetersSection.Clients, checkSeconds: Double,
        say: @escaping @Sendable (String) -> Void
    ) async throws(BackupLinkFault) {
        self.parts = parts
        self.say = say
        let (pair, air, stream, inbox, show) = (parts.pair, parts.air, parts.stream, parts.inbox, parts.show)
        let writer = show.scribe.writer
        meters = ServeMeters(
            lane: parts.lane, input: parts.input, air: air, folder: parts.settings.data, stream: stream,
            clients: clients, logBytes: { writer.writtenBytes })
        allOutputs = parts.first + services.flatMap(\.outputs) + [meters] + parts.last
        faults = services.flatMap(\.watchedFaults)
        desk = ShowDesk(
            reign: DeskReign(podium: show.podium, scribe: show.scribe, isOurs: pair == nil), inbox: inbox,
            lane: parts.lane, outputs: allOutputs, clock: show.clock, packets: { air?.count ?? 0 },
            clients: {
                let now = clients()
                return ["console": now.console, "audience": now.audience, "osc": now.osc]
            }, mayAct: { pair?.maySend ?? true })
        let policies = Policies()
        self.policies = policies
        let memoryTrouble = parts.settings.locksMemory ? lockMemoryIfPermitted() : Self.unlocked
        isMemoryLocked = memoryTrouble == nil
        check = PreShowCheck(
            PreShowCheck.Subjects(
                lane: parts.lane, input: parts.input, endpoint: air?.endpoint, osc: parts.osc,
                broker: parts.broker, cueTargets: parts.cueTargets, folder: parts.settings.data,
                policies: { policies.list.withLock { $0 } }, memoryTrouble: memoryTrouble,
                backup: { pair?.readiness }, models: parts.programme.models, matchSeconds: checkSeconds,
                questions: services.flatMap(\.preShowQuestions)), show: inbox
        ) { section in stream.publish(.check, section) }
        guard let pair, let setup = parts.settings.pair, let replica else { return }
        let own = parts.course
        try await pair.connect(
            setup, key: replica.key,
            identity: LinkIdentity(
                version: replica.version, show: own.title,
                showDigest: String(ShowFingerprint.of(own: own, inForce: own), radix: 16),
                console: replica.console),
            desk: desk, mirror: replica.mirror, air: parts.air)
    }

    /// Runs the performance until the server shuts down, and then stops its parts in reverse order.
    package func run() async throws {
        let parts = parts
        let (lane, input, desk, inbox) = (parts.lane, parts.input, desk, parts.inbox)
        let sending = parts.air.map { air in Task { await air.send() } }
        let deskThread = try RealTimeThread(name: "desk", priority: LanePriority.desk) { desk.run(until: $0) }
        if parts.show.isContinued, parts.pair == nil { inbox.tell(.restarted) }
        if !parts.show.isContinued, let words = Self.beginning(parts.place) {
            inbox.tell(.command(words, by: CommandSender(name: "start", role: .automation), epoch: nil))
        }
        let pairThread = try parts.pair.map { pair in
            try RealTimeThread(name: "pair", priority: LanePriority.desk) { pair.run(until: $0) }
        }
        let follow = try RealTimeThread(name: "follow", priority: LanePriority.follow) { lane.run(until: $0) }
        let capture = try RealTimeThread(name: "capture", priority: LanePriority.capture) { stop in
            input.run(into: lane.ring, ringing: lane.heard, until: stop)
        }
        policies.list.withLock { $0 = [capture.policy, follow.policy] }
        // If this fails the process only uses more memory, so the error is ignored.
        if isMemoryLocked { try? lockLaterMemoryOnUse() }
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                if let broker = parts.broker {
                    group.addTask { await ShowControlCommands(show: inbox).hear(broker) }
                }
                if parts.pair != nil { group.addTask { await self.tellOfPair() } }
                group.addTask { await self.watchAround() }
            }
        }
        pairThread?.stop()
        await parts.pair?.close()
        capture.stop()
        follow.stop()
        deskThread.stop()
        for output in allOutputs { await output.close() }
        await parts.air?.close()
        sending?.cancel()
        await sending?.value
        finish()
    }

    private func watchAround() async {
        var watch = ServeWatch(
            show: parts.inbox, lane: parts.lane, input: parts.input, air: parts.air, osc: parts.osc,
            broker: parts.broker, folder: parts.folder.path, found: parts.startFaults, further: faults
        ) { [stream = parts.stream] in stream.publish(.targets, $0) }
        await watch.run()
    }

    private func tellOfPair() async {
        while !Task.isCancelled, let pair = parts.pair {
            parts.stream.publish(.backup, pair.section)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// The command that begins at the place chosen on the command line; nil if that is the first measure of the first
    /// piece.
    private static func beginning(_ place: ProgrammePosition) -> PodiumCommand? {
        guard place != .beginning else { return nil }
        return try? PodiumCommand(
            words: ["piece", "\(place.piece + 1)", place.position.map { "p:\($0.played)" } ?? "unknown"])
    }

    /// Ends the show if its last piece was finished; otherwise the next start continues it. Writes the report in both
    /// cases.
    private func finish() {
        let (picture, show) = (parts.inbox.newestPicture, parts.show)
        guard picture.isOurs else { return }
        let isOver = picture.state.mode == .finished && picture.state.piece == picture.course.pieces.count - 1
        if isOver { _ = show.scribe.finish(at: show.clock.now) } else { _ = show.scribe.writer.sync() }
        guard let report = try? ShowReport(show: desk.logFolder) else { return }
        try? Data(report.json).write(
            to: URL(fileURLWithPath: desk.logFolder + "/report.json"), options: .atomic)
        say("The show log and its report are in \(desk.logFolder)\n")
    }

    /// Makes the report of the show so far, as JSON.
    /// - Parameter truth: a file of true measure times, with which the follower's accuracy is evaluated; nil without
    ///   evaluation.
    package func report(truth: String?) async -> [UInt8]? {
        let folder = desk.logFolder
        return await Task.detached(priority: .utility) {
            guard var report = try? ShowReport(show: folder) else { return nil }
            if let truth, let rows = try? TrueMeasureTimes(file: truth) { report.judge(piece: 0, by: rows) }
            return report.json
        }.value
    }
}

/// The sections of the console's live stream that show the machine, the targets, the pre-show check and the backup.
extension ConsoleSection {
    static let meters = Self("meters")
    static let targets = Self("targets")
    static let check = Self("check")
    static let backup = Self("backup")
}
