import Basics
import Following
import Foundation
import Platform
import Podium
import Score
import ShowLog
import Synchronization
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import TestHelpers

/// Two pieces of melodies that a follower can be made for, eight measures of a second each, with two letters.
func madeCourse(_ cues: [Cue] = []) throws -> ShowProgramme {
    try ShowProgramme(
        title: "Made",
        pieces: [1, 2].map { seed in
            try ShowPiece(
                name: PieceName("Made, Melody: \(seed)"), folder: "melody-\(seed)",
                measures: try madeMeasures(8),
                sections: [PieceSection(label: "A", start: 0), PieceSection(label: "B", start: 4)],
                cues: seed == 1 ? try CueList(cues, measureCount: 8) : CueList())
        })
}

func madeMeasures(_ count: Int) throws -> MeasureMap {
    try MeasureMap(
        marks: (0..<count).map {
            PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0)))
        }, end: ReferenceTime(seconds: Double(count)))
}

func madeCue(_ name: String, at played: Int, kind: CueKind = .note, auto: Bool = true) -> Cue {
    Cue(
        id: name, place: .playedMeasure(played), played: played, name: name, kind: kind, isAutomatic: auto,
        earlinessMilliseconds: 0)
}

/// Remembers what it was told, and what the show log held at that moment.
final class RecordingOutput: ShowOutput {
    struct Told: Sendable {
        var effect: PodiumEffect
        var log: String
    }

    private let log: @Sendable () -> String
    private let effects = Mutex<[Told]>([])
    private let states = Mutex<[PodiumState]>([])

    init(log: @escaping @Sendable () -> String = { "" }) { self.log = log }

    var told: [Told] { effects.withLock { $0 } }
    var shownStates: [PodiumState] { states.withLock { $0 } }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        let log = log()
        effects.withLock { $0.append(Told(effect: effect, log: log)) }
    }

    func receiveSnapshot(_ picture: ShowEngineSnapshot) { states.withLock { $0.append(picture.state) } }
}

/// A desk at work, its log in a folder of its own, and a follower whose words the test speaks.
final class ServeStage: Sendable {
    let folder: ServeFolder
    let lane: FollowLane
    let show: OpenedShow
    let output: RecordingOutput
    let desk: ShowEngine
    private let thread = Mutex<RealTimeThread?>(nil)

    init(
        _ course: ShowProgramme? = nil, isActiveServer: Bool = true, outputs: [any ShowOutput] = [],
        mayAct: @escaping @Sendable () -> Bool = { true }
    ) throws {
        let folder = try ServeFolder()
        self.folder = folder
        lane = try FollowLane(LiveFolder.concert(Self.programme.get()))
        show = try OpenedShow.open(
            course ?? madeCourse(), in: ServerDataFolder(path: folder.path), new: false, forward: { _, _ in })
        let path = show.recorder.writer.showFolder
        output = RecordingOutput { ServeStage.log(path) }
        desk = ShowEngine(
            engineState: ShowEngineState(
                podium: show.podium, recorder: show.recorder, isActiveServer: isActiveServer),
            inbox: ShowEngine.makeInbox(
                to: lane, for: show.podium, isActiveServer: isActiveServer, at: show.clock.now),
            followLane: lane,
            showOutputs: [output, FollowLaneOrderOutput(orders: lane.orders)] + outputs, clock: show.clock,
            isSureToBeActive: mayAct)
    }

    func start() throws {
        let desk = desk
        let new = try RealTimeThread(name: "desk", priority: nil) { desk.run(until: $0) }
        thread.withLock { $0 = new }
    }

    func stop() { thread.withLock { $0?.stop() } }

    deinit { stop() }

    var log: String { Self.log(show.recorder.writer.showFolder) }

    private static func log(_ show: String) -> String {
        (try? String(contentsOfFile: show + "/log-0001.jsonl", encoding: .utf8)) ?? ""
    }

    /// Heard once for all stages.
    private static let programme = Result { try LiveFolder.programme(seeds: [1, 2], seconds: 8) }

    static let anna = CommandSender(name: "anna", role: .technician)

    @discardableResult
    func give(_ words: String, epoch: BatonEpoch? = nil) async throws -> CommandOutcome {
        let command = try PodiumCommand(words: words.split(separator: " ").map(String.init))
        return await desk.inbox.submitEvent(.command(command, by: Self.anna, epoch: epoch))
    }

    /// The follower says so.
    func hear(
        _ played: Int, piece: Int = 0, state: FollowerState = .following, confidence: Double = 0.95,
        order: UInt32? = nil
    ) {
        let report = madeReport(played, state: state, confidence: confidence)
        lane.allReports.write(
            StampedReport(
                concertReport: ConcertReport(pieceIndex: piece, positionReport: report),
                publishedAt: MonotonicClock.now,
                newestCompletedOrderNumber: order ?? desk.inbox.newestSnapshot.state.order))
        lane.reportPublished.ring()
    }

    func wait(until isSo: () -> Bool) async -> Bool { await eventually(isSo) }

    func waitForMeasure(_ played: Int) async -> Bool {
        await wait { desk.inbox.newestSnapshot.state.position.played == played }
    }
}

func madeReport(
    _ played: Int, state: FollowerState = .following, confidence: Double = 0.95, live: Double? = nil
) -> PositionReport {
    PositionReport(
        liveTime: LiveTime(seconds: live ?? Double(played)),
        referenceTime: ReferenceTime(seconds: Double(played)),
        position: ScorePosition(played: played, fraction: 0), printedMeasure: played + 1, tempo: .unity,
        confidence: confidence, state: state)
}

/// An input that says what the test wants.
final class SpokenInput: SoundSource {
    let name = "spoken"
    let rate = LiveFolder.rate
    private let statuses: Mutex<[SoundSourceStatus]>

    /// - Parameter statuses: one after another, the last for ever.
    init(_ statuses: [SoundSourceStatus]) { self.statuses = Mutex(statuses) }

    func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {}

    var status: SoundSourceStatus {
        statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}

/// Lets everybody in as anna.
struct OpenAccounts: Accounts {
    private let anna = WebPerson(id: "1", name: "anna", role: .administrator)

    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        password == "right" ? .signedIn(anna, token: "token") : .wrongCredentials
    }
    func findPerson(token: String) async -> WebPerson? { token == "token" ? anna : nil }
    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .changed }
}

/// Keeps the faults it is told.
final class Told: Sendable {
    private let kept = Mutex<[TechnicalFault]>([])
    var faults: [TechnicalFault] { kept.withLock { $0 } }
    func note(_ fault: TechnicalFault) { kept.withLock { $0.append(fault) } }
}

/// A check of a stage whose input says what the test wants; nothing is sent anywhere.
func madeCheck(
    _ stage: ServeStage, input: [SoundSourceStatus] = [SoundSourceStatus(rms: 0.1)], seconds: Double,
    tell: @escaping @Sendable (PreShowCheckSection) -> Void = { _ in }
) -> PreShowCheck {
    PreShowCheck(
        PreShowCheck.CheckedComponents(
            followLane: stage.lane, input: SpokenInput(input), dataFolderPath: stage.folder.path,
            schedulingPolicies: { [] },
            describeBackup: { nil }, referenceModels: { [] }, listeningSeconds: seconds),
        showInbox: stage.desk.inbox,
        publishSection: tell)
}

extension ServeStage {
    /// The console's addresses over this stage.
    func consoleDesk(
        check: PreShowCheck? = nil, cueTargets: CueTargets = CueTargets(), reserve: DiskReserve? = nil,
        report: @escaping @Sendable () async -> [UInt8]? = { nil }
    ) -> ConsoleRequestHandler {
        let (desk, check) = (desk, check ?? madeCheck(self, seconds: 20))
        return ConsoleRequestHandler(
            show: desk.inbox, programme: NoProgrammeChanges(), sound: NoSoundDevices(),
            beginCheck: check.start,
            cueProblem: cueTargets.unsendableReason,
            health: HealthResponder(
                determineServerRole: { "alone" }, timeSinceEngineRan: { desk.timeSinceLastRun },
                isAudioInputPresent: { true }),
            reserve: reserve,
            report: report)
    }
}

/// Refuses every change of the programme.
struct NoProgrammeChanges: ProgrammeEditing {
    func listPreparedPieces() async -> [PreparedPiece] { [] }
    func changeProgramme(to wanted: WantedProgramme, by sender: CommandSender) async
        -> ProgrammeChangeOutcome
    {
        .notPossible("This stage has no models.")
    }
    func listEarlierEvenings() async -> [EarlierEvening] { [] }
    func readReport(ofShow name: String) async -> [UInt8]? { nil }
    func listPlannedEvenings() async -> [PlannedEvening] { [] }
    func planEvening(_ wanted: WantedEvening?, as id: String) async throws(ExplainedError) {
        throw ExplainedError("This stage has no data folder.")
    }
    func beginEvening(_ wanted: WantedEvening?, by sender: CommandSender) async -> ProgrammeChangeOutcome {
        .notPossible("This stage has no data folder.")
    }
}

/// A machine without sound devices.
struct NoSoundDevices: SoundChoosing {
    func describeSound() async -> SoundDescription {
        SoundDescription(source: "made", rate: 48_000, problem: nil, fixedBecause: nil, devices: [])
    }
    func chooseDevice(_ name: String, channel: Int?) async -> String? {
        "There is no capture device “\(name)”."
    }
    func measureSilence() async -> SilenceAnswer { .refused("No sound arrives.") }
}

/// The state of a made show before its first event.
func madeSnapshot() throws -> ShowEngineSnapshot {
    let podium = Podium(course: try madeCourse())
    return ShowEngineSnapshot(
        now: .zero, programme: podium.course, state: podium.state, measureFraction: 0, newestReport: nil,
        isActiveServer: true,
        nextCueCountdown: nil)
}

extension CommandOutcome {
    func expectDone(sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .done = self else {
            Issue.record("not done: \(sentence ?? "")", sourceLocation: sourceLocation)
            return
        }
    }
}
