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
    package struct CheckedParts: Sendable {
        package var lane: FollowLane
        package var input: any SoundSource
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
        package var serviceItems: [PreShowCheckItem] = []

        package init(
            lane: FollowLane, input: any SoundSource, endpoint: MulticastEndpoint? = nil,
            osc: OSCOutput? = nil, broker: BrokerOutput? = nil, cueTargets: CueTargets = CueTargets(),
            folder: String, policies: @escaping @Sendable () -> [RealTimeThread.Policy],
            memoryTrouble: String? = nil,
            backup: @escaping @Sendable () -> (isReady: Bool, sentence: String)?,
            models: [ReferenceModel], matchSeconds: Double, serviceItems: [PreShowCheckItem] = []
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
            self.serviceItems = serviceItems
        }
    }

    let checkedParts: CheckedParts
    private let isRunning = Atomic<Bool>(false)
    private let items = Mutex<[PreShowCheckSection.Item]>([])
    package let show: ShowInbox
    private let publishSection: @Sendable (PreShowCheckSection) -> Void

    package init(
        _ checkedParts: CheckedParts, show: ShowInbox,
        publishSection: @escaping @Sendable (PreShowCheckSection) -> Void
    ) {
        self.checkedParts = checkedParts
        self.show = show
        self.publishSection = publishSection
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
        [("references", "References")] + checkedParts.serviceItems.map { ($0.id, $0.title) } + Self.ownTitles
    }

    private static let ownTitles: [(id: String, title: String)] = [
        ("disk", "Disk"), ("clock", "Clock"), ("power", "Power"), ("realtime", "Real-time priority"),
        ("multicast", "Packets to phones"), ("osc", "OSC targets"), ("mqtt", "MQTT broker"), ("cues", "Cues"),
        ("backup", "Backup server"), ("input", "Audio input"), ("xruns", "Interruptions"),
        ("match", "Live match"), ("state", "The show"),
    ]

    package func setResult(_ id: String, _ kind: CheckVerdict.Kind, _ sentence: String) {
        setResult(id, CheckVerdict(kind, sentence))
    }

    package func setResult(_ id: String, _ verdict: CheckVerdict) {
        items.withLock { items in
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items[index].state = verdict.kind.rawValue
            items[index].sentence = verdict.sentence
        }
    }

    private func publish(progress: Double) {
        let (isRunning, items) = (isRunning.load(ordering: .acquiring), items.withLock { $0 })
        let isDone = !isRunning && !items.isEmpty
        publishSection(
            PreShowCheckSection(
                running: isRunning, progress: roundedToThousandths(progress), items: items,
                endedAt: isDone ? Int64(Date().timeIntervalSince1970 * 1_000) : nil))
    }

    private func run() async {
        checkReferences()
        checkMachine()
        publish(progress: 0.05)
        await checkMulticast()
        await checkTargets()
        let course = show.newestSnapshot.course
        checkCues(course)
        for question in checkedParts.serviceItems { setResult(question.id, await question.check(course)) }
        publish(progress: 0.15)
        await listen { publish(progress: 0.15 + 0.85 * $0) }
        // Checked last, because somebody may press a key while the check listens.
        setResult("state", CheckVerdict(onStateOf: show.newestSnapshot.state))
    }
}
