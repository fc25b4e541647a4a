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
            Exit status: 0 ended as asked, 1 something failed, 64 the command makes no sense.
            """)

    @OptionGroup var programme: ProgrammeOptions
    @OptionGroup(title: "Server") var server: ServeOptions
    @OptionGroup(title: "Show control") var control: ShowControlOptions
    @OptionGroup(title: "Main and backup") var pair: PairOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @OptionGroup var sound: DeviceOptions

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
        SessionNiceness.applyProcessNiceness()
        try await printingErrors(as: "serve") {
            // Created before anything is opened, so that a signal always ends the server in order.
            let interruption = ShutdownSignal()
            let loaded = try programme.load()
            let input = try openInput()
            let concert = ConcertFollower(
                programme: loaded.programme, rate: input.rate, transforms: FFTWSpectrumMaker(),
                start: loaded.place, advance: programme.advance)
            let run = try await ConcertServer(
                concert: concert, folders: loaded.folders, place: loaded.place, input: input,
                settings: settings)
            try await run.run(until: interruption)
            interruption.restoreDefaultSignals()
        }
    }

    private var settings: ConcertServerSettings {
        get throws {
            ConcertServerSettings(
                performance: try performance, web: try server.settings(), models: programme.models,
                linkKey: try pair.setup == nil ? nil : pair.key(), brokerName: control.mqttName,
                checkSeconds: server.checkSeconds, trueMeasureTimesPath: server.truth
            ) { [packets] show, programme, maySendPacket in
                try await packets.makePacketSender(
                    for: programme, continuingFrom: show.startPacketNumber, while: maySendPacket)
            }
        }
    }

    private var performance: PerformanceComponents.Settings {
        get throws {
            PerformanceComponents.Settings(
                recordings: programme.recordings, dataFolder: server.data, beginsNewShow: server.new,
                osc: control.listenOsc ? try control.oscSettings() : nil,
                broker: try control.brokerSettings(),
                pairSetup: try pair.setup)
        }
    }

    private func openInput() throws -> any SoundSource {
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
