import Alignment
import Basics
import Features
import Following
import Foundation
import Platform
import Score
import Testing

@testable import ReferenceStore

@Suite struct ModelFolderTests {
    private let models: TemporaryModels

    init() throws { models = try TemporaryModels() }

    private var folder: ModelFolder { models.folder }

    @Test func aModelIsReadBackAsItWasSaved() throws {
        let made = try Made.model()
        try folder.saveModel(made, as: "piece", features: Made.features)
        let loaded = try folder.loadModel("piece", features: Made.features)
        #expect(loaded.referenceDetails == made.referenceDetails)
        #expect(
            loaded.model.pieceName == made.model.pieceName && loaded.model.measures == made.model.measures)
        #expect(loaded.model.framesPerSecond == 50 && loaded.model.framesByRecording.count == 2)
        #expect(loaded.model.framesByRecording == made.model.framesByRecording)
    }

    @Test func whatSomebodyElseSavedMeanwhileIsNotReplaced() throws {
        let none = try folder.revision(of: "piece")
        try folder.saveModel(Made.model(seed: 1), as: "piece", features: Made.features, replacing: none)
        let first = try folder.revision(of: "piece")
        try folder.saveModel(Made.model(seed: 2), as: "piece", features: Made.features, replacing: first)
        let second = try folder.revision(of: "piece")
        for old in [none, first] {
            #expect(throws: ReferenceStoreError.changedMeanwhile(piece: "piece")) {
                try folder.saveModel(
                    Made.model(seed: 3), as: "piece", features: Made.features, replacing: old)
            }
        }
        #expect(try folder.revision(of: "piece") == second)
    }

    @Test func theCopiesInRoomsAreReadBackAsTheyWereSaved() throws {
        let made = try Made.model()
        var model = made.model
        model.beatsPerBar = 3
        model.roomCopies = [
            RoomShape.ofReferences.enumerated().map {
                RoomCopy(room: $1, frames: Made.frames(100, seed: 50 + UInt64($0)))
            }, [],
        ]
        let stored = StoredModel(model: model, referenceDetails: made.referenceDetails)
        try folder.saveModel(stored, as: "piece", features: Made.features)
        let loaded = try folder.loadModel("piece", features: Made.features)
        #expect(loaded.model.beatsPerBar == 3)
        #expect(loaded.model.roomCopies == model.roomCopies)
        // Two references, and three copies of the first.
        #expect(try models.files(of: "piece").count { $0.hasSuffix(".frames") } == 5)
        try folder.saveModel(made, as: "piece", features: Made.features)
        #expect(try models.files(of: "piece").count { $0.hasSuffix(".frames") } == 2)
    }

    @Test func aDamagedCopyInARoomIsNamed() throws {
        let made = try Made.model(names: ["first"])
        var model = made.model
        model.roomCopies = [[RoomCopy(room: RoomShape.ofReferences[0], frames: Made.frames(100, seed: 50))]]
        try folder.saveModel(
            StoredModel(model: model, referenceDetails: made.referenceDetails), as: "piece",
            features: Made.features)
        let own = try folder.loadModel("piece", features: Made.features)
        try folder.saveModel(made, as: "other", features: Made.features)
        let ownFile = try #require(try models.files(of: "other").first { $0.hasSuffix(".frames") })
        let copy = try #require(
            try models.files(of: "piece").first { $0.hasSuffix(".frames") && $0 != ownFile })
        let path = "\(folder.path)/piece/\(copy)"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(own.model.roomCopies[0].count == 1)
        #expect(
            throws: ReferenceStoreError.framesInvalid(
                path: path,
                fault: ExplainedError("it is damaged or cut short, for its content does not match its digest")
            )
        ) {
            try folder.loadModel("piece", features: Made.features)
        }
    }

    @Test func savingTheSameTwiceGivesTheSameBytes() throws {
        let made = try Made.model()
        try folder.saveModel(made, as: "one", features: Made.features)
        try folder.saveModel(
            try folder.loadModel("one", features: Made.features), as: "two", features: Made.features)
        #expect(try models.files(of: "one") == models.files(of: "two"))
        for file in try models.files(of: "one") {
            #expect(try models.bytes(file, of: "one") == models.bytes(file, of: "two"))
        }
    }

    /// A model of the first version of the program is read, and is saved in the present form.
    @Test func aModelOfTheFirstVersionOpens() throws {
        let made = try Made.model(names: ["first"])
        try folder.saveModel(made, as: "piece", features: Made.features)
        let new = try #require(models.files(of: "piece").first { $0.hasSuffix(".frames") })
        let old = Made.firstVersionFile(made.model.framesByRecording[0])
        func digest(_ file: [UInt8]) -> String { Digest(bytes: Array(file.suffix(32)))!.description }
        let json = String(decoding: try models.bytes("model.json", of: "piece"), as: UTF8.self)
            .replacing(digest(try models.bytes(new, of: "piece")), with: digest(old))
        try models.write(Array(json.utf8), "model.json", of: "piece")
        try models.write(old, "first-\(digest(old).prefix(8)).frames", of: "piece")

        let loaded = try folder.loadModel("piece", features: Made.features)
        #expect(loaded.model.framesByRecording == made.model.framesByRecording)
        try folder.saveModel(loaded, as: "piece", features: Made.features)
        #expect(try models.files(of: "piece") == [new, "model.json"].sorted())
    }

    @Test func onlyFoldersWithAModelArePieces() throws {
        #expect(folder.pieceNames() == [])
        #expect(ModelFolder(path: folder.path + "/nothing").pieceNames() == [])
        for piece in ["b", "a-2"] { try folder.saveModel(Made.model(), as: piece, features: Made.features) }
        try FileManager.default.createDirectory(
            atPath: folder.path + "/empty", withIntermediateDirectories: true)
        #expect(folder.pieceNames() == ["a-2", "b"])
    }

    @Test(arguments: ["", "..", "../x", "a/b", "-x", "ä", "a b", "a\0b", String(repeating: "x", count: 101)])
    func noOtherNameReachesTheDisk(name: String) throws {
        let made = try Made.model()
        #expect(throws: ReferenceStoreError.invalidName(name)) {
            try folder.loadModel(name, features: Made.features)
        }
        #expect(throws: ReferenceStoreError.invalidName(name)) {
            try folder.saveModel(made, as: name, features: Made.features)
        }
        #expect(!folder.contains(name))
    }

    @Test func aMissingPieceIsAnsweredWithThoseThereAre() throws {
        try folder.saveModel(Made.model(), as: "there", features: Made.features)
        let error = #expect(throws: ReferenceStoreError.self) {
            try folder.loadModel("away", features: Made.features)
        }
        #expect(error?.sentence == "There is no model “away” in \(folder.path); there are there.")
    }

    @Test func aModelMadeWithOtherParametersIsRefused() throws {
        try folder.saveModel(Made.model(), as: "piece", features: Made.features)
        var other = Made.features
        other.onsetDecay = 0.5
        #expect(throws: ReferenceStoreError.otherFeatureParameters(piece: "piece")) {
            try folder.loadModel("piece", features: other)
        }
        #expect(throws: ReferenceStoreError.otherFeatureParameters(piece: "piece")) {
            try folder.loadModel("piece")
        }
    }

    @Test func aLaterVersionIsRefusedAsOne() throws {
        try folder.saveModel(Made.model(), as: "piece", features: Made.features)
        let json = String(decoding: try models.bytes("model.json", of: "piece"), as: UTF8.self)
        try models.write(
            Array(json.replacing("\"version\" : 1", with: "\"version\" : 2").utf8), "model.json", of: "piece")
        let error = #expect(throws: ReferenceStoreError.self) {
            try folder.loadModel("piece", features: Made.features)
        }
        #expect(
            error == .otherFormatVersion(path: folder.filePath("model.json", of: "piece"), found: 2, known: 1)
        )
    }

    @Test func framesOfAnotherModelAreRefused() throws {
        try folder.saveModel(Made.model(seed: 1), as: "piece", features: Made.features)
        try folder.saveModel(Made.model(seed: 8), as: "other", features: Made.features)
        let mine = try #require(models.files(of: "piece").first { $0.hasPrefix("first-") })
        let foreign = try #require(models.files(of: "other").first { $0.hasPrefix("first-") })
        try models.write(try models.bytes(foreign, of: "other"), mine, of: "piece")
        let error = #expect(throws: ReferenceStoreError.self) {
            try folder.loadModel("piece", features: Made.features)
        }
        #expect(
            error
                == .inconsistent(
                    path: folder.filePath(mine, of: "piece"), reason: "its digest is another one"))
    }

    @Test func missingFramesAreNamed() throws {
        try folder.saveModel(Made.model(), as: "piece", features: Made.features)
        let frames = try #require(models.files(of: "piece").first { $0.hasPrefix("second-") })
        try FileManager.default.removeItem(atPath: folder.filePath(frames, of: "piece"))
        let error = #expect(throws: ReferenceStoreError.self) {
            try folder.loadModel("piece", features: Made.features)
        }
        #expect(error?.sentence.contains(frames) == true)
    }

    @Test func aNewModelTakesThePlaceOfTheOldOne() throws {
        try folder.saveModel(Made.model(names: ["old", "both"]), as: "piece", features: Made.features) {
            _ in ["labels.txt": "x", "doubtful.csv": "y"]
        }
        try models.write([1], "notes.txt", of: "piece")
        let made = try Made.model(names: ["both"], seed: 5)
        try folder.saveModel(made, as: "piece", features: Made.features) { _ in ["labels.txt": "z"] }
        let files = try models.files(of: "piece")
        #expect(files.count == 4 && files.contains("model.json") && files.contains("notes.txt"))
        #expect(try models.bytes("both.labels.txt", of: "piece") == Array("z".utf8))
        #expect(
            try folder.loadModel("piece", features: Made.features).referenceDetails == made.referenceDetails)
    }

    /// A crash leaves everything but the new model.json.
    @Test func anInterruptedSavingLeavesTheOldModelWhole() throws {
        let old = try Made.model(seed: 1)
        try folder.saveModel(old, as: "piece", features: Made.features)
        try folder.saveModel(Made.model(seed: 9), as: "new", features: Made.features)
        for file in try models.files(of: "new") where file.hasSuffix(".frames") {
            try models.write(try models.bytes(file, of: "new"), file, of: "piece")
        }
        try models.write([1, 2, 3], "model.json.1.unfinished", of: "piece")
        #expect(
            try folder.loadModel("piece", features: Made.features).referenceDetails == old.referenceDetails)
        try folder.saveModel(old, as: "piece", features: Made.features)
        #expect(try models.files(of: "piece").count == 3)
    }

    @Test func whatCannotBeWrittenIsSaidAndLeavesNothing() throws {
        try models.write([], "../blocked", of: ".")
        let error = #expect(throws: ReferenceStoreError.self) {
            try ModelFolder(path: folder.path + "/../blocked").saveModel(
                Made.model(), as: "piece", features: Made.features)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/../blocked")
        guard case .notWritten = error else {
            Issue.record("\(String(describing: error)) is not about writing")
            return
        }
    }

    @Test func moreThanTwoHoursAreRefused() throws {
        var features = FeatureParameters()
        features.pitchCount = 1
        let measures = try Made.measures()
        for (count, fits) in [(360_000, true), (360_001, false)] {
            let frames = ReferenceFeatureFrames(
                featureValues: [Float](repeating: 0.5, count: 2 * count), dimensions: 2,
                powerByFrame: [Float](repeating: 0, count: count))
            let reference = StoredReference(
                name: "long", source: ModelSourceFile(file: "long.wav", digest: Digest(of: [])),
                measureFile: nil,
                measureOrigin: .given, durationSeconds: Double(count) / 50, sampleRateHertz: 8_000,
                tuningCents: 0, measures: measures)
            let stored = StoredModel(
                model: ReferenceModel(
                    pieceName: try PieceName("Long"), measures: measures, framesPerSecond: 50,
                    framesByRecording: [frames.packed]
                ),
                referenceDetails: [reference])
            if fits {
                try folder.saveModel(stored, as: "long", features: features)
                #expect(
                    try folder.loadModel("long", features: features).model.framesByRecording[0].frameCount
                        == count)
            } else {
                let error = #expect(throws: ReferenceStoreError.self) {
                    try folder.saveModel(stored, as: "long", features: features)
                }
                #expect(error?.sentence.contains("121 minutes") == true)
            }
        }
    }

    @Test func aSourceIsKnownByItsContent() throws {
        try folder.saveModel(Made.model(), as: "piece", features: Made.features)
        try models.write(Array("abc".utf8), "x.wav", of: "piece")
        let source = try ModelSourceFile(path: folder.filePath("x.wav", of: "piece"))
        #expect(source == ModelSourceFile(file: "x.wav", digest: Digest(of: Array("abc".utf8))))
        #expect(throws: ReferenceStoreError.self) { try ModelSourceFile(path: folder.path + "/none") }
        #expect(throws: ReferenceStoreError.self) { try ModelSourceFile(path: folder.path) }
    }
}
