import Hosting
import Platform
import Podium
import ShowLog
import Synchronization
import Titles

/// The show engine: passes the follower's reports and people's commands to the Podium one after another, and the
/// resulting effects to the outputs.
///
/// Its own thread owns the Podium. Every event is in the show log before its effects are sent, and a command is
/// acknowledged when the log is on disk. While another server is active, the engine only applies that server's log;
/// it accepts no reports or commands, and its outputs get only snapshots.
package final class ShowEngine: @unchecked Sendable {
    // @unchecked: the variables under “owned by the thread” belong to the thread that executes `run`; the rest is
    // constant or locked.

    private let followLane: FollowLane
    private let showOutputs: [any ShowOutput]
    private let clock: ShowClock
    private let countClients: @Sendable () -> [String: Int]
    private let newestPacketNumber: @Sendable () -> UInt64
    private let queuedStateChanges = Mutex<[@Sendable (inout ShowEngineState) -> Void]>([])
    package let inbox: ShowInbox
    private let isSureToBeActive: @Sendable () -> Bool
    private let lastRunNanoseconds = Atomic<Int64>(0)
    private let showLog: Mutex<(folder: String, origin: ShowOrigin)>

    // Owned by the thread.
    private var engineState: ShowEngineState
    private var reportFilter = FollowerReportFilter()
    private var newestReport: StampedReport?
    private var lastSnapshotTime = ShowTime.zero
    private var lastTrafficCountTime = ShowTime.zero
    private var lastDiskMeasurementTime = ShowTime.zero
    private var logError: ShowLogFault?
    /// Answers to commands. They are sent after the outputs have the new snapshot, so that a client that reads the
    /// state after its answer sees the new state.
    private var pendingAnswers: [() -> Void] = []

    /// Creates the engine without starting its thread.
    /// - Parameters:
    ///   - newestPacketNumber: returns the number of the newest packet.
    ///   - countClients: returns the number of connected clients of each kind.
    ///   - isSureToBeActive: false while it is uncertain whether this server is the active one; everything waits
    ///     meanwhile.
    package init(
        engineState: ShowEngineState, inbox: ShowInbox, followLane: FollowLane, showOutputs: [any ShowOutput],
        clock: ShowClock,
        newestPacketNumber: @escaping @Sendable () -> UInt64 = { 0 },
        countClients: @escaping @Sendable () -> [String: Int] = { [:] },
        isSureToBeActive: @escaping @Sendable () -> Bool = { true }
    ) {
        self.isSureToBeActive = isSureToBeActive
        self.inbox = inbox
        self.engineState = engineState
        showLog = Mutex(engineState.showLog)
        self.followLane = followLane
        self.showOutputs = showOutputs
        self.clock = clock
        self.newestPacketNumber = newestPacketNumber
        self.countClients = countClients
    }

    /// Makes the inbox of a show engine that is created later.
    package static func makeInbox(
        to lane: FollowLane, for podium: Podium, isActiveServer: Bool, at now: ShowTime
    )
        -> ShowInbox
    {
        ShowInbox(
            wakeSignal: lane.reportPublished,
            snapshot: makeSnapshot(of: podium, isActiveServer: isActiveServer, newest: nil, at: now))
    }

    /// The folder into which the show log is written at present.
    var logFolder: String { showLog.withLock { $0.folder } }
    /// Where the show began: the same on both servers of a pair.
    var showOrigin: ShowOrigin { showLog.withLock { $0.origin } }

    /// The time since the engine's thread last ran; a long time means that the thread is stuck.
    package var timeSinceLastRun: Duration {
        .nanoseconds(MonotonicClock.now.nanoseconds - lastRunNanoseconds.load(ordering: .relaxed))
    }

    /// Queues a change of the engine's own state, such as a takeover. It is made between two events, before any
    /// waiting job.
    package func queueStateChange(_ change: @escaping @Sendable (inout ShowEngineState) -> Void) {
        queuedStateChanges.withLock { $0.append(change) }
        followLane.reportPublished.ring()
    }

    /// Runs the engine until told to stop. Needs its own thread.
    package func run(until stop: StopRequest) {
        endOutdatedLogFault()
        publishSnapshot(at: clock.now)
        while !stop.isMade {
            _ = followLane.reportPublished.wait(milliseconds: maximumWaitMilliseconds)
            processPendingWork()
        }
        processPendingWork()
        inbox.refuseAllJobs()
    }

    private var maximumWaitMilliseconds: Int32 {
        guard let due = engineState.podium.nextTickDue else { return 50 }
        return Int32(clamping: min(max(due.milliseconds(since: clock.now), 1), 50))
    }

    private func processPendingWork() {
        lastRunNanoseconds.store(MonotonicClock.now.nanoseconds, ordering: .relaxed)
        var hasChanged = false
        for change in queuedStateChanges.withLock({ changes in
            defer { changes.removeAll(keepingCapacity: true) }
            return changes
        }) {
            hasChanged = true
            applyStateChange(change)
        }
        // While it is uncertain which server is active, only changes of the engine's own state are processed, as one
        // of them resolves the uncertainty.
        guard isSureWhichServerIsActive else { return sendPendingAnswers() }
        for job in inbox.removeAllJobs() {
            hasChanged = true
            executeJob(job)
        }
        while let report = followLane.allReports.read() {
            newestReport = report
            guard engineState.isActiveServer,
                let word = reportFilter.significantReport(
                    report.concertReport, order: report.newestCompletedOrderNumber)
            else {
                continue
            }
            applyEvent(.followerReport(word))
            hasChanged = true
        }
        let now = clock.now
        if engineState.isActiveServer, let due = engineState.podium.nextTickDue, due <= now {
            applyEvent(.tick)
            hasChanged = true
        }
        if hasChanged || now.milliseconds(since: lastSnapshotTime) >= Self.snapshotIntervalMilliseconds {
            publishSnapshot(at: now)
        }
        sendPendingAnswers()
        checkDiskSpeed(at: now)
        if engineState.isActiveServer,
            now.milliseconds(since: lastTrafficCountTime) >= Self.trafficCountIntervalMilliseconds
        {
            lastTrafficCountTime = now
            reportLogError(
                engineState.recorder.recordTraffic(
                    PacketAndClientCounts(packets: newestPacketNumber(), clients: countClients()), at: now))
        }
    }

    /// Reports a disk that is slow, or to which the log cannot be flushed, as a technical fault. Meanwhile it is measured
    /// each second, so that the fault ends when it is over; otherwise each ten seconds, so that it is known before a
    /// command waits.
    private func checkDiskSpeed(at now: ShowTime) {
        guard engineState.isActiveServer else { return }
        let writer = engineState.recorder.writer
        let interval =
            writer.flushFault == nil
            ? Self.diskMeasurementIntervalMilliseconds : Self.slowDiskMeasurementIntervalMilliseconds
        if now.milliseconds(since: lastDiskMeasurementTime) >= interval {
            lastDiskMeasurementTime = now
            writer.measureDisk()
        }
        reportLogError(writer.fault)
    }

    /// False while this server was active a moment ago and does not know whether it still is.
    private var isSureWhichServerIsActive: Bool { !engineState.isActiveServer || isSureToBeActive() }

    private func executeJob(_ job: ShowInbox.Job) {
        switch job {
        case .event(let event, let answer): executeCommand(event, answer)
        case .cueListReplacement(let list, let piece, let old, let answer):
            let course = engineState.podium.course
            if let old, engineState.isActiveServer,
                !course.pieces.indices.contains(piece) || course.cueFingerprint(ofPiece: piece) != old
            {
                return answer(.refused(.cuesChangedMeanwhile, engineState.podium.state.epoch), nil)
            }
            executeEdit(
                course.pieces.indices.contains(piece) ? try? course.replacingCues(of: piece, by: list) : nil,
                answer)
        case .titleListReplacement(let list, let piece, let revision, let old, let answer):
            let course = engineState.podium.course
            let isSame = course.orderRevision == revision && course.pieces.indices.contains(piece)
            guard isSame else { return executeEdit(nil, answer) }
            guard engineState.isActiveServer else { return answer(.notActiveServer, nil) }
            let epoch = engineState.podium.state.epoch
            if let old, course.pieces[piece].titles.fingerprint != old {
                return answer(.refused(.titlesChangedMeanwhile, epoch), nil)
            }
            do throws(TitleFault) {
                executeEdit(try course.replacingTitles(of: piece, by: list), answer)
            } catch {
                answer(.refused(.invalidTitles(error), epoch), nil)
            }
        case .programmeReplacement(let new, let revision, let answer):
            let course = engineState.podium.course
            guard engineState.isActiveServer else { return answer(.notActiveServer, nil) }
            guard course.orderRevision == revision else {
                return answer(.refused(.programmeChangedMeanwhile, engineState.podium.state.epoch), nil)
            }
            executeCommand(.programmeChanged(new.takingCuesAndTitles(from: course)), answer)
            // It has the indices of the earlier programme.
            newestReport = nil
        }
    }

    /// Brings an edited programme into force; nil is refused, because the programme was changed meanwhile.
    private func executeEdit(_ edited: ShowProgramme?, _ answer: @escaping ShowInbox.Job.Completion) {
        if let edited { return executeCommand(.programmeChanged(edited), answer) }
        guard engineState.isActiveServer else { return answer(.notActiveServer, nil) }
        answer(.refused(.programmeChangedMeanwhile, engineState.podium.state.epoch), nil)
    }

    private func applyStateChange(_ change: @Sendable (inout ShowEngineState) -> Void) {
        let wasActive = engineState.isActiveServer
        change(&engineState)
        if !wasActive { endOutdatedLogFault() }
        showLog.withLock { $0 = engineState.showLog }
        performEffects(engineState.takePendingEffects())
    }

    private func sendPendingAnswers() {
        for give in pendingAnswers { give() }
        pendingAnswers.removeAll(keepingCapacity: true)
    }

    private static let snapshotIntervalMilliseconds: Int64 = 100
    private static let trafficCountIntervalMilliseconds: Int64 = 10_000
    private static let diskMeasurementIntervalMilliseconds: Int64 = 10_000
    private static let slowDiskMeasurementIntervalMilliseconds: Int64 = 1_000

    private func executeCommand(_ event: PodiumEvent, _ answer: ShowInbox.Job.Completion?) {
        guard engineState.isActiveServer else {
            answer?(.notActiveServer, engineState.recorder.writer)
            return
        }
        let effects = applyEvent(event)
        guard let answer else { return }
        let (epoch, log) = (engineState.podium.state.epoch, engineState.recorder.writer)
        for effect in effects {
            guard let refusal = effect.refusal else { continue }
            pendingAnswers.append { answer(.refused(refusal, epoch), log) }
            return
        }
        pendingAnswers.append { answer(.done(epoch), log) }
    }

    @discardableResult
    private func applyEvent(_ event: PodiumEvent) -> [PodiumEffect] {
        let taken = engineState.recorder.applyAndRecord(event, by: &engineState.podium, at: clock.now)
        performEffects(taken.effects)
        reportLogError(taken.fault)
        return taken.effects
    }

    private func performEffects(_ effects: [PodiumEffect]) {
        for effect in effects {
            for output in showOutputs { output.performEffect(effect, of: engineState.podium.course) }
        }
    }

    /// Reports errors of the show log as a technical fault: once when they begin or change, and once when they are
    /// over.
    private func reportLogError(_ writeFault: ShowLogFault?) {
        let trouble = writeFault ?? engineState.recorder.writer.flushFault
        let isSame = trouble.map(Self.logErrorKind) == logError.map(Self.logErrorKind)
        logError = trouble
        guard !isSame else { return }
        if let trouble {
            applyEvent(.fault(TechnicalFault(id: Self.logFaultID, sentence: trouble.sentence)))
        } else {
            applyEvent(.faultEnded(Self.logFaultID))
        }
    }

    static let logFaultID = "disk"

    /// Ends a fault of the log that happened before a restart or on the other server.
    private func endOutdatedLogFault() {
        guard engineState.isActiveServer,
            engineState.podium.state.faults.contains(where: { $0.id == Self.logFaultID && !$0.isOver })
        else { return }
        applyEvent(.faultEnded(Self.logFaultID))
    }

    /// Returns a short name for a kind of log error, to notice when the kind changes. The number of waiting lines
    /// changes constantly and is ignored.
    private static func logErrorKind(_ fault: ShowLogFault) -> String {
        switch fault {
        case .diskFull: "full"
        case .readOnly: "read-only"
        // The longest wait is news when it has grown by a second.
        case .diskSlow(_, let seconds): "slow \(Int(seconds))"
        default: "other"
        }
    }

    private func publishSnapshot(at now: ShowTime) {
        lastSnapshotTime = now
        let snapshot = Self.makeSnapshot(
            of: engineState.podium, isActiveServer: engineState.isActiveServer, newest: newestReport, at: now)
        inbox.storeSnapshot(snapshot)
        for output in showOutputs { output.receiveSnapshot(snapshot) }
    }

    private static func makeSnapshot(
        of podium: Podium, isActiveServer: Bool, newest: StampedReport?, at now: ShowTime
    ) -> ShowEngineSnapshot {
        ShowEngineSnapshot(
            now: now, programme: podium.course, state: podium.state,
            measureFraction: podium.position(at: now).fraction,
            newestReport: newest, isActiveServer: isActiveServer,
            nextCueCountdown: podium.cueCountdown(at: now),
            pendingPositionProof: podium.expectedPlaceProof)
    }
}
