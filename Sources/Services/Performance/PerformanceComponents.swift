import BackupLink
import Following
import Foundation
import Hosting
import NetworkLinks
import Podium
import ShowControl
import ShowLog
import WebServer

/// The objects of a performance that are created before all other services: tonight's show, the threads' work, and the
/// outputs.
package struct PerformanceComponents: Sendable {
    /// The command-line settings of a performance.
    package struct Settings: Sendable {
        /// Loads the pieces that are added while the server runs.
        package var modelLoader: ReferenceModelLoader
        /// The folder of recordings.
        package var recordingsFolderPath: String { modelLoader.recordingsFolderPath }
        /// The server's data folder.
        package var dataFolder: String
        /// True if the server was started without a programme, which is then put together on the console.
        package var isOpenHouse: Bool
        /// True if the last evening's programme could not be used wholly, so that its file is kept until somebody
        /// changes the programme.
        package var keepsProgrammeFile = false
        /// The evening of a new show; nil for a concert with the programme's title.
        package var evening: Evening?
        /// The pieces of a new show after which an intermission is planned, counted from 0.
        package var intermissions: [Int]
        /// True to begin a new show even if an interrupted one could be continued.
        package var beginsNewShow: Bool
        /// The channel of the sound device that is heard, as on the command line.
        package var channelName = "mix"
        /// Who says when the music of a new show may begin.
        package var arming = ShowArming.atOnce
        /// True if the music of a new show is under way when the server starts, so that no beginning is awaited.
        package var isUnderWay = false
        /// True to keep all memory from being swapped out, if the system permits it; costs 0.3 s at the start.
        package var locksMemory: Bool
        package var oscSettings: ShowControlService.Settings?
        /// The MQTT brokers; cues and commands go by the first.
        package var brokerSettings: [MQTTSettings]
        package var midiSettings = MIDISettings()
        /// The role in a main and backup pair; nil for a single server.
        package var pairSetup: FailoverCoordinator.Setup?
        /// The timeouts of failover between two servers, which must be the same in both.
        package var failoverTimeouts: FailoverSettings

        package init(
            modelLoader: ReferenceModelLoader, dataFolder: String, isOpenHouse: Bool = false,
            intermissions: [Int] = [], beginsNewShow: Bool, locksMemory: Bool = true,
            oscSettings: ShowControlService.Settings?, brokerSettings: [MQTTSettings],
            pairSetup: FailoverCoordinator.Setup?,
            failoverTimeouts: FailoverSettings = FailoverSettings()
        ) {
            self.modelLoader = modelLoader
            self.dataFolder = dataFolder
            self.isOpenHouse = isOpenHouse
            self.intermissions = intermissions
            self.beginsNewShow = beginsNewShow
            self.locksMemory = locksMemory
            self.oscSettings = oscSettings
            self.brokerSettings = brokerSettings
            self.pairSetup = pairSetup
            self.failoverTimeouts = failoverTimeouts
        }
    }

    package let settings: Settings
    package let startPosition: ProgrammePosition
    package let input: any SoundSource
    package let silenceMeter: SilenceMeter
    package let followLane: FollowLane
    package let followerExchange: FollowerExchange
    /// Changes the programme while the server runs.
    package let programmeChanger: ProgrammeChanger
    /// Ends the evening when a person begins the next one; nil in a pair of servers.
    package let nextEvening: NextEvening
    package let serverDataFolder: ServerDataFolder
    package let programmeBuilder: ShowProgrammeBuilder
    package let showProgramme: ShowProgramme
    package let openedShow: OpenedShow
    package let inbox: ShowInbox
    package let consoleStream: ConsoleStream
    package let failoverCoordinator: FailoverCoordinator?
    package let packetSender: PhonePacketSender?
    package let oscOutput: OSCOutput?
    package let brokerOutputs: [BrokerOutput]
    package let midiConnections: MIDIConnections
    package let cueTargets: CueTargets
    package let failedCueReporter: FailedCueReporter
    let startupFaults: StartupFaults
    private let printMessage: @Sendable (String) -> Void

    /// Opens tonight's show and its outputs.
    /// - Parameters:
    ///   - concert: what follows the music. If it is a ``WaitingFollower`` of pieces, its programme's models are not
    ///     ready: a new show makes its follower now, and a show that goes on makes it when it is served again.
    ///   - folders: the folders of the pieces that `concert` follows; none if the programme is empty.
    ///   - makeFollower: makes the follower of a changed programme.
    ///   - packets: creates the packet sender of a show. The sender must call the given closure before each packet and
    ///     send the packet only if it returns true.
    ///   - say: called with messages for people.
    /// - Throws: an error with a sentence if something cannot be opened. A new show is then deleted again.
    package init(
        _ settings: Settings, concert: any LiveAudioFollower, folders: [String], place: ProgrammePosition,
        input: any SoundSource, stream: ConsoleStream, makeFollower: @escaping ProgrammeChanger.FollowerMaker,
        packets: (OpenedShow, @escaping @Sendable () -> Bool) async throws -> PhonePacketSender?,
        say: @escaping @Sendable (String) -> Void
    ) async throws {
        (self.settings, printMessage) = (settings, say)
        (startPosition, self.input, consoleStream) = (place, input, stream)
        silenceMeter = SilenceMeter(
            input, channel: settings.channelName, dataFolder: settings.dataFolder)
        serverDataFolder = try ServerDataFolder(path: settings.dataFolder)
        programmeBuilder = ShowProgrammeBuilder(
            recordingsFolderPath: settings.recordingsFolderPath, dataFolder: settings.dataFolder)
        var programmeFaults: [TechnicalFault] = []
        showProgramme = try programmeBuilder.buildProgramme(
            of: concert.programme, at: settings.evening, folders: folders,
            intermissions: settings.intermissions
        ) { programmeFaults.append($0) }
        for fault in programmeFaults { say(fault.sentence + "\n") }

        let logForwarder = LogForwarder()
        let show = try OpenedShow.open(
            showProgramme, in: serverDataFolder, new: settings.beginsNewShow,
            isOpenHouse: settings.isOpenHouse, arming: settings.arming, isUnderWay: settings.isUnderWay,
            forward: logForwarder.forwardLine)
        openedShow = show
        var isOpened = false
        defer { if !isOpened { show.deleteUnstartedShow() } }
        startupFaults = StartupFaults(programmeFaults + Self.reportOpening(of: show, say))

        let isReady = folders.isEmpty || !(concert is WaitingFollower)
        let makesFollowerLater = !isReady && show.isContinued
        let first =
            isReady || makesFollowerLater
            ? concert : Self.makeFirstFollower(of: concert, folders: folders, place: place, makeFollower)
        followLane = try FollowLane(first)
        followerExchange = FollowerExchange(
            followLane, first: first, programme: showProgramme, isReady: !makesFollowerLater)
        inbox = ShowEngine.makeInbox(
            to: followLane, for: show.podium, isActiveServer: settings.pairSetup == nil, at: show.clock.now)
        nextEvening = NextEvening(dataFolder: settings.dataFolder, takesPieces: settings.isOpenHouse)
        let pair = try Self.makeFailoverCoordinator(
            settings, show: show, dataFolder: serverDataFolder, logForwarder: logForwarder,
            exchange: followerExchange, nextEvening: nextEvening)
        failoverCoordinator = pair
        programmeChanger = ProgrammeChanger(
            inbox: inbox, exchange: followerExchange, loader: settings.modelLoader, builder: programmeBuilder,
            fileFaults: startupFaults, nextEvening: nextEvening, pair: pair,
            notify: { stream.sendOnce("notice", ["kind": "lasting", "sentence": $0]) },
            makeFollower: makeFollower)

        packetSender = try await packets(show) { pair?.maySendOutputs ?? true }
        let showControl = try await Self.makeShowControl(
            OSCTargetFile.addingTargets(to: settings.oscSettings, dataFolder: settings.dataFolder, say: say),
            inbox: inbox)
        cueTargets = CueTargets(
            oscTargets: showControl?.stateReceivers.targets,
            brokerName: settings.brokerSettings.first?.nameInTopics,
            midiPorts: settings.midiSettings.outputs.map(\.name))
        midiConnections = MIDIConnections(settings.midiSettings)
        for sentence in cueTargets.unsendableReasons(of: show.podium.course) { say(sentence + "\n") }
        failedCueReporter = FailedCueReporter(cueTargets: cueTargets) { [inbox] in inbox.post($0) }
        oscOutput = showControl.map { [failedCueReporter] in
            OSCOutput($0, failedCueReporter: failedCueReporter)
        }
        let reporter = failedCueReporter
        brokerOutputs = try settings.brokerSettings.enumerated().map {
            try BrokerOutput($1, sendsCues: $0 == 0, failedCueReporter: reporter)
        }
        isOpened = true
    }

    /// Makes the follower of a new show, which hears the music from the first note on.
    private static func makeFirstFollower(
        of waiting: any LiveAudioFollower, folders: [String], place: ProgrammePosition,
        _ makeFollower: ProgrammeChanger.FollowerMaker
    ) -> any LiveAudioFollower {
        let models = ReferenceModelLoader.makeReady(waiting.programme.pieceModels, of: folders)
        let made = makeFollower(
            ConcertProgramme(title: waiting.programme.title, pieceModels: models), models.map { _ in nil },
            FollowerBox(waiting))
        if place != .beginning { made.follower.begin(at: place) }
        return made.follower
    }

    /// Says why a show is new and which parts of its log are missing.
    /// - Returns: the fault for the console; none if the log is whole.
    private static func reportOpening(
        of show: OpenedShow, _ say: (String) -> Void
    ) -> [TechnicalFault] {
        if let reason = show.newShowReason { say(reason + "\n") }
        for sentence in show.logDamageSentences.prefix(10) { say(sentence + "\n") }
        return show.damageSentence.map { [TechnicalFault(id: damagedLogFaultID, sentence: $0)] } ?? []
    }

    /// Makes the coordinator of two servers; nil for a single one.
    private static func makeFailoverCoordinator(
        _ settings: Settings, show: OpenedShow, dataFolder: ServerDataFolder, logForwarder: LogForwarder,
        exchange: FollowerExchange, nextEvening: NextEvening
    ) throws(ShowLogFault) -> FailoverCoordinator? {
        guard let setup = settings.pairSetup else { return nil }
        return try FailoverCoordinator(
            setup, openedShow: show, serverDataFolder: dataFolder, logForwarder: logForwarder,
            nextEvening: nextEvening, ownProgramme: { exchange.newest.programme },
            timeouts: settings.failoverTimeouts)
    }

    private static func makeShowControl(
        _ settings: ShowControlService.Settings?, inbox: ShowInbox
    ) async throws -> ShowControlService? {
        guard let settings else { return nil }
        return try await ShowControlService(settings: settings) { words, peer in
            await ShowControlCommands(showInbox: inbox).executeCommand(words, from: peer)
        }
    }

    /// Deletes a new show that never began, so that a failed start leaves no files.
    package func deleteUnstartedShow() { openedShow.deleteUnstartedShow() }

    /// The outputs that come before the services' outputs: first the follower's orders, then the packets to phones.
    var outputsBeforeServiceOutputs: [any ShowOutput] {
        [FollowLaneOrderOutput(orders: followLane.orders, exchange: followerExchange)]
            + (packetSender.map { [PhonePacketOutput($0)] } ?? [])
    }

    /// The outputs that come after the services' outputs. The reporter of failed cues comes after all outputs that
    /// send cues.
    var outputsAfterServiceOutputs: [any ShowOutput] {
        var outputs: [any ShowOutput] = []
        if let oscOutput { outputs.append(oscOutput) }
        outputs += brokerOutputs
        let (inbox, startupFaults, printMessage) = (inbox, startupFaults, printMessage)
        return outputs + [
            failedCueReporter,
            ProgrammeUpkeep(
                changer: programmeChanger, exchange: followerExchange, dataFolder: settings.dataFolder,
                keepsFileUntilChange: settings.keepsProgrammeFile,
                postEvent: { inbox.post($0) }, say: printMessage),
            CueFileWriter(openedShow.podium.course, programmeBuilder, trouble: { inbox.post(.fault($0)) }) {
                id in
                if startupFaults.endFault(id) { inbox.post(.faultEnded(id)) }
            },
        ]
    }

    /// The id of the fault that reports missing parts of the show log.
    private static let damagedLogFaultID = "show-log-damage"
}
