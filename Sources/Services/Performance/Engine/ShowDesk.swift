import Hosting
import Podium
import RealTime
import ShowLog
import Synchronization

/// The show engine: passes the follower's reports and people's commands to the Podium one after another, and the
/// resulting effects to the outputs.
///
/// Its own thread owns the Podium. Every event is in the show log before its effects are sent, and a command is
/// acknowledged when the log is on disk. While another server is active, the engine only applies that server's log;
/// it accepts no reports or commands, and its outputs get only snapshots.
package final class ShowDesk: @unchecked Sendable {
    // @unchecked: the variables under “owned by the thread” belong to the thread that executes `run`; the rest is
    // constant or locked.

    private let lane: FollowLane
    private let outputs: [any ShowOutput]
    private let clock: ShowClock
    private let clients: @Sendable () -> [String: Int]
    private let packets: @Sendable () -> UInt64
    private let changes = Mutex<[@Sendable (inout DeskReign) -> Void]>([])
    package let inbox: ShowInbox
    private let mayAct: @Sendable () -> Bool
    private let lookedAt = Atomic<Int64>(0)
    private let folder: Mutex<String>

    // Owned by the thread.
    private var reign: DeskReign
    private var sieve = FollowerReportFilter()
    private var newest: LiveReport?
    private var shownAt = ShowTime.zero
    private var countedAt = ShowTime.zero
    private var logTrouble: ShowLogFault?
    /// Answers to commands, given after the outputs have the new snapshot, so that whoever gets an answer reads the
    /// new state.
    private var owedAnswers: [() -> Void] = []

    /// - Parameters:
    ///   - packets: returns the number of the newest packet.
    ///   - clients: returns the number of connected clients of each kind.
    ///   - mayAct: false while it is uncertain whether this server is the active one; everything waits meanwhile.
    package init(
        reign: DeskReign, inbox: ShowInbox, lane: FollowLane, outputs: [any ShowOutput], clock: ShowClock,
        packets: @escaping @Sendable () -> UInt64 = { 0 },
        clients: @escaping @Sendable () -> [String: Int] = { [:] },
        mayAct: @escaping @Sendable () -> Bool = { true }
    ) {
        self.mayAct = mayAct
        self.inbox = inbox
        self.reign = reign
        folder = Mutex(reign.scribe.writer.show)
        self.lane = lane
        self.outputs = outputs
        self.clock = clock
        self.packets = packets
        self.clients = clients
    }

    /// Makes the inbox of a show engine that is created later.
    package static func inbox(to lane: FollowLane, for podium: Podium, isOurs: Bool, at now: ShowTime)
        -> ShowInbox
    {
        ShowInbox(
            bell: lane.told, picture: picture(of: podium, isOurs: isOurs, newest: nil, at: now))
    }

    /// The folder into which the show log is written at present.
    var logFolder: String { folder.withLock { $0 } }

    /// The time since the engine's thread last ran; long times mean that it is stuck.
    package var idle: Duration {
        .nanoseconds(MonotonicClock.now.nanoseconds - lookedAt.load(ordering: .relaxed))
    }

    /// Queues a change of the engine's own state, such as a takeover. It is made between two events, before any
    /// waiting job.
    package func act(_ change: @escaping @Sendable (inout DeskReign) -> Void) {
        changes.withLock { $0.append(change) }
        lane.told.ring()
    }

    /// Runs the engine until told to stop. Needs its own thread.
    package func run(until stop: StopRequest) {
        endForeignLogFault()
        show(at: clock.now)
        while !stop.isMade {
            _ = lane.told.wait(milliseconds: patience)
            work()
        }
        work()
        inbox.close()
    }

    private var patience: Int32 {
        guard let due = reign.podium.nextDue else { return 50 }
        return Int32(clamping: min(max(due.milliseconds(since: clock.now), 1), 50))
    }

    private func work() {
        lookedAt.store(MonotonicClock.now.nanoseconds, ordering: .relaxed)
        var hasChanged = false
        for change in changes.withLock({ changes in
            defer { changes.removeAll(keepingCapacity: true) }
            return changes
        }) {
            hasChanged = true
            carryOut(change)
        }
        // While it is uncertain which server is active, only changes of the engine's own state are processed, as one
        // of them resolves the uncertainty.
        guard isCertain else { return giveAnswers() }
        for job in inbox.takeAll() {
            hasChanged = true
            carryOut(job)
        }
        while let report = lane.everyReport.read() {
            newest = report
            guard reign.isOurs, let word = sieve.significantReport(report.said, order: report.order) else {
                continue
            }
            take(.report(word))
            hasChanged = true
        }
        let now = clock.now
        if reign.isOurs, let due = reign.podium.nextDue, due <= now {
            take(.tick)
            hasChanged = true
        }
        if hasChanged || now.milliseconds(since: shownAt) >= Self.showInterval { show(at: now) }
        giveAnswers()
        if reign.isOurs, now.milliseconds(since: countedAt) >= Self.countInterval {
            countedAt = now
            note(reign.scribe.count(TrafficCount(packets: packets(), clients: clients()), at: now))
        }
    }

    /// False while this server was active a moment ago and does not know whether it still is.
    private var isCertain: Bool { !reign.isOurs || mayAct() }

    private func carryOut(_ job: ShowInbox.Job) {
        switch job {
        case .event(let event, let answer): obey(event, answer)
        case .cues(let list, let piece, let answer):
            let course = reign.podium.course
            obey(.course((try? course.replacingCues(of: piece, by: list)) ?? course), answer)
        }
    }

    private func carryOut(_ change: @Sendable (inout DeskReign) -> Void) {
        let reigned = reign.isOurs
        change(&reign)
        if !reigned { endForeignLogFault() }
        folder.withLock { $0 = reign.scribe.writer.show }
        carry(reign.owedEffects())
    }

    private func giveAnswers() {
        for give in owedAnswers { give() }
        owedAnswers.removeAll(keepingCapacity: true)
    }

    private static let showInterval: Int64 = 100
    private static let countInterval: Int64 = 10_000

    private func obey(_ event: PodiumEvent, _ answer: ShowInbox.Job.Answer?) {
        guard reign.isOurs else {
            answer?(.notReigning, reign.scribe.writer)
            return
        }
        let effects = take(event)
        guard let answer else { return }
        let (epoch, log) = (reign.podium.state.epoch, reign.scribe.writer)
        for case .refused(let refusal) in effects {
            owedAnswers.append { answer(.refused(refusal, epoch), log) }
            return
        }
        owedAnswers.append { answer(.done(epoch), log) }
    }

    @discardableResult
    private func take(_ event: PodiumEvent) -> [PodiumEffect] {
        let taken = reign.scribe.take(event, by: &reign.podium, at: clock.now)
        carry(taken.effects)
        note(taken.fault)
        return taken.effects
    }

    private func carry(_ effects: [PodiumEffect]) {
        for effect in effects {
            for output in outputs { output.carry(effect, of: reign.podium.course) }
        }
    }

    /// Reports errors of the show log as a technical fault: once when they begin or change, and once when they are
    /// over.
    private func note(_ trouble: ShowLogFault?) {
        let isSame = trouble.map(Self.kind) == logTrouble.map(Self.kind)
        logTrouble = trouble
        guard !isSame else { return }
        if let trouble {
            take(.fault(TechnicalFault(id: Self.logFault, sentence: trouble.sentence)))
        } else {
            take(.faultEnded(Self.logFault))
        }
    }

    static let logFault = "disk"

    /// Ends a fault of the log that happened before a restart or on the other server.
    private func endForeignLogFault() {
        guard reign.isOurs,
            reign.podium.state.faults.contains(where: { $0.id == Self.logFault && !$0.isOver })
        else { return }
        take(.faultEnded(Self.logFault))
    }

    /// The kind of a log error, to recognise a new one. The number of waiting lines changes constantly and does not
    /// count.
    private static func kind(_ fault: ShowLogFault) -> String {
        switch fault {
        case .diskFull: "full"
        case .readOnly: "read-only"
        default: "other"
        }
    }

    private func show(at now: ShowTime) {
        shownAt = now
        let picture = Self.picture(of: reign.podium, isOurs: reign.isOurs, newest: newest, at: now)
        inbox.show(picture)
        for output in outputs { output.show(picture) }
    }

    private static func picture(
        of podium: Podium, isOurs: Bool, newest: LiveReport?, at now: ShowTime
    ) -> DeskPicture {
        DeskPicture(
            now: now, course: podium.course, state: podium.state, fraction: podium.position(at: now).fraction,
            newest: newest, isOurs: isOurs, countdown: podium.countdown(at: now),
            proofEnd: podium.placeProof)
    }
}
