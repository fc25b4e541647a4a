import BackupLink
import Following
import Foundation
import Hosting
import MessageBroker
import Podium
import ShowControl
import ShowLog
import WebServer

/// The parts of a performance that exist before any other service: tonight's show, the threads' work, and the
/// outputs.
package struct PerformanceComponents: Sendable {
    /// The command-line settings of a performance.
    package struct Settings: Sendable {
        /// The folder of recordings.
        package var recordings: String
        /// The server's data folder.
        package var data: String
        /// True to begin a new show even if an interrupted one could be continued.
        package var beginsNewShow: Bool
        /// Keep all memory from being swapped out, if the system permits it; costs 0.3 s at the start.
        package var locksMemory: Bool
        package var osc: ShowControlService.Settings?
        package var broker: BrokerSettings?
        /// The role in a main and backup pair; nil for a single server.
        package var pair: FailoverCoordinator.Setup?
        /// Of two servers; the same in both.
        package var timeouts: FailoverSettings

        package init(
            recordings: String, data: String, beginsNewShow: Bool, locksMemory: Bool = true,
            osc: ShowControlService.Settings?, broker: BrokerSettings?, pair: FailoverCoordinator.Setup?,
            timeouts: FailoverSettings = FailoverSettings()
        ) {
            self.recordings = recordings
            self.data = data
            self.beginsNewShow = beginsNewShow
            self.locksMemory = locksMemory
            self.osc = osc
            self.broker = broker
            self.pair = pair
            self.timeouts = timeouts
        }
    }

    package let settings: Settings
    package let programme: Programme
    package let place: ProgrammePosition
    package let input: any SoundSource
    package let lane: FollowLane
    package let folder: ShowFolder
    package let files: ShowProgrammeBuilder
    package let course: ShowProgramme
    package let show: OpenedShow
    package let inbox: ShowInbox
    package let stream: ConsoleStream
    package let pair: FailoverCoordinator?
    package let packetSender: PhonePacketSender?
    package let osc: OSCOutput?
    package let broker: BrokerOutput?
    package let cueTargets: CueTargets
    package let failedCueReporter: FailedCueReporter
    let startupFaults: StartupFaults

    /// Opens tonight's show and its outputs.
    /// - Parameters:
    ///   - packets: creates the sender of packets; the sender must call the closure before each packet.
    ///   - say: called with messages for people.
    /// - Throws: an error with a sentence if something cannot be opened. A new show is then deleted again.
    package init(
        _ settings: Settings, concert: any LaneFollower, folders: [String], place: ProgrammePosition,
        input: any SoundSource, stream: ConsoleStream,
        packets: (OpenedShow, @escaping @Sendable () -> Bool) async throws -> PhonePacketSender?,
        say: (String) -> Void
    ) async throws {
        self.settings = settings
        self.place = place
        self.input = input
        self.stream = stream
        programme = concert.programme
        folder = try ShowFolder(path: settings.data)
        files = ShowProgrammeBuilder(recordings: settings.recordings, data: settings.data)
        var beginning: [TechnicalFault] = []
        course = try files.course(of: concert.programme, folders: folders) { beginning.append($0) }
        for fault in beginning { say(fault.sentence + "\n") }
        let logForwarder = LogForwarder()
        let show = try OpenedShow.open(
            course, in: folder, new: settings.beginsNewShow, forward: logForwarder.offer)
        self.show = show
        var isReady = false
        defer { if !isReady { show.deleteUnstartedShow() } }
        if let remark = show.remark { say(remark + "\n") }
        for sentence in show.damage.prefix(10) { say(sentence + "\n") }
        if let sentence = show.damageSentence {
            beginning.append(TechnicalFault(id: Self.damagedLogFaultID, sentence: sentence))
        }
        startupFaults = StartupFaults(beginning)
        lane = try FollowLane(concert)
        let inbox = ShowEngine.inbox(
            to: lane, for: show.podium, isActiveServer: settings.pair == nil, at: show.clock.now)
        self.inbox = inbox
        let (folder, course) = (folder, course)
        let pair = try settings.pair.map { setup throws(ShowLogFault) in
            try FailoverCoordinator(
                setup, show: show, folder: folder, logForwarder: logForwarder, ownProgramme: course,
                timeouts: settings.timeouts)
        }
        self.pair = pair
        packetSender = try await packets(show) { pair?.maySend ?? true }
        cueTargets = CueTargets(osc: settings.osc?.targets, brokerName: settings.broker?.name)
        for sentence in cueTargets.problems(of: show.podium.course) { say(sentence + "\n") }
        let trouble = FailedCueReporter(targets: cueTargets) { inbox.post($0) }
        failedCueReporter = trouble
        if let osc = settings.osc {
            let service = try await ShowControlService(settings: osc) { words, peer in
                await ShowControlCommands(show: inbox).obey(words, from: peer)
            }
            self.osc = OSCOutput(service, trouble: trouble)
        } else {
            osc = nil
        }
        broker = try settings.broker.map { settings throws(BrokerFault) in
            try BrokerOutput(settings, trouble: trouble)
        }
        isReady = true
    }

    /// Deletes a new show that never began, so that a failed start leaves no files.
    package func deleteUnstartedShow() { show.deleteUnstartedShow() }

    /// The outputs that come first: the follower's orders, then phones.
    var outputsBeforeServices: [any ShowOutput] {
        [FollowLaneOrderOutput(orders: lane.orders)] + (packetSender.map { [PacketOutput($0)] } ?? [])
    }

    /// The outputs that come after those of the services. The record of failed cues comes after everything that sends
    /// cues.
    var outputsAfterServices: [any ShowOutput] {
        var outputs: [any ShowOutput] = []
        if let osc { outputs.append(osc) }
        if let broker { outputs.append(broker) }
        let (inbox, startupFaults) = (inbox, startupFaults)
        return outputs + [
            failedCueReporter,
            CueFileWriter(show.podium.course, files, trouble: { inbox.post(.fault($0)) }) { id in
                if startupFaults.end(id) { inbox.post(.faultEnded(id)) }
            },
        ]
    }

    /// The id of the fault that part of the show log is missing.
    private static let damagedLogFaultID = "show-log-damage"
}
