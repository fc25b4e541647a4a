import Following
import Foundation
import Hosting
import NetworkLinks
import Platform
import Synchronization

/// The pre-show check, started with one button: it reports what is ready, and what to do about the rest.
///
/// The check takes half a minute. During this time the follower searches for the music anywhere in the piece, unless
/// it follows music already. The audience sees nothing of the search, and any command ends it (`Podium+Check.swift`).
package final class PreShowCheck: Sendable {
    /// The parts of the server that the pre-show check examines.
    package struct CheckedComponents: Sendable {
        package var followLane: FollowLane
        package var input: any SoundSource
        /// Nil if nobody measures the silence.
        package var silenceMeter: SilenceMeter?
        package var multicastEndpoint: MulticastEndpoint?
        package var oscOutput: OSCOutput?
        package var brokerOutputs: [BrokerOutput]
        /// The targets to which cues may be sent.
        package var cueTargets = CueTargets()
        package var dataFolderPath: String
        /// Returns the scheduling policies of the capture and follow threads; empty before they run.
        package var schedulingPolicies: @Sendable () -> [RealTimeThread.Policy]
        /// Returns why the memory is not locked, as a sentence; nil if it is.
        package var memoryLockFailure: @Sendable () -> String?
        /// Returns the state of the backup server; nil if there is none.
        package var describeBackup: @Sendable () -> (isReady: Bool, sentence: String)?
        package var referenceModels: @Sendable () -> [ReferenceModel]
        package var listeningSeconds: Double
        /// The items that services contribute.
        package var serviceItems: [PreShowCheckItem] = []

        package init(
            followLane: FollowLane, input: any SoundSource, silenceMeter: SilenceMeter? = nil,
            multicastEndpoint: MulticastEndpoint? = nil,
            oscOutput: OSCOutput? = nil, brokerOutputs: [BrokerOutput] = [],
            cueTargets: CueTargets = CueTargets(),
            dataFolderPath: String, schedulingPolicies: @escaping @Sendable () -> [RealTimeThread.Policy],
            memoryLockFailure: @escaping @Sendable () -> String? = { nil },
            describeBackup: @escaping @Sendable () -> (isReady: Bool, sentence: String)?,
            referenceModels: @escaping @Sendable () -> [ReferenceModel], listeningSeconds: Double,
            serviceItems: [PreShowCheckItem] = []
        ) {
            self.followLane = followLane
            self.input = input
            self.silenceMeter = silenceMeter
            self.multicastEndpoint = multicastEndpoint
            self.oscOutput = oscOutput
            self.brokerOutputs = brokerOutputs
            self.cueTargets = cueTargets
            self.dataFolderPath = dataFolderPath
            self.schedulingPolicies = schedulingPolicies
            self.memoryLockFailure = memoryLockFailure
            self.describeBackup = describeBackup
            self.referenceModels = referenceModels
            self.listeningSeconds = listeningSeconds
            self.serviceItems = serviceItems
        }
    }

    let checkedComponents: CheckedComponents
    private let isRunning = Atomic<Bool>(false)
    /// The task that waits until the music of the newest check has stopped; nil if none had to wait.
    let waitForSilence = Mutex<Task<Void, Never>?>(nil)
    private let itemResults = Mutex<[PreShowCheckSection.Item]>([])
    package let showInbox: ShowInbox
    private let publishSection: @Sendable (PreShowCheckSection) -> Void

    package init(
        _ checkedParts: CheckedComponents, showInbox: ShowInbox,
        publishSection: @escaping @Sendable (PreShowCheckSection) -> Void
    ) {
        self.checkedComponents = checkedParts
        self.showInbox = showInbox
        self.publishSection = publishSection
        publishResults(progress: 0)
    }

    /// Starts the check.
    /// - Returns: false if it is already running.
    package func start() -> Bool {
        guard
            isRunning.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return false }
        waitForSilence.withLock { $0?.cancel() }
        itemResults.withLock {
            $0 = itemTitles.map { .init(id: $0.id, title: $0.title, state: "running", sentence: "") }
        }
        publishResults(progress: 0)
        Task { [self] in
            await run()
            isRunning.store(false, ordering: .releasing)
            publishResults(progress: 1)
        }
        return true
    }

    private var itemTitles: [(id: String, title: String)] {
        [("references", "References")] + checkedComponents.serviceItems.map { ($0.id, $0.title) }
            + Self.builtInItemTitles
    }

    private static let builtInItemTitles: [(id: String, title: String)] = [
        ("disk", "Disk"), ("clock", "Clock"), ("power", "Power"), ("realtime", "Real-time priority"),
        ("multicast", "Packets to phones"), ("osc", "OSC targets"), ("mqtt", "MQTT broker"), ("cues", "Cues"),
        ("backup", "Backup server"), ("input", "Audio input"), ("silence", "Silence and hum"),
        ("xruns", "Interruptions"),
        ("match", "Live match"), ("state", "The show"),
    ]

    package func setResult(_ id: String, _ kind: PreShowCheckVerdict.Kind, _ sentence: String) {
        setResult(id, PreShowCheckVerdict(kind, sentence))
    }

    package func setResult(_ id: String, _ verdict: PreShowCheckVerdict) {
        itemResults.withLock { items in
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items[index].state = verdict.kind.rawValue
            items[index].sentence = verdict.sentence
        }
    }

    private func publishResults(progress: Double) {
        let (isRunning, items) = (isRunning.load(ordering: .acquiring), itemResults.withLock { $0 })
        let isDone = !isRunning && !items.isEmpty
        publishSection(
            PreShowCheckSection(
                running: isRunning, progress: roundedToThousandths(progress), items: items,
                endedAt: isDone ? Int64(Date().timeIntervalSince1970 * 1_000) : nil))
    }

    private func run() async {
        reportLoadedReferences()
        checkMachine()
        publishResults(progress: 0.05)
        await checkMulticast()
        await checkOSCBrokerAndBackup()
        let course = showInbox.newestSnapshot.programme
        checkCues(course)
        for question in checkedComponents.serviceItems {
            setResult(question.id, await question.performCheck(course))
        }
        publishResults(progress: 0.15)
        await listenToInput { publishResults(progress: 0.15 + 0.85 * $0) }
        // Checked last, because somebody may press a key while the check listens.
        let snapshot = showInbox.newestSnapshot
        let state = snapshot.state
        var verdict = PreShowCheckVerdict(onStateOf: state)
        verdict.sentence +=
            " The show goes on with piece \(state.piece + 1), “\(snapshot.programme.pieces[state.piece].name)”."
        if state.isAwaitingArming {
            verdict.sentence += " It is not armed yet: R arms it, W begins."
        }
        if state.check != nil {
            verdict.sentence +=
                " Music still sounds; the audience sees nothing of it, and the show begins after it."
        }
        setResult("state", verdict)
    }
}
