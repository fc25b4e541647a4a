import ArgumentParser
import Composition
import FFTWTransform
import Following
import Foundation
import Hosting
import MusicalTime
import Performance

/// `baton serve` runs the server of a concert.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a concert: follower, console, show control, show log.",
        discussion: """
            Open http://127.0.0.1:8080/console, after making an account: baton user add NAME --role administrator.
            A show that was broken off goes on where it was. docs/tonight.md leads through an evening.
            Every option may stand in a file instead (--config): http: 127.0.0.1:8080 is --http 127.0.0.1:8080, and \
            programme: names what is played. An option of the command line takes the place of the file's.
            Exit status: 0 ended as asked, 1 something failed, 64 the command makes no sense.
            """)

    @Option(
        help: ArgumentHelp("Read settings from this file (YAML).", valueName: "file"), completion: .file())
    var config: String?

    @OptionGroup var programme: ProgrammeOptions
    @OptionGroup(title: "Server") var server: ServeOptions
    @OptionGroup(title: "Show control") var control: ShowControlOptions
    @OptionGroup(title: "Main and backup") var pair: ServerPairOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @OptionGroup var sound: SoundDeviceOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Listen to a recording instead of a device; repeat for several, with pauses between them.",
            valueName: "file"),
        completion: .file())
    var live: [String] = []

    @Option(
        help: ArgumentHelp(
            "The recording has been playing since this time (seconds since 1970); what has passed is skipped.",
            valueName: "time", visibility: .hidden))
    var liveSince: Double?

    @Option(help: "Play the recordings so many times; 0 for ever.")
    var loop = 1

    func validate() throws {
        if !(0...1_000_000).contains(loop) {
            throw ValidationError("--loop is 0 (for ever) to 1000000, not \(loop).")
        }
        guard (1...600).contains(server.checkSeconds) else {
            throw ValidationError("--check-seconds is 1 to 600, not \(server.checkSeconds).")
        }
    }

    func run() async throws {
        SessionNiceness.copyProcessNicenessToSession()
        try await printingErrors(as: "serve") {
            // Created before anything is opened, so that a signal always ends the server in order.
            let interruption = ShutdownSignal()
            let loaded = try programme.loadProgramme()
            let input = try openSoundSource()
            let concert = ConcertFollower(
                programme: loaded.programme, sampleRate: input.rate, transforms: FFTWSpectrumMaker(),
                start: loaded.place, advance: programme.advance)
            let run = try await ConcertServer(
                concert: concert, folders: loaded.folders, place: loaded.place, input: input,
                settings: serverSettings)
            try await run.run(until: interruption)
            interruption.restoreDefaultSignals()
        }
    }

    private var serverSettings: ConcertServerSettings {
        get throws {
            ConcertServerSettings(
                performanceSettings: try performanceSettings, webSettings: try server.makeWebSettings(),
                modelsFolder: programme.models,
                linkKey: try pair.pairSetup == nil ? nil : pair.readLinkKey(),
                serverNameInTopics: control.mqttName,
                preShowListeningSeconds: server.checkSeconds, trueMeasureTimesPath: server.truth,
                recordingSettings: recording.settings(isDevice: live.isEmpty)
            ) { [packets] show, programme, maySendPacket in
                try await packets.makePacketSender(
                    for: programme, continuingFrom: show.startPacketNumber, while: maySendPacket)
            }
        }
    }

    private var performanceSettings: PerformanceComponents.Settings {
        get throws {
            PerformanceComponents.Settings(
                recordingsFolderPath: programme.recordings, dataFolder: server.data,
                beginsNewShow: server.new,
                oscSettings: control.listenOsc ? try control.oscSettings() : nil,
                brokerSettings: try control.brokerSettings(),
                pairSetup: try pair.pairSetup)
        }
    }

    private func openSoundSource() throws -> any SoundSource {
        guard live.isEmpty else {
            let playlist = try RecordingPlaylist(
                paths: live, channel: sound.channel, repetitions: loop == 0 ? nil : loop)
            return FileSoundSource(
                playlist, name: live.joined(separator: ", "), playbackSpeed: 1, limitSeconds: nil,
                playingSince: liveSince)
        }
        return try DeviceSoundSource(sound.captureRequest)
    }
}
