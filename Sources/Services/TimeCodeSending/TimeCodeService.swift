import Basics
import Foundation
import Hosting
import MIDILinks
import Platform
import Podium
import ServiceLifecycle
import ShowLog
import Synchronization
import TimeCode
import WebServer

/// Sends time code that follows the music. On a server that stands by, the clock follows silently, so that it goes on
/// where the other server's code ended.
package final class TimeCodeService: HostedService, ShowOutput {
    private let settings: TimeCodeSettings
    private let sender: CodeSender
    private let consoles: ConsoleStream
    private let inbox: ShowInbox
    private let path: String
    private let isOn: Mutex<Bool>
    private let showFolder: @Sendable () -> String?
    private let music = Mutex(Music())

    /// The piece of the newest snapshot, and its time line.
    private struct Music {
        var piece: ShowPiece?
        var index = 0
        var timeLine: RecordingTimeLine?
        /// When the distance was last written for the report, in milliseconds of the show.
        var writtenAt = -TimeCodeService.reportInterval
    }

    /// The milliseconds between two distances in the report.
    static let reportInterval: Int64 = 2_000

    /// - Parameters:
    ///   - data: the server's data folder, which keeps whether the code is switched on.
    ///   - ports: the MIDI ports that others use too.
    ///   - showFolder: the folder of the show's log, which gets the distances for the report; nil for none.
    ///   - maySend: called before each stretch of code, which is sent only if it returns true.
    package init(
        _ settings: TimeCodeSettings, show: ShowInbox, consoles: ConsoleStream, data: String,
        ports: MIDIPorts = MIDIPorts(), showFolder: @escaping @Sendable () -> String? = { nil },
        maySend: @escaping @Sendable () -> Bool
    ) {
        (self.settings, inbox, self.consoles, self.showFolder) = (settings, show, consoles, showFolder)
        sender = CodeSender(settings, ports: ports, maySend: maySend)
        path = data + "/time-code.json"
        isOn = Mutex(JSONFile.read(Switch.self, at: path)?.on ?? true)
    }

    struct Switch: Codable {
        var on: Bool
    }

    var isSwitchedOn: Bool { isOn.withLock { $0 } }

    package func run() async throws {
        guard !settings.isEmpty else { return try await gracefulShutdown() }
        let thread = try RealTimeThread(name: "timecode", priority: CodeSender.threadPriority) { [sender] in
            sender.run(until: $0)
        }
        try await gracefulShutdown()
        thread.stop()
    }

    package var showOutputs: [any ShowOutput] { settings.isEmpty ? [] : [self] }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let isOn = isSwitchedOn
        let timeLine = timeLine(of: snapshot)
        sender.takeObservation(
            timeLine.convert(CodeClock.Observation(snapshot, at: MonotonicClock.now)),
            isSwitchedOn: isOn, isActiveServer: snapshot.isActiveServer, beats: timeLine.beats)
        let status = sender.status
        consoles.publish(.timeCode, TimeCodeSection(status, rate: settings.rate, isOn: isOn))
        if let distance = status.distance, isOn, snapshot.isActiveServer {
            writeDistance(distance, at: snapshot.now.milliseconds)
        }
    }

    private func timeLine(of snapshot: ShowEngineSnapshot) -> RecordingTimeLine {
        let (piece, index) = (snapshot.piece, snapshot.state.piece)
        return music.withLock { music in
            if let known = music.timeLine, music.piece == piece, music.index == index { return known }
            let made = RecordingTimeLine(
                of: piece.measures, name: piece.name.text, beatsPerBar: piece.beatsPerBar,
                recording: settings.recordings[index + 1], source: TimeCodeSettings.recordingSource)
            (music.piece, music.index, music.timeLine) = (piece, index, made)
            return made
        }
    }

    /// Writes a distance for the report, every other second; not on this thread, which must not wait for the disk.
    private func writeDistance(_ seconds: Double, at now: Int64) {
        let isDue = music.withLock { music in
            // The time of another show may be earlier.
            guard now < music.writtenAt || now - music.writtenAt >= Self.reportInterval else { return false }
            music.writtenAt = now
            return true
        }
        guard isDue, let folder = showFolder() else { return }
        let distance = Int64((seconds * 1_000).rounded())
        Task.detached(priority: .utility) {
            TimeCodeDistances.append(atMilliseconds: now, distanceMilliseconds: distance, toShow: folder)
        }
    }

    package var watchedFaults: [WatchedFault] {
        guard !settings.isEmpty else { return [] }
        return [
            WatchedFault(id: "time-code") { [self] _ in
                guard isSwitchedOn else { return nil }
                let line = music.withLock { $0.timeLine?.trouble }
                let troubles = (line.map { [$0] } ?? []) + sender.status.outputs.compactMap(\.trouble)
                return troubles.isEmpty ? nil : troubles.joined(separator: " ")
            }
        ]
    }

    package var preShowCheckItems: [PreShowCheckItem] {
        guard !settings.isEmpty else { return [] }
        return [
            PreShowCheckItem(id: "time-code", title: "Time code") { [self] _ in await check() }
        ]
    }

    /// Sends the test code and says what came of it.
    private func check() async -> PreShowCheckVerdict {
        guard isSwitchedOn else {
            return PreShowCheckVerdict(.warn, "The time code is switched off; “Outputs” switches it on.")
        }
        guard inbox.newestSnapshot.isActiveServer else {
            return PreShowCheckVerdict(.skipped, "The other server sends the time code.")
        }
        guard sender.beginTest() else {
            return PreShowCheckVerdict(.skipped, "The code runs with the music, so no test code was sent.")
        }
        try? await Task.sleep(for: .seconds(CodeSender.testSeconds))
        let outputs = sender.status.outputs
        let troubles = outputs.compactMap(\.trouble)
        guard troubles.isEmpty else { return PreShowCheckVerdict(.fail, troubles.joined(separator: " ")) }
        return PreShowCheckVerdict(
            .pass,
            "Ten seconds of test code from 00:00:00:00 were sent by "
                + "\(outputs.map(\.name).joined(separator: ", ")), \(settings.rate.rawValue) frames a second. "
                + "Nothing confirms time code: look at the desk.")
    }

    /// Each server of a pair has a switch of its own.
    package var refusesChangesWhileInactive: Bool { true }

    package var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/time-code", .roles(WebRole.operators), bodyLimitBytes: 1_024) {
                [self] request in
                try turn(try JSONBody.decode(Switch.self, from: request.body))
                return .succeeded
            }
        ]
    }

    func turn(_ wish: Switch) throws {
        guard !settings.isEmpty else {
            throw Refusal(
                409, "no-time-code",
                "No time code is set up; whoever runs the server can do it (--ltc, --midi-time-code, "
                    + "--midi-clock, --art-net).")
        }
        guard !inbox.newestSnapshot.state.isLocked else {
            throw Refusal(409, "locked", "The show is locked; unlock it, then switch the time code.")
        }
        do { try JSONFile.write(wish, to: path) } catch {
            throw Refusal(
                507, "not-written",
                "\(path) cannot be written, so nothing was changed; look at the disk and its rights.")
        }
        isOn.withLock { $0 = wish.on }
    }
}

extension ConsoleSection {
    static let timeCode = ConsoleSection("timecode")
}

/// The console's section `timecode`.
struct TimeCodeSection: Encodable {
    struct Output: Encodable {
        var name: String
        @OrNull var trouble: String?
    }

    var on: Bool
    var running: Bool
    @OrNull var code: String?
    var rate: String
    var speed: Double
    @OrNull var distanceMs: Int?
    var outputs: [Output]

    init(_ status: CodeSender.Status, rate: TimeCodeRate, isOn: Bool) {
        (on, running, self.rate) = (isOn, status.isRunning, rate.rawValue)
        speed = (status.speed * 100).rounded() / 100
        outputs = status.outputs.map { Output(name: $0.name, trouble: $0.trouble) }
        code = status.label.map { "\($0)" }
        distanceMs = status.distance.map { Int(($0 * 1_000).rounded()) }
    }
}
