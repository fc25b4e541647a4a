import ArgumentParser
import Basics
import Foundation
import Hosting
import Listening
import Preparation
import Recordings
import ReferenceStore

/// `baton recordings use` adds what was played on a recorded evening to the models of its pieces.
struct UseRecordingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Makes a recorded evening a further reference of its pieces.",
        discussion: """
            For each piece Baton finds where it was played, cuts it out, aligns it with the first reference of the \
            piece's model and adds it to the model. The show log says where to look; the sound decides. Without a log \
            all of the recording is searched. A piece that was not played in one run is taken together from passages \
            of the rehearsal. Doubtful bars are listed. A piece that was not played completely is refused, and its \
            model stays as it was.

            A running server follows with the model that it loaded when it started.

            Example: baton recordings use 2026-11-21-200000-small-concert --piece bach-prelude
            """)

    @OptionGroup var store: RecordingsCommand.StoreOption
    @Argument(help: "The recording's name, as `baton recordings list` shows it.") var name: String

    @Option(
        help: ArgumentHelp(
            "The folder of a piece; give it once for each piece. Otherwise the recording's pieces that have models.",
            valueName: "folder"))
    var piece: [String] = []

    @Option(help: ArgumentHelp("The folder of models.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Flag(help: "Checks everything and writes nothing.")
    var checkOnly = false

    @Flag(help: "Prints what was made as JSON.")
    var json = false

    @Flag(help: .hidden)
    var progressLines = false

    func validate() throws {
        for piece in piece where !ModelFolder.isValidName(piece) {
            throw ValidationError(ReferenceStoreError.invalidName(piece).sentence)
        }
    }

    func run() async throws { try await printingErrors(as: "recordings use") { try await use() } }

    private func use() async throws {
        if progressLines { ReferenceJobLine.endWithParent() }
        let recording = try finding { try store.openStore().recording(named: name) }
        let sound = EveningSound(
            name: recording.name,
            parts: recording.parts.filter { !$0.isDeleted }.map {
                EveningSound.Part(
                    number: $0.number, path: $0.path, startedAt: $0.startedAt, showTime: $0.showTime,
                    seconds: $0.seconds)
            })
        guard !sound.parts.isEmpty else {
            throw ExplainedError("The recording “\(name)” has no sound any more.")
        }
        let folders = try pieceFolders(of: recording)
        let console = progressLines ? PreparationConsole(observer: Self.printProgress) : PreparationConsole()
        let cleanup = PreparationCleanup(console: console)
        let evening = EveningReference(
            sound: sound, log: EveningLog(of: sound, showsFolder: store.data + "/shows"),
            modelsFolder: models, onlyChecks: checkOnly, console: console, cleanup: cleanup)
        let interruption = TerminationSignals { cleanup.handleInterrupt {} }
        defer { interruption.restoreDefaultSignals() }
        var results: [EveningReferenceResult] = []
        var failed = false
        for folder in folders {
            switch await Self.outcome(of: folder, in: evening) {
            case .success(let result):
                console.clearProgressLine()
                results.append(result)
                report(result)
            case .failure(let error):
                console.clearProgressLine()
                failed = true
                report(error, of: folder)
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(results), as: UTF8.self))
        }
        if failed { throw ExitCode(1) }
    }

    private static func outcome(
        of folder: String, in evening: EveningReference
    ) async -> Result<EveningReferenceResult, any Error> {
        do { return .success(try await evening.add(folder)) } catch {
            return .failure(error)
        }
    }

    private static let printProgress: @Sendable (String, Double?) -> Void = { stage, share in
        ReferenceJobLine.progress(stage: stage, share: share).print()
    }

    private func report(_ result: EveningReferenceResult) {
        if progressLines {
            ReferenceJobLine.made(result).print()
        } else if !json {
            print(result.text)
        }
    }

    private func report(_ error: any Error, of folder: String) {
        let sentence = error.explanation
        if progressLines {
            ReferenceJobLine.failed(piece: folder, sentence: sentence).print()
        } else {
            printError("\(folder): \(sentence)", as: "recordings use")
        }
    }

    /// The pieces that were asked for, or those of the recording that have a model.
    private func pieceFolders(of recording: Recording) throws -> [String] {
        if !piece.isEmpty { return piece }
        let folder = ModelFolder(path: models)
        let prepared = recording.folders.filter(folder.contains)
        guard !prepared.isEmpty else {
            throw ExplainedError(
                recording.folders.isEmpty
                    ? "The recording “\(name)” does not say which pieces were played; name them with --piece."
                    : "No piece of the recording “\(name)” has a model in \(models); name the folder with --models, or "
                        + "a piece with --piece.")
        }
        return prepared.enumerated().filter { prepared.firstIndex(of: $0.element) == $0.offset }.map(
            \.element)
    }
}
