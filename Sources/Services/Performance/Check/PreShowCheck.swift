import Following
import Foundation
import Hosting
import Multicast
import RealTime
import Synchronization

/// The pre-show check, started with one button: it reports what is ready, and what to do about the rest.
///
/// The check takes half a minute, in which the follower searches for the music anywhere in the piece, unless music is
/// being followed already. The audience sees nothing of it, and any command ends it (`Podium+Check.swift`).
package final class PreShowCheck: Sendable {
    /// The parts of the server that the pre-show check examines.
    package struct CheckedParts: Sendable {
        package var followLane: FollowLane
        package var input: any SoundSource
        package var multicastEndpoint: MulticastEndpoint?
        package var osc: OSCOutput?
        package var broker: BrokerOutput?
        /// The targets to which cues may be sent.
        package var cueTargets = CueTargets()
        package var folder: String
        /// Returns the scheduling policies of the capture and follow threads; empty before they run.
        package var schedulingPolicies: @Sendable () -> [RealTimeThread.Policy]
        package var memoryTrouble: String?
        /// Returns the state of the backup server; nil if there is none.
        package var backup: @Sendable () -> (isReady: Bool, sentence: String)?
        package var models: [ReferenceModel]
        package var listeningSeconds: Double
        /// The items that services contribute.
        package var serviceItems: [PreShowCheckItem] = []

        package init(
            followLane: FollowLane, input: any SoundSource, multicastEndpoint: MulticastEndpoint? = nil,
            osc: OSCOutput? = nil, broker: BrokerOutput? = nil, cueTargets: CueTargets = CueTargets(),
            folder: String, schedulingPolicies: @escaping @Sendable () -> [RealTimeThread.Policy],
            memoryTrouble: String? = nil,
            backup: @escaping @Sendable () -> (isReady: Bool, sentence: String)?,
            models: [ReferenceModel], listeningSeconds: Double, serviceItems: [PreShowCheckItem] = []
        ) {
            self.followLane = followLane
            self.input = input
            self.multicastEndpoint = multicastEndpoint
            self.osc = osc
            self.broker = broker
            self.cueTargets = cueTargets
            self.folder = folder
            self.schedulingPolicies = schedulingPolicies
            self.memoryTrouble = memoryTrouble
            self.backup = backup
            self.models = models
            self.listeningSeconds = listeningSeconds
            self.serviceItems = serviceItems
        }
    }

    let checkedParts: CheckedParts
    private let isRunning = Atomic<Bool>(false)
    private let items = Mutex<[PreShowCheckSection.Item]>([])
    package let showInbox: ShowInbox
    private let publishSection: @Sendable (PreShowCheckSection) -> Void

    package init(
        _ checkedParts: CheckedParts, showInbox: ShowInbox,
        publishSection: @escaping @Sendable (PreShowCheckSection) -> Void
    ) {
        self.checkedParts = checkedParts
        self.showInbox = showInbox
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
        [("references", "References")] + checkedParts.serviceItems.map { ($0.id, $0.title) }
            + Self.builtInTitles
    }

    private static let builtInTitles: [(id: String, title: String)] = [
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
        let course = showInbox.newestSnapshot.programme
        checkCues(course)
        for question in checkedParts.serviceItems { setResult(question.id, await question.check(course)) }
        publish(progress: 0.15)
        await listen { publish(progress: 0.15 + 0.85 * $0) }
        // Checked last, because somebody may press a key while the check listens.
        setResult("state", CheckVerdict(onStateOf: showInbox.newestSnapshot.state))
    }
}
