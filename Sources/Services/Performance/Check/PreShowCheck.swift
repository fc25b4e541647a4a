import Following
import Multicast
import RealTime
import Synchronization

/// The check before a show, one button: what is ready, and what to do about what is not.
///
/// Runs half a minute, in which the follower listens for the piece from anywhere; not while the music is followed.
/// The audience sees nothing of it, and a command of a person ends it (`Podium+Check.swift`).
final class PreShowCheck: Sendable {
    /// What is looked at, with everything it needs.
    struct Subjects: Sendable {
        var lane: FollowLane
        var input: any LiveInput
        var endpoint: MulticastEndpoint?
        var osc: OSCOutput?
        var broker: BrokerOutput?
        /// Where cues may send.
        var cueTargets = CueTargets()
        var folder: String
        /// Of the capture and follow threads; nil before they run.
        var policies: @Sendable () -> [RealTimeThread.Policy]
        var memoryTrouble: String?
        /// How the backup does; nil where there is none.
        var backup: @Sendable () -> (isReady: Bool, sentence: String)?
        var models: [ReferenceModel]
        var matchSeconds: Double
        /// Answered by services.
        var questions: [PreShowQuestion] = []
    }

    let subjects: Subjects
    private let isRunning = Atomic<Bool>(false)
    private let items = Mutex<[CheckSection.Item]>([])
    let show: ShowInbox
    private let tell: @Sendable (CheckSection) -> Void

    init(_ subjects: Subjects, show: ShowInbox, tell: @escaping @Sendable (CheckSection) -> Void) {
        self.subjects = subjects
        self.show = show
        self.tell = tell
        publish(progress: 0)
    }

    /// - Returns: false where it runs already.
    func start() -> Bool {
        guard
            isRunning.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return false }
        items.withLock {
            $0 = titles.map { .init(id: $0.id, title: $0.title, state: "running", sentence: "") }
        }
        publish(progress: 0)
        Task { [self] in
            await run()
            isRunning.store(false, ordering: .releasing)
            publish(progress: 1)
        }
        return true
    }

    private var titles: [(id: String, title: String)] {
        [("references", "References")] + subjects.questions.map { ($0.id, $0.title) } + Self.ownTitles
    }

    private static let ownTitles: [(id: String, title: String)] = [
        ("disk", "Disk"), ("clock", "Clock"), ("power", "Power"), ("realtime", "Real-time priority"),
        ("multicast", "Packets to phones"), ("osc", "OSC targets"), ("mqtt", "MQTT broker"), ("cues", "Cues"),
        ("backup", "Backup server"), ("input", "Audio input"), ("xruns", "Interruptions"),
        ("match", "Live match"), ("state", "The show"),
    ]

    func say(_ id: String, _ kind: CheckVerdict.Kind, _ sentence: String) {
        say(id, CheckVerdict(kind, sentence))
    }

    func say(_ id: String, _ verdict: CheckVerdict) {
        items.withLock { items in
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items[index].state = verdict.kind.rawValue
            items[index].sentence = verdict.sentence
        }
    }

    private func publish(progress: Double) {
        tell(
            CheckSection(
                running: isRunning.load(ordering: .acquiring), progress: thousandths(progress),
                items: items.withLock { $0 }))
    }

    private func run() async {
        checkReferences()
        checkMachine()
        publish(progress: 0.05)
        await checkMulticast()
        await checkTargets()
        let course = show.newestPicture.course
        checkCues(course)
        for question in subjects.questions { say(question.id, await question.answer(course)) }
        publish(progress: 0.15)
        await listen { publish(progress: 0.15 + 0.85 * $0) }
        // Last, since half a minute is long enough for somebody to press a key.
        say("state", CheckVerdict(onStateOf: show.newestPicture.state))
    }
}
