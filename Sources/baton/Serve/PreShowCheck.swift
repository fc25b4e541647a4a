import Following
import Foundation
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
        /// What listeners find; nil where no content is served.
        var content: @Sendable () -> ContentServed? = { nil }
        var matchSeconds: Double
        /// Of the stands: how many scores are followed as a piece of tonight, and what is wrong with their numbers.
        var scores: (@Sendable () async -> (scores: Int, remarks: [String]))?
    }

    let subjects: Subjects
    private let isRunning = Atomic<Bool>(false)
    private let items = Mutex<[CheckSection.Item]>([])
    private let desk: Mutex<ShowDesk?>
    private let tell: @Sendable (CheckSection) -> Void

    init(_ subjects: Subjects, tell: @escaping @Sendable (CheckSection) -> Void) {
        self.subjects = subjects
        self.tell = tell
        desk = Mutex(nil)
        publish(progress: 0)
    }

    func attach(_ desk: ShowDesk) { self.desk.withLock { $0 = desk } }

    /// - Returns: false where it runs already.
    func start() -> Bool {
        guard
            isRunning.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return false }
        items.withLock {
            $0 = Self.titles.map { .init(id: $0.id, title: $0.title, state: "running", sentence: "") }
        }
        publish(progress: 0)
        Task { [self] in
            await run()
            isRunning.store(false, ordering: .releasing)
            publish(progress: 1)
        }
        return true
    }

    private static let titles: [(id: String, title: String)] = [
        ("references", "References"), ("content", "Slides"), ("disk", "Disk"), ("clock", "Clock"),
        ("power", "Power"),
        ("realtime", "Real-time priority"), ("multicast", "Packets to phones"), ("osc", "OSC targets"),
        ("mqtt", "MQTT broker"), ("cues", "Cues"), ("backup", "Backup server"),
        ("scores", "Scores on stands"),
        ("input", "Audio input"),
        ("xruns", "Interruptions"),
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
        let (isRunning, items) = (isRunning.load(ordering: .acquiring), items.withLock { $0 })
        let isDone = !isRunning && !items.isEmpty
        tell(
            CheckSection(
                running: isRunning, progress: thousandths(progress), items: items,
                endedAt: isDone ? Int64(Date().timeIntervalSince1970 * 1_000) : nil))
    }

    private func run() async {
        checkReferences()
        checkContent(desk.withLock { $0 }?.newestPicture.course)
        checkMachine()
        publish(progress: 0.05)
        await checkMulticast()
        await checkTargets()
        checkCues(desk.withLock { $0 })
        await checkScores()
        publish(progress: 0.15)
        let desk = desk.withLock { $0 }
        await listen(desk) { publish(progress: 0.15 + 0.85 * $0) }
        // Last, since half a minute is long enough for somebody to press a key.
        if let desk { say("state", CheckVerdict(onStateOf: desk.newestPicture.state)) }
    }
}

/// What came of one item of the check.
struct CheckVerdict: Equatable {
    enum Kind: String { case pass, fail, warn, skipped }

    var kind: Kind
    /// What is so; where it is not as it should be, what to do.
    var sentence: String

    init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}
