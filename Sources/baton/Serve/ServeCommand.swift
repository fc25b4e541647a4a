import ArgumentParser
import Basics
import Composition
import Following
import Foundation
import Hosting
import Performance
import Sound

import struct Podium.Evening

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

    @Argument(
        help: ArgumentHelp(
            "The piece's folder name, several separated by commas, or a concert file (.json). Without it, the server "
                + "begins with the programme of the last evening, which the console changes.",
            valueName: "piece|concert"))
    var programme: String?

    @OptionGroup var pieces: PieceOptions
    @OptionGroup(title: "Server") var server: ServeOptions
    @OptionGroup(title: "Show control") var control: ShowControlOptions
    @OptionGroup(title: "Time code") var timeCode: TimeCodeOutputOptions
    @OptionGroup(title: "Main and backup") var pair: ServerPairOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @OptionGroup var sound: SoundDeviceOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Diary") var outsideSources: OutsideSourceOptions

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
        AllocatorLimits.limitUnusedMemory()
        try await printingErrors(as: "serve") {
            var settings = try readingSettings { try serverSettings }
            settings.presentingSettings = try readingSettings { try server.makePresentingSettings() }
            settings.speakersCode = try readingSettings { try server.makeSpeakersCode() }
            settings.timeCode = try readingSettings { try timeCode.makeSettings() }
            settings.film = timeCode.filmSettings
            settings.outsideSources = try readingSettings {
                try outsideSources.settings.makeSources(version: ConcertServer.version)
            }
            // Created before anything is opened, so that a signal always ends the server in order.
            let interruption = ShutdownSignal()
            let run = try await makeServer(&settings)
            try await run.run(until: interruption)
            interruption.restoreDefaultSignals()
            if run.beginsNextEvening, !interruption.isRequested { throw await ProgramRestart.beginAnew() }
        }
    }

    /// Loads the programme and makes the server. The loaded models are released when a follower has made its own of them,
    /// so nothing that lasts may hold them.
    private func makeServer(_ settings: inout ConcertServerSettings) async throws -> ConcertServer {
        let (loaded, lastEvening) = try loadProgramme()
        settings.performanceSettings.evening = lastEvening.evening
        settings.performanceSettings.intermissions = lastEvening.programme?.intermissions ?? []
        settings.performanceSettings.keepsProgrammeFile = !lastEvening.isComplete
        let input = try await openSoundSource()
        let concert =
            loaded.map { WaitingFollower(programme: $0.programme, sampleRate: input.rate) }
            ?? WaitingFollower(title: Evening.unnamed.title, sampleRate: input.rate)
        let made = try await ConcertServer(
            concert: concert, folders: loaded?.folders ?? [], place: loaded?.place ?? .beginning,
            input: input, settings: settings)
        // The evening that a person has begun is in its show's log from here on.
        ProgrammeFile.forgetNext(in: server.data)
        return made
    }

    /// Loads the pieces of the command line or, if it names none, those of the last evening; not ready to follow yet.
    /// - Returns: the pieces, nil if there are none yet; and what the last evening's file gave for them.
    private func loadProgramme() throws -> (LoadedProgramme?, ProgrammeFile.Beginning) {
        if let programme {
            let requested = try readingSettings { try RequestedProgramme(programme) }
            let next = ProgrammeFile.readNext(in: server.data)
            return (
                try pieces.loadUnreadyProgramme(requested), ProgrammeFile.Beginning(evening: next?.evening)
            )
        }
        let loader = pieces.modelLoader
        var read: [String: ReferenceModel] = [:]
        let beginning = ProgrammeFile.readBeginning(in: server.data) {
            (folder) throws in
            read[folder] = try loader.loadModelWithSections(folder)
        } say: {
            printToStandardError($0 + "\n")
        }
        guard let last = beginning.programme else { return (nil, beginning) }
        let requested = RequestedProgramme(title: last.evening.title, pieceFolderNames: last.pieces)
        return (try pieces.loadUnreadyProgramme(requested, read: read), beginning)
    }

    private var serverSettings: ConcertServerSettings {
        get throws {
            var settings = ConcertServerSettings(
                performanceSettings: try performanceSettings, webSettings: try server.makeWebSettings(),
                modelsFolder: pieces.models,
                linkKey: try pair.pairSetup == nil ? nil : pair.readLinkKey(),
                serverNameInTopics: control.mqttName,
                preShowListeningSeconds: server.checkSeconds, trueMeasureTimesPath: server.truth,
                recordingSettings: recording.settings(isDevice: live.isEmpty),
                soundFixedBecause: isDeviceGiven
                    ? "The device “\(sound.device)” is set by --device or in the settings file; change it there."
                    : nil,
                makeFollower: { [advance = pieces.advance] in
                    Self.makeFollower(of: $0, keeping: $1, replacing: $2.follower, advance: advance)
                }
            ) { [packets] show, programme, maySendPacket in
                try await packets.makePacketSender(
                    for: programme, continuingFrom: show.startPacketNumber, while: maySendPacket)
            }
            settings.listenersMayFollow = server.listenAtHome
            return settings
        }
    }

    private var performanceSettings: PerformanceComponents.Settings {
        get throws {
            var settings = PerformanceComponents.Settings(
                modelLoader: pieces.modelLoader, dataFolder: server.data,
                isOpenHouse: programme == nil,
                beginsNewShow: server.new || ProgrammeFile.readNext(in: server.data) != nil,
                oscSettings: control.listenOsc ? try control.oscSettings() : nil,
                brokerSettings: try control.brokerSettings(),
                pairSetup: try pair.pairSetup)
            // An evening that is put together on the console has somebody there who says when it begins.
            settings.channelName = sound.channel.description
            settings.midiSettings = try MIDISettings(
                outputs: control.midiOut, inputs: control.midiIn, rules: control.midiCommand)
            settings.arming = server.arm ?? (programme == nil ? .byHand : .atOnce)
            return settings
        }
    }

    private static func makeFollower(
        of programme: ConcertProgramme, keeping kept: [Int?], replacing previous: any LiveAudioFollower,
        advance: PieceAdvanceRule
    ) -> FollowerBox {
        guard let previous = previous as? ConcertFollower else {
            return FollowerBox(
                ConcertFollower(
                    programme: programme, sampleRate: previous.sampleRate, transforms: FFTWSpectrumMaker(),
                    advance: advance))
        }
        return FollowerBox(
            ConcertFollower(
                programme: programme, keptPieces: kept, of: previous, transforms: FFTWSpectrumMaker()))
    }

    private var isDeviceGiven: Bool { sound.device != SoundDeviceOptions.usualDevice }

    private func openSoundSource() async throws -> any SoundSource {
        guard live.isEmpty else {
            let playlist = try await RecordingPlaylist.open(
                paths: live, channel: sound.channel, repetitions: loop == 0 ? nil : loop)
            return FileSoundSource(
                playlist, name: live.joined(separator: ", "), playbackSpeed: 1, limitSeconds: nil,
                playingSince: liveSince)
        }
        // A device that was asked for must be there; the usual one may come later, or be chosen on the console.
        guard !isDeviceGiven else { return try DeviceSoundSource(sound.captureRequest) }
        var request = sound.captureRequest
        let choice = SoundDeviceChooser.chosenDevice(in: server.data) { printToStandardError($0 + "\n") }
        if let choice { request.device = choice.device }
        let source = ChangeableDeviceSource(request, channel: choice?.channel)
        if let problem = source.problem {
            printToStandardError(
                "Nothing is heard yet: \(problem) The page /start leads through the choice.\n")
        }
        return source
    }
}
