import Basics
import Foundation
import Platform
import ReferenceStore
import Repository
import Score
import ScoreFiles
import Sound
import Testing
import WebServer

@testable import Concert
@testable import Preparation

/// Making the model: it loses nothing that came from elsewhere, and an interruption can be repeated.
@Suite struct ModelWorkTests {
    private let stage: PreparationStage
    private let console = PreparationConsole { _, _ in }

    init() throws { stage = try PreparationStage(worker: ScriptedWorker(results: [])) }

    private var folder: String { stage.folder + "/Recordings/piece" }
    private var models: ModelFolder { ModelFolder(path: stage.folder + "/Models") }

    private func order(_ sound: String = "tone.wav", bars: [Double] = [0.5, 1, 1.5, 2]) throws -> ModelOrder {
        if !FileManager.default.fileExists(atPath: stage.folder + "/" + sound) {
            _ = try stage.sound(seconds: 3, name: sound, frequency: sound == "tone.wav" ? 440 : 550)
        }
        return ModelOrder(
            piece: "p1", name: "Composer, Piece: Movement", folder: "piece", models: models.path,
            recordings: stage.folder + "/Recordings",
            main: .init(path: stage.folder + "/" + sound, file: sound, name: "tone"),
            bars: bars.enumerated().map { OrderedBar(printed: $0 + 1, seconds: $1) }, end: 2.5, doubtful: [],
            score: nil, origin: .given, further: [])
    }

    /// Adds a reference to the model as an evening does.
    private func addEvening() throws {
        let stored = try models.loadModel("piece")
        var (model, about) = (stored.model, stored.referenceDetails[0])
        model.addReference(model.framesByRecording[0].unpacked, roomCopies: []) { $0 }
        about.name = "evening"
        about.source = ModelSourceFile(
            file: "evening.flac", digest: try ModelSourceFile(path: "/bin/sh").digest)
        about.measures = try MeasureMap(
            marks: about.measures.marks.map {
                PlayedMeasure(
                    printed: $0.printed, onset: ReferenceTime(seconds: 10 + 2 * $0.onset.seconds))
            }, end: ReferenceTime(seconds: 15))
        try models.saveModel(
            StoredModel(model: model, referenceDetails: stored.referenceDetails + [about]), as: "piece")
    }

    @Test func lettersLieBesideTheRecordingsForEveryoneWhoAsksForThem() throws {
        var made = try order()
        made.sections = [EnteredSection(label: "A", printed: 2, played: 1, source: .preparation)]
        _ = try made.perform(observer: console)
        let found = PieceSections(recordings: stage.folder + "/Recordings", data: nil)
            .starts(of: "piece", measures: try models.loadModel("piece").model.measures)
        #expect(found.map(\.label) == ["A"])
        #expect(found.map(\.start) == [1])
    }

    private static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

    @Test(.enabled(if: hasFFmpeg)) func aRecordingThatOnlyFFmpegReadsIsFoundForTheForecast() async throws {
        _ = try order().perform(observer: console)
        let place = folder + "/tone"
        let conversion = ChildProcess(
            executable: URL(fileURLWithPath: "/usr/bin/ffmpeg"),
            arguments: [
                "-v", "error", "-i", stage.folder + "/tone.wav", "-c:a", "aac", place + "/audio.m4a",
            ],
            timeLimitSeconds: 60)
        let logs = URL(fileURLWithPath: stage.folder)
        let outcome = await conversion.run(
            output: logs.appending(path: "ffmpeg.out"), errors: logs.appending(path: "ffmpeg.err"))
        #expect(outcome == .finished(status: 0))
        for sound in SoundFileKinds.sounds(in: place) where !sound.hasSuffix(".m4a") {
            try FileManager.default.removeItem(atPath: sound)
        }
        let trials = TroubleTrialOrder(
            models: models.path, folder: "piece", recordings: stage.folder + "/Recordings")
        let readable = ReadableRecordings()
        let details = try models.loadModel("piece").referenceDetails[0]
        let path = try #require(trials.soundPath(of: details, readable))
        #expect(try abs(SoundFileReader(path: path).duration.value - 3) < 0.1)
        withExtendedLifetime(readable) {}
    }

    @Test func thePageOffersTheFilesThatAreLookedForInFolders() throws {
        let page = Repository.root.appending(path: "Sources/Services/Preparation/Pages/prepare/drops.js")
        let text = try String(contentsOf: page, encoding: .utf8)
        let written = try #require(text.firstMatch(of: #/const endings = "([^"]*)"/#)).output.1
        #expect(written.split(separator: ",").map(String.init) == SoundFileKinds.endings.map { "." + $0 })
    }

    @Test func whatAnEveningAddedStaysWhenThePieceIsPreparedAgain() throws {
        _ = try order().perform(observer: console)
        try addEvening()
        let (sentence, _) = try order(bars: [0.5, 1.1, 1.5, 2]).perform(observer: console)
        #expect(sentence.contains("one recording. It keeps what had been added to it afterwards: evening."))
        let stored = try models.loadModel("piece")
        #expect(stored.referenceDetails.map(\.name) == ["tone", "evening"])
        #expect(stored.referenceDetails[1].measures.marks.map(\.onset.seconds) == [11, 12.2, 13, 14])
        #expect(stored.referenceDetails[1].doubtful.map(\.played) == [2])
    }

    @Test func anotherMainRecordingIsRefusedRatherThanLosingAnEvening() throws {
        _ = try order().perform(observer: console)
        // Without references from elsewhere, the main recording may change.
        _ = try order("other.wav").perform(observer: console)
        _ = try order().perform(observer: console)
        try addEvening()
        let before = try models.revision(of: "piece")
        #expect {
            _ = try order("other.wav").perform(observer: console)
        } throws: { error in
            (error as? PreparationError)?.sentences.first?.contains("(evening)") == true
        }
        #expect(try models.revision(of: "piece") == before)
    }

    @Test func aNewPieceWithAnotherRecordingTakesTheFolderOfADeletedOne() throws {
        _ = try order().perform(observer: console)
        var next = try order("other.wav")
        (next.piece, next.main.name) = ("p2", "other")
        let (sentence, _) = try next.perform(observer: console)
        #expect(sentence.contains("It takes the place of a deleted piece with other recordings: tone."))
        #expect(try models.loadModel("piece").referenceDetails.map(\.name) == ["other"])
        #expect(RecordingsFolderWriter.owner(of: folder) == "p2")
    }

    @Test func theFolderOfAnInterruptedPieceIsItsOwn() throws {
        var order = try order()
        _ = try order.perform(observer: console)
        try FileManager.default.removeItem(atPath: folder)
        let references = try models.loadModel("piece").referenceDetails
        order.main.path = stage.folder + "/missing.wav"
        #expect(throws: Refusal.self) {
            try RecordingsFolderWriter(order: order, references: references).write()
        }
        #expect(RecordingsFolderWriter.owner(of: folder) == "p1")
        try FileManager.default.removeItem(atPath: folder + "/piece.json")
        #expect(RecordingsFolderWriter.owner(of: folder) == .none)
    }

    @Test func aRecordingWhoseReplacementWasInterruptedIsPutBack() throws {
        _ = try order().perform(observer: console)
        try FileManager.default.moveItem(
            atPath: folder + "/tone", toPath: folder + "/.replaced-tone")
        let references = try models.loadModel("piece").referenceDetails
        var order = try order()
        order.main.path = stage.folder + "/missing.wav"
        #expect(throws: Refusal.self) {
            try RecordingsFolderWriter(order: order, references: references).write()
        }
        #expect(FileManager.default.fileExists(atPath: folder + "/tone/audio.wav"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/.replaced-tone"))
    }

    @Test func aRecordingNamedLikeSomethingElseInTheFolderGetsAnotherName() async throws {
        let worker = ScriptedWorker(results: [])
        let stage = try PreparationStage(worker: worker)
        let piece = try await stage.makePiece()
        try await stage.service.library.change(piece) { record in
            record.recordings = [
                DraftRecording(
                    id: "r1", name: "content.flac", file: "a.flac", seconds: 20, sampleRate: 44_100,
                    channels: 2)
            ]
            record.main = "r1"
            _ = record.draft.apply([
                .insert(bar: "a", seconds: 1, printed: 1), .insert(bar: "b", seconds: 2, printed: 2),
            ])
            return nil
        }
        let place = stage.folder + "/Recordings/piece"
        try FileManager.default.createDirectory(
            atPath: place + "/content", withIntermediateDirectories: true)
        try #"{"name": "Piece", "draft": "\#(piece)"}"#.write(
            toFile: place + "/piece.json", atomically: true, encoding: .utf8)
        struct Wanted: Encodable { var kind = "prepare", folder = "piece" }
        _ = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted())
        for await work in worker.begun {
            guard case .writeModel(let order) = work else { break }
            #expect(order.main.name == "content-2")
            break
        }
        await stage.service.queue.waitUntilDone()
    }
}
