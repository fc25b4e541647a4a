import ArgumentParser
import Basics
import Following
import Foundation
import Hosting
import Performance
import Platform
import Sound
import TimeCodeSending

/// `baton replay` follows recordings as if they were played live, or replays a show log.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Follows recordings as if they were played now; or a show again, from its log.",
        discussion: """
            At its own speed a recording takes the way of a performance: the same threads, the same packets. \
            With --speed max it is followed at once on one thread, nothing is sent, and the same input gives \
            the same output, byte for byte. A concert's recordings are played one after another, with three \
            seconds of a quiet room between them.
            With the folder of a show, such as Data/shows/2026-11-21-200000-concert, what was shown that evening \
            is worked out again from the log and compared with it; the status is 1 where it differs.
            Exit status: 0 all is well (also when interrupted), 1 something failed, 64 the command makes no \
            sense.
            """)

    @OptionGroup var programme: ProgrammeOptions
    @OptionGroup(title: "Method") var method: FollowingMethodOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @Option(
        help: ArgumentHelp("A recording to follow; repeat it to play several.", valueName: "file"),
        completion: .file())
    var live: [String] = []

    @Option(
        help: ArgumentHelp(
            "A performance among the recordings to follow, one for each piece in order.", valueName: "name"))
    var performance: [String] = []

    @Option(
        help: ArgumentHelp("Speed: 1 as it was played, 2 twice as fast, max at once.", valueName: "n|max"))
    var speed = "1"

    @OptionGroup(title: "Time code") var timeCode: TimeCodeOptions

    @Option(
        help: ArgumentHelp(
            "Write the time code that would be sent as LTC; needs --speed max. Ends in .wav or .flac.",
            valueName: "file"), completion: .file())
    var ltc: String?

    @Option(help: "Which channel to hear: mix, or a number from 1.", transform: parseAudioChannel)
    var channel = AudioChannelChoice.meanOfAllChannels

    @Option(help: "End after so many seconds of audio.")
    var seconds: Double?

    @Option(help: "Play all so many times; 0 for ever.")
    var loop = 1

    func validate() throws {
        if ShowLogReplayComparison.isShowLogFolder(programme.what) { return }
        if speed != "max", playbackSpeedFactor == nil {
            throw ValidationError("--speed is max or a number from 0.1 to 20, not “\(speed)”.")
        }
        if ltc != nil, speed != "max" { throw ValidationError("--ltc needs --speed max.") }
        if let seconds, !(seconds > 0 && seconds <= 10_000_000) {
            throw ValidationError("--seconds must be more than 0 and at most 10000000, not \(seconds).")
        }
        if !(0...1_000_000).contains(loop) {
            throw ValidationError("--loop is 0 (for ever) to 1000000, not \(loop).")
        }
        guard live.isEmpty != performance.isEmpty else {
            throw ValidationError("Name what to follow: either --live FILE or --performance NAME.")
        }
    }

    /// The playback speed; nil for `max`.
    private var playbackSpeedFactor: Double? { Double(speed).flatMap { (0.1...20).contains($0) ? $0 : nil } }

    func run() async throws {
        try await printingErrors(as: "replay") {
            if ShowLogReplayComparison.isShowLogFolder(programme.what) {
                return try ShowLogReplayComparison(programme.what, json: output.json).run()
            }
            let loaded = try programme.loadProgramme(features: method.features)
            let playlist = try await RecordingPlaylist.open(
                paths: recordingPaths(folders: loaded.folders), channel: channel,
                repetitions: loop == 0 ? nil : loop)
            let concert = ConcertFollower(
                programme: loaded.programme, sampleRate: playlist.rate, transforms: FFTWSpectrumMaker(),
                start: loaded.place, advance: programme.advance, method: method.method)
            if let playbackSpeedFactor {
                try await runLive(
                    concert, playlist, pace: playbackSpeedFactor, folders: loaded.folders, place: loaded.place
                )
            } else {
                try runAsFastAsPossible(concert, playlist, folders: loaded.folders, place: loaded.place)
            }
        }
    }

    private func recordingPaths(folders: [String]) throws -> [String] {
        guard live.isEmpty else { return live }
        guard performance.count == folders.count else {
            throw ExplainedError(
                "There are \(folders.count) pieces and \(performance.count) performances; "
                    + "give --performance once for each piece.")
        }
        var paths: [String] = []
        for (folder, name) in zip(folders, performance) {
            paths.append(try programme.modelLoader.soundFilePath(of: folder, performance: name))
        }
        return paths
    }

    private func runAsFastAsPossible(
        _ concert: ConcertFollower, _ playlist: RecordingPlaylist, folders: [String], place: ProgrammePosition
    ) throws {
        let interruption = ShutdownSignal()
        let recorder = try output.makeReportRecorder(
            programme: concert.programme, folders: folders, withLines: true)
        let references = concert.programme.pieceModels.map {
            (name: $0.pieceName.text, measures: $0.measures)
        }
        let codeFile = try ltc.map {
            try TimeCodeFile(path: $0, settings: timeCode.makeSettings(), pieces: references)
        }
        var buffer = ReportTextBuffer(recorder: recorder)
        buffer.addHeaders()
        var hops = 0
        let start = MonotonicClock.now
        let replay = FastReplay(playlist: playlist, startPosition: place, limitSeconds: seconds)
        let heard = try replay.replayPlaylist(concert, while: { !interruption.isRequested }) { said in
            buffer.addReport(said)
            codeFile?.addReport(said)
            hops += 1
            if hops % 512 == 0 { buffer.flush() }
        }
        buffer.flush()
        try codeFile?.close()
        try requireCompleteOutputs(recorder)
        let audio = heard.seconds(at: playlist.rate)
        let took = (MonotonicClock.now - start).seconds
        if !output.quiet {
            printToStandardError(
                "\(hops) hops, \(audio.decimalText(1)) s of audio in \(took.decimalText(2)) s\n")
        }
    }

    private func runLive(
        _ concert: ConcertFollower, _ playlist: RecordingPlaylist, pace: Double, folders: [String],
        place: ProgrammePosition
    ) async throws {
        let restart = FollowLane.RepetitionRestart(
            intervalSamples: playlist.samplesPerRepetition, place: place)
        let lane = try FollowLane(concert, pace: pace, repetitionRestart: loop == 1 ? nil : restart)
        let names = playlist.segments.compactMap { section in
            if case .recording(let path, _) = section { path } else { nil }
        }
        let input = FileSoundSource(
            playlist, name: names.joined(separator: ", "), playbackSpeed: pace, limitSeconds: seconds)
        try await runPerformanceInRealTime(
            lane: lane, input: input, programme: concert.programme, folders: folders,
            isUnderWay: place != .beginning, output: output, packets: packets, limit: nil)
    }
}
