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
package struct PerformanceParts: Sendable {
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
        package var pair: ServePair.Setup?
        /// Of two servers; the same in both.
        package var timeouts: FailoverSettings

        package init(
            recordings: String, data: String, beginsNewShow: Bool, locksMemory: Bool = true,
            osc: ShowControlService.Settings?, broker: BrokerSettings?, pair: ServePair.Setup?,
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
    package let input: any LiveInput
    package let lane: FollowLane
    package let folder: ShowFolder
    package let files: ServeCourse
    package let course: ShowProgramme
    package let show: ServeShow
    package let inbox: ShowInbox
    package let stream: ConsoleStream
    package let pair: ServePair?
    package let air: LiveAir?
    package let osc: OSCOutput?
    package let broker: BrokerOutput?
    package let cueTargets: CueTargets
    package let cueTrouble: CueTrouble
    let startFaults: StartFaults

    /// Opens tonight's show and its outputs.
    /// - Parameters:
    ///   - packets: creates the sender of packets; the sender must call the closure before each packet.
    ///   - say: called with messages for people.
    /// - Throws: an error with a sentence if something cannot be opened. A new show is then deleted again.
    package init(
        _ settings: Settings, concert: any LaneFollower, folders: [String], place: ProgrammePosition,
        input: any LiveInput, stream: ConsoleStream,
        packets: (ServeShow, @escaping @Sendable () -> Bool) async throws -> LiveAir?, say: (String) -> Void
    ) async throws {
        self.settings = settings
        self.place = place
        self.input = input
        self.stream = stream
        programme = concert.programme
        folder = try ShowFolder(path: settings.data)
        files = ServeCourse(recordings: settings.recordings, data: settings.data)
        var beginning: [TechnicalFault] = []
        course = try files.course(of: concert.programme, folders: folders) { beginning.append($0) }
        for fault in beginning { say(fault.sentence + "\n") }
        let lines = LogLines()
        let show = try ServeShow.open(course, in: folder, new: settings.beginsNewShow, forward: lines.offer)
        self.show = show
        var isReady = false
        defer { if !isReady { show.discard() } }
        if let remark = show.remark { say(remark + "\n") }
        for sentence in show.damage.prefix(10) { say(sentence + "\n") }
        if let sentence = show.damageSentence {
            beginning.append(TechnicalFault(id: Self.damagedLog, sentence: sentence))
        }
        startFaults = StartFaults(beginning)
        lane = try FollowLane(concert)
        let inbox = ShowDesk.inbox(
            to: lane, for: show.podium, isOurs: settings.pair == nil, at: show.clock.now)
        self.inbox = inbox
        let (folder, course) = (folder, course)
        let pair = try settings.pair.map { setup throws(ShowLogFault) in
            try ServePair(
                setup, show: show, folder: folder, lines: lines, own: course, timeouts: settings.timeouts)
        }
        self.pair = pair
        air = try await packets(show) { pair?.maySend ?? true }
        cueTargets = CueTargets(osc: settings.osc?.targets, brokerName: settings.broker?.name)
        for sentence in cueTargets.troubles(of: show.podium.course) { say(sentence + "\n") }
        let trouble = CueTrouble(targets: cueTargets) { inbox.tell($0) }
        cueTrouble = trouble
        if let osc = settings.osc {
            let desk = try await ShowControlService(settings: osc) { words, peer in
                await ShowControlCommands(show: inbox).obey(words, from: peer)
            }
            self.osc = OSCOutput(desk, trouble: trouble)
        } else {
            osc = nil
        }
        broker = try settings.broker.map { settings throws(BrokerFault) in
            try BrokerOutput(settings, trouble: trouble)
        }
        isReady = true
    }

    /// Deletes a new show that never began, so that a failed start leaves no files.
    package func discard() { show.discard() }

    /// The outputs that come first: the follower's orders, then phones.
    var first: [any ShowOutput] {
        [LaneOutput(orders: lane.orders)] + (air.map { [AirOutput($0)] } ?? [])
    }

    /// The outputs that come after those of the services. The record of failed cues comes after everything that sends
    /// cues.
    var last: [any ShowOutput] {
        var outputs: [any ShowOutput] = []
        if let osc { outputs.append(osc) }
        if let broker { outputs.append(broker) }
        let (inbox, startFaults) = (inbox, startFaults)
        return outputs + [
            cueTrouble,
            CueFiles(show.podium.course, files, trouble: { inbox.tell(.fault($0)) }) { id in
                if startFaults.end(id) { inbox.tell(.faultEnded(id)) }
            },
        ]
    }

    /// The id of the fault that part of the show log is missing.
    private static let damagedLog = "show-log-damage"
}
