import Following
import Foundation
import Hosting
import Multicast
import RealTime
import Synchronization

/// The pre-show check, started with one button: it reports what is ready, and what to do about what is not.
///
/// It takes half a minute, in which the follower searches for the music anywhere in the piece, unless music is being
/// followed. The audience sees nothing of it, and any command ends it (`Podium+Check.swift`).
package final class PreShowCheck: Sendable {
    /// The parts of the server that the pre-show check examines.
    package struct Subjects: Sendable {
        package var lane: FollowLane
        package var input: any LiveInput
        package var endpoint: MulticastEndpoint?
        package var osc: OSCOutput?
        package var broker: BrokerOutput?
        /// The targets to which cues may be sent.
        package var cueTargets = CueTargets()
        package var folder: String
        /// Returns the scheduling policies of the capture and follow threads; empty before they run.
        package var policies: @Sendable () -> [RealTimeThread.Policy]
        package var memoryTrouble: String?
        /// Returns the state of the backup server; nil if there is none.
        package var backup: @Sendable () -> (isReady: Bool, sentence: String)?
        package var models: [ReferenceModel]
        package var matchSeconds: Double
        /// The items that services contribute.
        package var questions: [PreShowQuestion] = []

        package init(
            lane: FollowLane, input: any LiveInput, endpoint: MulticastEndpoint? = nil,
            osc: OSCOutput? = nil, broker: BrokerOutput? = nil, cueTargets: CueTargets = CueTargets(),
            folder: String, policies: @escaping @Sendable () -> [RealTimeThread.Policy],
            memoryTrouble: String? = nil,
            backup: @escaping @Sendable () -> (isReady: Bool, sentence: String)?,
            models: [ReferenceModel], matchSeconds: Double, questions: [PreShowQuestion] = []
        ) {
            self.lane = lane
            self.input = input
            self.endpoint = endpoint
            self.osc = osc
            self.broker = broker
            self.cueTargets = cueTargets
            self.folder = folder
            self.policies = policies
            self.memoryTrouble = memoryTrouble
            self.backup = backup
            self.models = models
            self.matchSeconds = matchSeconds
            self.questions = questions
        }
    }

    let subjects: Subjects
    private let isRunning = Atomic<Bool>(false)
    private let items = Mutex<[CheckSection.Item]>([])
    package let show: ShowInbox
    private let tell: @Sendable (CheckSection) -> Void

    package init(_ subjects: Subjects, show: ShowInbox, tell: @escaping @Sendable (CheckSection) -> Void) {
        self.subjects = subjects
        self.show = show
        self.tell = tell
        publish(progress: 0)
    }

    /// Starts the check.
    /// - Returns: false if it is already running.
    package func start() -> Bool {
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

    package func say(_ id: String, _ kind: CheckVerdict.Kind, _ sentence: String) {
        say(id, CheckVerdict(kind, sentence))
    }

    package func say(_ id: String, _ verdict: CheckVerdict) {
        items.withLock { items in
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items[index].state = verdict.kind.rawValue
            items[index].sentence = verdict.sentence
        }
    }

    private func publish(progress: Double) {
        let (isRunning, items) = (isRunning.load(ordering: .acquiring), items.withLock { $0 })
        let isDone = !isRunning && !items.isEmpty
        tell(
            CheckSection(
                running: isRunning, progress: thousandths(progress), items: items,
                endedAt: isDone ? Int64(Date().timeIntervalSince1970 * 1_000) : nil))
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
        // Checked last, because somebody may press a key while the check listens.
        say("state", CheckVerdict(onStateOf: show.newestPicture.state))
    }
}
