import Foundation
import Testing

@testable import baton
@testable import ShowStages

/// What may be named to be evaluated.
@Suite struct EvaluationPlacesTests {
    private let folder: LiveFolder

    init() throws { folder = try LiveFolder() }

    private func make(_ path: String, onsets: [Int] = [1, 2, 3]) throws {
        let file = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let rows = onsets.enumerated().map { "\($0 + 1),\($1)\n" }
        try Data(("measure,time\n" + rows.joined()).utf8).write(to: file)
    }

    @Test func aFolderOfRecordingsAndAnnotationsIsCases() throws {
        for name in ["a", "b"] {
            try make("set/\(name).wav")
            try make("set/\(name).csv")
        }
        try make("set/c.wav")
        let found = try EvaluationCaseSelection(
            places: [folder.path("set")], only: [], recordings: folder.url.appending(path: "none"))
        #expect(found.cases.map(\.id) == ["set/a-b", "set/b-a"])
        #expect(found.cases.map(\.group) == ["set", "set"])
        #expect(found.remarks.contains { $0.contains("such as c.wav") })
    }

    @Test func recordingsOfOtherMeasuresAreNoPiece() throws {
        try make("set/a.wav")
        try make("set/a.csv")
        try make("set/b.wav")
        try make("set/b.csv", onsets: Array(1...7))
        let found = try EvaluationCaseSelection(
            places: [folder.path("set")], only: [], recordings: folder.url.appending(path: "none"))
        #expect(found.cases.map(\.id) == ["set/b-a"])
        #expect(found.unreadableCases.first?.sentence.contains("only 3 measures in common") == true)
    }

    @Test func piecesMayLieInAnotherFolder() throws {
        for name in ["anna", "ben"] {
            try make("pieces/suite/\(name)/audio.ogg")
            try make("pieces/suite/\(name)/measures.csv")
        }
        let recordings = folder.url.appending(path: "pieces")
        for places in [[], ["suite"], [folder.path("pieces/suite")]] {
            let found = try EvaluationCaseSelection(places: places, only: [], recordings: recordings)
            #expect(found.cases.map(\.id) == ["suite/anna-ben", "suite/ben-anna"])
            #expect(found.cases.map(\.group) == ["concert", "concert"])
        }
        #expect(try EvaluateCommand.parse(["--recordings", "there"]).recordings == "there")
    }
}
