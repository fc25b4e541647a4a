import BackupLink
import Basics
import Following
import Foundation
import Hosting
import Platform
import Podium
import ServiceLifecycle
import ShowLog
import Synchronization

/// The service that runs the performance: the threads, the show engine and the outputs.
package final class PerformanceService: HostedService {
    package let engine: ShowEngine
    package let preShowCheck: PreShowCheck
    private let components: PerformanceComponents
    private let allOutputs: [any ShowOutput]
    private let serviceFaults: [WatchedFault]
    private let meterPublisher: MeterPublisher
    private let schedulingPolicies = Policies()
    private let printMessage: @Sendable (String) -> Void
    private let recordingRing: SampleRing?

    /// The scheduling policies of the capture and follow threads, known once they run.
    private final class Policies: Sendable {
        let list = Mutex<[RealTimeThread.Policy]>([])
    }

    /// The settings with which the two servers of a show connect and replicate each other's data.
    package struct ReplicationSettings: Sendable {
        package var contentReplicator: any ContentReplicator
        package var linkKey: BackupLinkKey
        /// This program's version, sent to the other server.
        package var programVersion: String
        /// The address of this server's console, sent to the other server.
        package var consoleAddress: String

        package init(replication: any ContentReplicator, key: BackupLinkKey, version: String, console: String)
        {
            (self.contentReplicator, self.linkKey, self.programVersion, self.consoleAddress) = (
                replication, key, version, console
            )
        }
    }

    /// Creates the show engine and, in a pair of servers, opens the link to the other one. Create this service after
    /// all others, because the other server may send questions as soon as the link is open.
    /// - Parameters:
    ///   - services: all other services, for their outputs, faults and items of the pre-show check.
    ///   - replica: the settings for the other server; nil for a single server.
    ///   - recordingRing: gets the same sound as the follower; nil if the sound is not recorded.
    ///   - clients: returns the numbers of connected clients.
    ///   - checkSeconds: the seconds for which the pre-show check listens.
    ///   - say: called with messages for people.
    package init(
        _ parts: PerformanceComponents, services: [any HostedService], replica: ReplicationSettings?,
        recordingRing: SampleRing? = nil,
        clients: @escaping @Sendable () -> MetersSection.ClientCounts, checkSeconds: Double,
        say: @escaping @Sendable (String) -> Void
    ) async throws(ExplainedError) {
        (components, self.recordingRing, printMessage) = (parts, recordingRing, say)
        let (pair, packetSender) = (parts.failoverCoordinator, parts.packetSender)
        meterPublisher = Self.makeMeterPublisher(of: parts, countClients: clients)
        allOutputs =
            parts.outputsBeforeServiceOutputs + services.flatMap(\.showOutputs) + [meterPublisher]
            + parts.outputsAfterServiceOutputs
        serviceFaults = services.flatMap(\.watchedFaults)
        engine = ShowEngine(
            engineState: ShowEngineState(
                podium: parts.openedShow.podium, recorder: parts.openedShow.recorder,
                isActiveServer: pair == nil),
            inbox: parts.inbox, followLane: parts.followLane, showOutputs: allOutputs,
            clock: parts.openedShow.clock,
            newestPacketNumber: { packetSender?.newestPacketNumber ?? 0 },
            countClients: {
                let now = clients()
                return ["console": now.console, "audience": now.audience, "osc": now.osc]
            }, isSureToBeActive: { pair?.isSureOfRole ?? true })
        let memoryLocking = MemoryLocking(isWanted: parts.settings.locksMemory)
        preShowCheck = Self.makePreShowCheck(
            of: parts, items: services.flatMap(\.preShowCheckItems), listeningSeconds: checkSeconds,
            policies: schedulingPolicies, memoryLocking: memoryLocking)
        if let pair, let setup = parts.settings.pairSetup, let replica {
            try await openLink(of: pair, setup, replica)
        }
    }

    private static func makeMeterPublisher(
        of parts: PerformanceComponents,
        countClients: @escaping @Sendable () -> MetersSection.ClientCounts
    ) -> MeterPublisher {
        let writer = parts.openedShow.recorder.writer
        return MeterPublisher(
            followLane: parts.followLane, input: parts.input, silenceMeter: parts.silenceMeter,
            packetSender: parts.packetSender, dataFolderPath: parts.settings.dataFolder,
            consoleStream: parts.consoleStream,
            countClients: countClients, countLogBytes: { writer.writtenBytes })
    }

    private static func makePreShowCheck(
        of parts: PerformanceComponents, items: [PreShowCheckItem], listeningSeconds: Double,
        policies: Policies, memoryLocking: MemoryLocking
    ) -> PreShowCheck {
        let (pair, exchange, stream) = (
            parts.failoverCoordinator, parts.followerExchange, parts.consoleStream
        )
        return PreShowCheck(
            PreShowCheck.CheckedComponents(
                followLane: parts.followLane, input: parts.input, silenceMeter: parts.silenceMeter,
                multicastEndpoint: parts.packetSender?.endpoint, oscOutput: parts.oscOutput,
                brokerOutputs: parts.brokerOutputs, cueTargets: parts.cueTargets,
                dataFolderPath: parts.settings.dataFolder,
                schedulingPolicies: { policies.list.withLock { $0 } },
                memoryLockFailure: { memoryLocking.failureSentence },
                describeBackup: { pair?.pairReadiness },
                referenceModels: {
                    let (programme, box) = exchange.newest
                    return programme.isEmpty ? [] : box.follower.programme.pieceModels
                },
                listeningSeconds: listeningSeconds, serviceItems: items), showInbox: parts.inbox
        ) { section in stream.publish(.preShowCheck, section) }
    }

    /// Opens the link to the other server, which may ask for copies from now on.
    private func openLink(
        of pair: FailoverCoordinator, _ setup: FailoverCoordinator.Setup, _ replica: ReplicationSettings
    ) async throws(ExplainedError) {
        let programme = components.showProgramme
        try await pair.openLink(
            setup, key: replica.linkKey,
            identity: LinkedServerIdentity(
                version: replica.programVersion, show: programme.title,
                showDigest: String(
                    ShowFingerprint.compute(own: programme, inForce: programme), radix: 16),
                console: replica.consoleAddress),
            engine: engine, replication: replica.contentReplicator, packetSender: components.packetSender)
    }

    /// Runs the performance until the server shuts down, and then stops its parts in reverse order.
    package func run() async throws {
        let packets = components.packetSender.map { sender in
            Task { await sender.sendPacketsUntilCancelled() }
        }
        let threads = try startThreads()
        await cancelWhenGracefulShutdown { [self] in await runWatches() }
        threads.pair?.stop()
        await components.failoverCoordinator?.close()
        threads.capture.stop()
        threads.follow.stop()
        threads.engine.stop()
        for output in allOutputs { await output.close() }
        await components.packetSender?.close()
        packets?.cancel()
        await packets?.value
        finishShowAndWriteReport()
    }

    /// The threads of a performance.
    private struct Threads {
        let engine, follow, capture: RealTimeThread
        /// Nil for a single server.
        let pair: RealTimeThread?
    }

    /// Starts the threads: whatever takes the sound's reports before the sound itself.
    private func startThreads() throws -> Threads {
        let (lane, input, engine) = (components.followLane, components.input, engine)
        let engineThread = try RealTimeThread(name: "desk", priority: ThreadPriority.showEngine) {
            engine.run(until: $0)
        }
        postStartOfShow()
        let pairThread = try components.failoverCoordinator.map { pair in
            try RealTimeThread(name: "pair", priority: ThreadPriority.showEngine) { pair.run(until: $0) }
        }
        let follow = try RealTimeThread(name: "follow", priority: ThreadPriority.follow) {
            lane.run(until: $0)
        }
        let sound = CapturedSound(
            for: lane, recordingRing: recordingRing, silenceMeter: components.silenceMeter)
        let capture = try RealTimeThread(name: "capture", priority: ThreadPriority.capture) { stop in
            input.deliverSamples(to: sound, until: stop)
        }
        schedulingPolicies.list.withLock { $0 = [capture.policy, follow.policy] }
        return Threads(engine: engineThread, follow: follow, capture: capture, pair: pairThread)
    }

    /// Sends the show engine its first events: that an interrupted show continues, or the place at which a new one
    /// begins; a rehearsal or a try-out begins in rehearsal mode.
    private func postStartOfShow() {
        let (inbox, show) = (components.inbox, components.openedShow)
        guard !show.isContinued else {
            if components.failoverCoordinator == nil { inbox.post(.restarted) }
            return
        }
        let isConcert = show.podium.course.evening.kind == .concert
        for command in [
            Self.makeStartCommand(components.startPosition), isConcert ? nil : .setRehearsal(true),
        ] {
            guard let command else { continue }
            inbox.post(.command(command, by: CommandSender(name: "start", role: .automation), epoch: nil))
        }
    }

    /// Carries out the broker's commands, publishes the state of the pair and looks for faults, until it is cancelled.
    private func runWatches() async {
        let inbox = components.inbox
        await withTaskGroup { group in
            if let broker = components.brokerOutputs.first {
                group.addTask { await ShowControlCommands(showInbox: inbox).executeBrokerCommands(broker) }
            }
            if components.failoverCoordinator != nil { group.addTask { await self.publishPairState() } }
            group.addTask { await self.runFaultMonitor() }
        }
    }

    private func runFaultMonitor() async {
        var watch = FaultMonitor(
            showInbox: components.inbox, followLane: components.followLane, input: components.input,
            packetSender: components.packetSender,
            oscOutput: components.oscOutput,
            brokerOutputs: components.brokerOutputs, midiConnections: components.midiConnections,
            dataFolderPath: components.serverDataFolder.path,
            startupFaults: components.startupFaults,
            serviceFaults: serviceFaults
        ) { [stream = components.consoleStream] in stream.publish(.outputTargets, $0) }
        await watch.run()
    }

    private func publishPairState() async {
        while !Task.isCancelled, let pair = components.failoverCoordinator {
            components.consoleStream.publish(.backupServer, pair.backupSection)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Makes the command that begins at the position chosen on the command line; nil if that is the first measure of
    /// the first piece.
    private static func makeStartCommand(_ place: ProgrammePosition) -> PodiumCommand? {
        guard place != .beginning else { return nil }
        return try? PodiumCommand(
            words: ["piece", "\(place.pieceIndex + 1)", place.position.map { "p:\($0.played)" } ?? "unknown"])
    }

    /// Ends the show if its last piece was finished, or if a person has begun the next evening; otherwise the next start
    /// continues it. Writes the report in each case.
    private func finishShowAndWriteReport() {
        let (snapshot, show) = (components.inbox.newestSnapshot, components.openedShow)
        guard snapshot.isActiveServer else { return }
        let isOver =
            snapshot.state.mode == .finished && snapshot.state.piece == snapshot.programme.pieces.count - 1
            || components.nextEvening.isRequested
        if isOver {
            _ = show.recorder.recordShowEnd(at: show.clock.now)
        } else {
            _ = show.recorder.writer.syncToDisk()
        }
        guard let report = try? ShowReport(show: engine.logFolder) else { return }
        try? Data(report.json).write(
            to: URL(fileURLWithPath: engine.logFolder + "/report.json"), options: .atomic)
        printMessage("The show log and its report are in \(engine.logFolder)\n")
    }

    /// The path of the folder with the show's log; on a backup server it changes with the show that is copied.
    package var showLogFolder: String { engine.logFolder }

    /// Where the show began: the same on both servers of a pair.
    package var showOrigin: ShowOrigin { engine.showOrigin }

    /// Makes the report of the show so far, as JSON.
    /// - Parameter truth: a file of true measure times, with which the follower's accuracy is evaluated; nil without
    ///   evaluation.
    package func makeReport(truth: String?) async -> [UInt8]? {
        let folder = engine.logFolder
        return await Task.detached(priority: .utility) {
            guard var report = try? ShowReport(show: folder) else { return nil }
            if let truth, let rows = try? TrueMeasureTimes(file: truth) {
                report.addAccuracy(piece: 0, comparedWith: rows)
            }
            return report.json
        }.value
    }
}

/// The sections of the console's live stream that show the machine, the targets, the pre-show check and the backup.
extension ConsoleSection {
    static let meters = Self("meters")
    static let outputTargets = Self("targets")
    static let preShowCheck = Self("check")
    static let backupServer = Self("backup")
}
