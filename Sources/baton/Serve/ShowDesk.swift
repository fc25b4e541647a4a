import Podium
import RealTime
import ShowLog
import Synchronization

/// The middle of lane 3: brings the follower's words and people's commands to the Podium, one after another,
/// and what follows from them to the outputs.
///
/// A thread of its own owns the Podium. Whatever happens is in the show log before its effects leave; a command is
/// acknowledged when the log is on the disk. While another server reigns the desk only follows its log: it takes
/// no words and no commands, and nothing leaves but the picture for this server's consoles.
final class ShowDesk: @unchecked Sendable {
    // @unchecked: the variables under “of the thread” belong to the thread that is in `run`; the rest is constant
    // or guarded.

    private let lane: FollowLane
    private let outputs: [any ShowOutput]
    private let clock: ShowClock
    private let clients: @Sendable () -> [String: Int]
    private let packets: @Sendable () -> UInt64
    private let jobs = Mutex<[Job]>([])
    /// Written under the lock of `jobs`.
    private let hasEnded = Atomic<Bool>(false)
    private let picture: Mutex<DeskPicture>
    private let commandToEffects = DeadlineMeter(limit: .milliseconds(30))
    private let mayAct: @Sendable () -> Bool
    private let lookedAt = Atomic<Int64>(0)
    private let folder: Mutex<String>

    // Of the thread.
    private var reign: DeskReign
    private var sieve = FollowerSieve()
    private var newest: LiveReport?
    private var shownAt = ShowTime.zero
    private var countedAt = ShowTime.zero
    private var logTrouble: ShowLogFault?
    /// Given when the outputs have been shown what came of it: whoever is answered reads the new state.
    private var owedAnswers: [() -> Void] = []

    /// - Parameters:
    ///   - packets: the count of the newest packet.
    ///   - clients: how many are connected, by kind.
    ///   - mayAct: false while it is not certain that this server reigns; everything waits then.
    init(
        reign: DeskReign, lane: FollowLane, outputs: [any ShowOutput], clock: ShowClock,
        packets: @escaping @Sendable () -> UInt64 = { 0 },
        clients: @escaping @Sendable () -> [String: Int] = { [:] },
        mayAct: @escaping @Sendable () -> Bool = { true }
    ) {
        self.mayAct = mayAct
        self.reign = reign
        folder = Mutex(reign.scribe.writer.show)
        self.lane = lane
        self.outputs = outputs
        self.clock = clock
        self.packets = packets
        self.clients = clients
        picture = Mutex(Self.picture(of: reign, newest: nil, at: clock.now))
    }

    /// How things stand. Any thread.
    var newestPicture: DeskPicture { picture.withLock { $0 } }

    /// From a command's arrival at the desk until all outputs have its effects and show how things stand.
    var commandTime: DeadlineReading { commandToEffects.reading() }

    /// Where the show log is written now.
    var logFolder: String { folder.withLock { $0 } }

    /// Since the desk's thread was last at work; its pulse.
    var idle: Duration { .nanoseconds(MonotonicClock.now.nanoseconds - lookedAt.load(ordering: .relaxed)) }

    /// Something that nobody waits for: a fault, a restart.
    func tell(_ event: PodiumEvent) { enqueue(.event(event, answer: nil)) }

    /// Changes the reign between two events, on the desk's thread.
    func act(_ change: @escaping @Sendable (inout DeskReign) -> Void) { enqueue(.act(change)) }

    /// A command.
    /// - Returns: when it has been carried out and is on the disk, or the disk has failed to take it.
    func submit(_ event: PodiumEvent) async -> Answer {
        await submit { .event(event, answer: $0) }
    }

    /// An edited cue list; other pieces keep theirs, whoever edits them at the same time.
    func submit(_ cues: CueList, ofPiece piece: Int) async -> Answer {
        await submit { .cues(cues, piece: piece, answer: $0) }
    }

    private func submit(_ job: (@escaping @Sendable (Answer) -> Void) -> Job) async -> Answer {
        // The thread takes thousands a second; so many at once are no person's.
        guard jobs.withLock({ $0.count < Self.mostWaiting }) else { return .busy }
        let came = MonotonicClock.now
        let (answer, log) = await withCheckedContinuation { continuation in
            enqueue(job { [self] answer in continuation.resume(returning: (answer, reign.scribe.writer)) })
        }
        commandToEffects.record(from: came, to: MonotonicClock.now)
        let fault = await log.synced()
        // A refusal has changed nothing that a restart would have to know.
        guard let fault, case .done(let epoch) = answer else { return answer }
        return .notWritten(epoch, fault)
    }

    private static let mostWaiting = 1_000

    private func enqueue(_ job: Job) {
        let isTaken = jobs.withLock { waiting in
            guard !hasEnded.load(ordering: .relaxed) else { return false }
            waiting.append(job)
            return true
        }
        if isTaken { lane.told.ring() } else { job.answer?(.notReigning) }
    }

    /// Works until told to stop. A thread of its own.
    func run(until stop: StopRequest) {
        endForeignLogFault()
        show(at: clock.now)
        while !stop.isMade {
            _ = lane.told.wait(milliseconds: patience)
            work()
        }
        work()
        refuseWhatWaits()
    }

    private var patience: Int32 {
        guard let due = reign.podium.nextDue else { return 50 }
        return Int32(clamping: min(max(due.milliseconds(since: clock.now), 1), 50))
    }

    private func work() {
        lookedAt.store(MonotonicClock.now.nanoseconds, ordering: .relaxed)
        var hasChanged = false
        for job in takeJobs() {
            hasChanged = true
            carryOut(job)
        }
        guard isCertain else { return giveAnswers() }
        while let report = lane.everyReport.read() {
            newest = report
            guard reign.isOurs, let word = sieve.sift(report.said, order: report.order) else { continue }
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
            note(reign.scribe.count(ShowCount(packets: packets(), clients: clients()), at: now))
        }
    }

    /// False while this server reigned a moment ago and does not know whether it still does.
    private var isCertain: Bool { !reign.isOurs || mayAct() }

    /// What waits, in its order. While nothing is certain only what changes the reign, or it would stay so.
    private func takeJobs() -> [Job] {
        let isCertain = isCertain
        return jobs.withLock { waiting in
            let taken = isCertain ? waiting : waiting.filter(\.isAct)
            if isCertain {
                waiting.removeAll(keepingCapacity: true)
            } else {
                waiting.removeAll(where: \.isAct)
            }
            return taken
        }
    }

    private func carryOut(_ job: Job) {
        switch job {
        case .event(let event, let answer): obey(event, answer)
        case .cues(let list, let piece, let answer):
            let course = reign.podium.course
            obey(.course((try? course.replacingCues(of: piece, by: list)) ?? course), answer)
        case .act(let change):
            let reigned = reign.isOurs
            change(&reign)
            if !reigned { endForeignLogFault() }
            folder.withLock { $0 = reign.scribe.writer.show }
            carry(reign.owedEffects())
        }
    }

    private func giveAnswers() {
        for give in owedAnswers { give() }
        owedAnswers.removeAll(keepingCapacity: true)
    }

    /// Nobody is left waiting for a desk that has ended.
    private func refuseWhatWaits() {
        let waiting = jobs.withLock { waiting in
            hasEnded.store(true, ordering: .relaxed)
            return waiting
        }
        for job in waiting { job.answer?(.notReigning) }
    }

    private static let showInterval: Int64 = 100
    private static let countInterval: Int64 = 10_000

    private func obey(_ event: PodiumEvent, _ answer: (@Sendable (Answer) -> Void)?) {
        guard reign.isOurs else {
            answer?(.notReigning)
            return
        }
        let effects = take(event)
        guard let answer else { return }
        let epoch = reign.podium.state.epoch
        for case .refused(let refusal) in effects {
            owedAnswers.append { answer(.refused(refusal, epoch)) }
            return
        }
        owedAnswers.append { answer(.done(epoch)) }
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

    /// The log's own trouble is a fault like others: told when it begins or changes, and when it is over.
    private func note(_ trouble: ShowLogFault?) {
        let isSame = trouble.map(Self.kind) == logTrouble.map(Self.kind)
        logTrouble = trouble
        guard !isSame else { return }
        if let trouble {
            take(.fault(Fault(id: Self.logFault, sentence: trouble.sentence)))
        } else {
            take(.faultEnded(Self.logFault))
        }
    }

    static let logFault = "disk"

    /// A log in trouble before a restart, or on the other server, says nothing about this one.
    private func endForeignLogFault() {
        guard reign.isOurs,
            reign.podium.state.faults.contains(where: { $0.id == Self.logFault && !$0.isOver })
        else { return }
        take(.faultEnded(Self.logFault))
    }

    /// How many lines wait changes all the time and is no news.
    private static func kind(_ fault: ShowLogFault) -> String {
        switch fault {
        case .diskFull: "full"
        case .readOnly: "read-only"
        default: "other"
        }
    }

    private func show(at now: ShowTime) {
        shownAt = now
        let picture = Self.picture(of: reign, newest: newest, at: now)
        self.picture.withLock { $0 = picture }
        for output in outputs { output.show(picture) }
    }

    private static func picture(of reign: DeskReign, newest: LiveReport?, at now: ShowTime) -> DeskPicture {
        let podium = reign.podium
        return DeskPicture(
            now: now, course: podium.course, state: podium.state, fraction: podium.position(at: now).fraction,
            newest: newest, isOurs: reign.isOurs, countdown: podium.countdown(at: now),
            proofEnd: podium.placeProof)
    }
}
