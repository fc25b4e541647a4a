import ArgumentParser
import Basics
import Foundation
import Hosting
import Preparation
import ReferenceStore
import Score
import ScoreFiles

/// `baton prepare` makes a model from a recording and its measure times.
struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Makes a model from a recording and its score, or the times of its measures.",
        discussion: """
            PIECE names a folder under Models/. The first recording of a piece is its timeline. Its measures are \
            found by its score (--score), or given as measure times: a measure,time table, Audacity labels, a Sonic \
            Visualiser layer, content XML or beat annotations. Where there is no recording, --score renders one.

            With a recording and its score, Baton finds key, tempo, applause, cuts and the repeats that were left \
            out, and says what it found. Doubtful bars are listed. The times are written beside the model as \
            measures.csv: correct them by ear and prepare again with --measures.

            Without a score, tap: --taps takes the times of every bar, or of every second or fourth one (--every), in \
            the formats of --measures. The taps are snapped to the sound and the bars in between are found.

            With --add further recordings help to follow the same piece. Without --measures theirs are found by \
            alignment; what is doubtful is listed, and written beside the model as doubtful.csv and as Audacity \
            labels to be checked by ear.

            Example: baton prepare bach-prelude --recording prelude.flac --measures prelude.csv \
            --name "Bach, Well-Tempered Clavier I: Prelude in C"
            """)

    @Argument(help: "The piece's folder: letters, digits and dashes.")
    var piece: String

    @Option(
        help: ArgumentHelp("A recording: WAV, FLAC, Ogg, Opus or MP3.", valueName: "file"),
        completion: .file())
    var recording: String?

    @Option(
        help: ArgumentHelp(
            "The recording's score: MusicXML or MIDI. Without a recording it is rendered.", valueName: "file"),
        completion: .file())
    var score: String?

    @Option(
        help: ArgumentHelp(
            "Which bars of the score the recording plays: found (by listening), written (every repeat), or "
                + "ranges such as 1-8,1-8,9-16.", valueName: "route"))
    var route = "found"

    @Flag(help: "Prepares a recording although it does not sound like the score.")
    var insist = false

    @Option(help: ArgumentHelp("The recording's measure times.", valueName: "file"), completion: .file())
    var measures: String?

    @Option(
        help: ArgumentHelp(
            "Taps on bars of the recording, from which all bars are found.", valueName: "file"),
        completion: .file())
    var taps: String?

    @Option(help: ArgumentHelp("How many bars lie between two taps: 1, 2 or 4 as a rule.", valueName: "bars"))
    var every = 1

    @Option(
        help: ArgumentHelp(
            "The beats of a bar, if they are known; for --taps, and for the tempo in OSC.", valueName: "beats"
        ))
    var beats: Int?

    @Option(
        help: ArgumentHelp(
            "The format of the measure times or taps: \(MeasureTimesFormatChoice.acceptedNames.joined(separator: ", ")).",
            valueName: "format"))
    var format = "automatic"

    @Option(
        help: ArgumentHelp("What phones show: “Composer, Piece: Movement”.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("What this recording is called in the model.", valueName: "name"))
    var reference: String?

    @Option(help: ArgumentHelp("The folder of models.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Option(help: "Which channel to listen to: mix, or a number from 1.")
    var channel = "mix"

    @Option(help: ArgumentHelp("Where the last measure ends in the recording.", valueName: "seconds"))
    var end: Double?

    @Flag(help: "Makes the piece's model anew.")
    var replace = false

    @Flag(help: "Adds a further recording to the piece's model.")
    var add = false

    @Flag(help: "Checks everything and writes nothing.")
    var checkOnly = false

    @Flag(help: "Prints what was made as JSON.")
    var json = false

    func validate() throws {
        try require(
            ModelFolder.isValidName(piece), ReferenceStoreError.invalidName(piece).sentence)
        try require(
            recording != nil || score != nil,
            "Give a --recording with its --score, --measures or --taps, or a --score.")
        try require(
            score == nil || measures == nil, "A score brings its own measure times: leave --measures out.")
        try require(
            taps == nil || (score == nil && measures == nil && recording != nil && !add),
            "--taps belongs to the first recording of a piece and takes the place of --measures and --score.")
        try require(
            taps != nil || every == 1, "--every belongs to taps: give --taps.")
        try require(beats == nil || !add, "--beats belongs to the first recording of a piece.")
        try require((1...16).contains(every), "--every is a number of bars from 1 to 16.")
        try require(beats.map { (1...16).contains($0) } ?? true, "--beats is a number from 1 to 16.")
        try require(
            !add || recording == nil || score == nil,
            "--add finds the measures by the model's first recording: leave --score out.")
        try require(
            ScoreRouteChoice(route) != nil,
            "--route is found, written, or ranges of bars such as 1-8,1-8,9-16.")
        try require(
            (route == "found" && !insist) || (recording != nil && score != nil),
            "--route and --insist belong to a recording with its score: give --recording and --score.")
        try require(!(add && replace), "--add keeps the model and --replace does not: give one of them.")
        try require(
            add || name != nil, "Give the piece its name, as in --name 'Composer, Piece: Movement'.")
        try require(
            MeasureTimesFormatChoice(name: format) != nil,
            "--format is one of \(MeasureTimesFormatChoice.acceptedNames.joined(separator: ", ")).")
        try require(AudioChannelChoice(channel) != nil, "--channel is mix or a channel's number from 1.")
        try require(
            reference.map(ModelFolder.isValidName) ?? true, "--reference takes letters, digits and dashes.")
        try require(
            end == nil || measures != nil || taps != nil,
            "--end belongs to measure times: give them with --measures or --taps.")
        try require(
            end.map { $0.isFinite && $0 > 0 } ?? true, "--end is a number of seconds greater than 0.")
        if let name {
            do { _ = try PieceName(entered: name) } catch { throw ValidationError(error.sentence) }
        }
    }

    private func require(_ condition: Bool, _ sentence: String) throws {
        if !condition { throw ValidationError(sentence) }
    }

    func run() async throws { try await printingErrors(as: "prepare") { try await prepare() } }

    var preparationRequest: PreparationRequest {
        PreparationRequest(
            pieceFolder: piece, recording: recording, score: score,
            route: ScoreRouteChoice(route) ?? .found, insistsOnScore: insist, measureTimesPath: measures,
            tapsPath: taps, barsPerTap: every, beatsPerBar: beats,
            measureTimesFormat: format, pieceName: name,
            referenceName: reference, modelsFolder: models, channel: channel, endSeconds: end,
            replacesModel: replace, addsToModel: add,
            checkOnly: checkOnly)
    }

    private func prepare() async throws {
        let console = PreparationConsole()
        let place = PreparationCleanup(console: console)
        let preparation = PreparationRun(request: preparationRequest, console: console, cleanup: place)
        let work = Task { try await preparation.run() }
        let interruption = TerminationSignals { place.handleInterrupt { work.cancel() } }
        defer { interruption.restoreDefaultSignals() }
        do {
            let summary = try await work.value
            console.clearProgressLine()
            print(json ? try summary.json : summary.text)
        } catch {
            console.clearProgressLine()
            if place.isInterrupted {
                console.printLine(PreparationCleanup.interruptionMessage)
                throw ExitCode(130)
            }
            throw error
        }
    }
}
