import ArgumentParser
import Basics
import Foundation
import ScoreFiles
import Sound

/// `baton render` makes a recording with known measure times from a score.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Renders a score to audio and writes down when each measure begins.",
        discussion: """
            SCORE is MusicXML (.musicxml, .xml, .mxl; read through Verovio, see Tools/verovio-venv) or MIDI. \
            Repeats and endings are unfolded. Beside the audio stand measures.csv (measure,time: printed \
            numbers in performance order, seconds in the audio) and render.json (the end and what was done). A \
            .mid has the score's bars and the tempi as performed; bar 1 begins at its first tick, without --lead-in.

            A tempo curve is a text file. Its header is measure,ratio or measure,bpm (printed numbers) or \
            played,ratio or played,bpm (performed measures counted from 1); each further line is one point, \
            and 12.5 is the middle of measure 12. Tempi between points lie on a straight line.

            Example: baton render score.musicxml --out calm/ --tempo 0.9 --room hall --jitter 8 --seed 1
            """)

    @Argument(help: "The score: .musicxml, .xml, .mxl, .mid or .midi.", completion: .file())
    var score: String

    @Option(
        name: .shortAndLong,
        help: "A folder, or a file ending in .wav, .flac, .ogg, or .mid for the notes alone.")
    var out: String?

    @Option(help: "Multiplies every tempo: 1.1 is a tenth faster.")
    var tempo = 1.0

    @Option(help: ArgumentHelp("A tempo curve, measure by measure.", valueName: "file"), completion: .file())
    var tempoCurve: String?

    @Option(
        help: ArgumentHelp("A soundfont; else FluidR3_GM or TimGM6mb as installed.", valueName: "file.sf2"))
    var soundfont: String?

    @Option(help: "Sample rate in hertz, 8000 to 96000.")
    var rate = 22_050

    @Option(
        help: ArgumentHelp(
            "Makes one part louder or softer; can be given for each part.", valueName: "part=dB"))
    var balance: [String] = []

    @Option(name: [.long, .customLong("reverb")], help: "The room around the instruments.")
    var room = Reverberation.chamber

    @Option(help: "Master gain of the synthesizer, 0 to 10.")
    var gain = 0.5

    @Option(help: "Unevenness in time: standard deviation of each note in milliseconds, 0 to 100.")
    var jitter = 0.0

    @Option(help: "Unevenness in loudness: standard deviation of each note's velocity, 0 to 30.")
    var velocityJitter = 0.0

    @Option(help: "Starts the random numbers of both: the same seed plays the same notes.")
    var seed: UInt64 = 0

    @Option(help: "Seconds of silence before the first measure, 0 to 60; a .mid has none.")
    var leadIn = 0.5

    @Option(help: "Seconds for the sound to die away after the last, 0 to 60.")
    var tail = 2.5

    @Flag(help: "Keeps both channels; else they are mixed to one, as a follower hears them.")
    var stereo = false

    @Flag(help: "Prints what was done as JSON.")
    var json = false

    func validate() throws {
        try require((0.05...20).contains(tempo), "--tempo is a ratio from 0.05 to 20.")
        try require((8_000...96_000).contains(rate), "--rate goes from 8000 to 96000 hertz.")
        try require(gain > 0 && gain <= 10, "--gain is above 0 and at most 10.")
        try require((0...100).contains(jitter), "--jitter goes from 0 to 100 milliseconds.")
        try require((0...30).contains(velocityJitter), "--velocity-jitter goes from 0 to 30.")
        try require((0...60).contains(leadIn), "--lead-in goes from 0 to 60 seconds.")
        try require((0...60).contains(tail), "--tail goes from 0 to 60 seconds.")
        _ = try parseBalanceDecibels()
        if let out {
            do throws(ExplainedError) { try RenderedFilePaths.check(out: out) } catch {
                throw ValidationError("--out: \(error.sentence)")
            }
        }
    }

    func run() async throws {
        try await printingErrors(as: "render") { try printReport(try await render()) }
    }

    private func render() async throws -> RenderingDetails {
        let workshop = ExternalRenderingTools.findTools(
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            program: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
        let interpretation = PerformanceInterpretation(
            tempoRatio: TempoRatio(tempo), tempoCurve: try tempoCurve.map(TempoCurve.init(path:)),
            volumeChangeDecibelsByPart: try parseBalanceDecibels(), timingJitter: Seconds(jitter / 1_000),
            velocityJitterSteps: velocityJitter, seed: seed, leadIn: Seconds(leadIn),
            dieAwayTime: Seconds(tail))
        let sound = ScoreRenderer.SynthesizerSettings(
            soundfont: soundfont.map { URL(fileURLWithPath: $0) }, rate: SampleRate(hertz: Double(rate)),
            reverberation: room, gain: gain)
        return try await ScoreRenderer(tools: workshop, convertSound: stereo ? nil : Self.mixToMono).render(
            score: URL(fileURLWithPath: score), as: interpretation,
            curveName: tempoCurve.map { URL(fileURLWithPath: $0).lastPathComponent }, sound: sound,
            to: outputFiles)
    }

    private static let mixToMono: ScoreRenderer.SoundConversion = {
        (rendered, final) throws(ExplainedError) in
        do {
            let stereo = try SoundFileReader(path: rendered.path, channel: .meanOfAllChannels)
            let mono = try SoundFileWriter(path: final.path, rate: stereo.sampleRate, channels: 1)
            try mono.write(try stereo.readAll())
            try mono.close()
        } catch let error as SoundFileError {
            throw ExplainedError(error.sentence)
        } catch {
            throw RenderingError.cannotWrite(path: final.path, reason: error.localizedDescription)
        }
    }

    private var outputFiles: RenderedFilePaths {
        let stem = URL(fileURLWithPath: score).deletingPathExtension().lastPathComponent
        return RenderedFilePaths(out: URL(fileURLWithPath: out ?? stem))
    }

    private func printReport(_ facts: RenderingDetails) throws {
        for remark in facts.remarks ?? [] { printError("\(score): \(remark)", as: "render") }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(facts), as: UTF8.self))
        } else {
            let length = String(format: "%.1f", facts.endSeconds - facts.startSeconds)
            print("\(facts.title ?? facts.score): \(facts.measures.count) measures in \(length) s")
            print(outputFiles.soundFile.relativePath)
            print(outputFiles.measureTimesFile.relativePath)
            print(outputFiles.detailsFile.relativePath)
        }
    }

    private func parseBalanceDecibels() throws -> [String: Double] {
        var result: [String: Double] = [:]
        for entry in balance {
            guard let equals = entry.lastIndex(of: "="),
                let decibels = Double(entry[entry.index(after: equals)...]), (-60...20).contains(decibels)
            else {
                throw ValidationError("--balance takes PART=dB, for example “Flute=-3”, from -60 to 20.")
            }
            result[String(entry[..<equals])] = decibels
        }
        return result
    }

    private func require(_ condition: Bool, _ sentence: String) throws {
        if !condition { throw ValidationError(sentence) }
    }
}

extension Reverberation: ExpressibleByArgument {}
