import Basics
import Foundation
import Rehearsal
import Score
import ScoreFiles
import Testing

@testable import Catalogue
@testable import ContentStages
@testable import Editor
@testable import TestHelpers

/// The letters of the editor and of the library, gathered for the show.
@Suite(.ownThreads) struct GatheredSectionsTests {
    private static let piece = ContentStage.folders[0]
    private static let score = "00000000-0000-4000-8000-000000000001"

    private func stored(label: String, revision: Int = 1) throws -> StoredScore {
        let score = try Rehearsal.Score(
            id: #require(Rehearsal.Score.ID(Self.score)), title: "A score",
            movements: [
                Movement(name: "", piece: Self.piece, marks: [RehearsalMark(label: label, measure: 5)]),
                Movement(name: "elsewhere", piece: "../x", marks: [RehearsalMark(label: "X", measure: 1)]),
            ], parts: [Part(name: "Score", pages: [PageSize(width: 600, height: 800)])])
        return StoredScore(
            id: Self.score, contentJSON: String(decoding: try JSONEncoder().encode(score), as: UTF8.self),
            sourcesJSON: "[]", revision: revision)
    }

    private func labels(_ stage: ContentStage) throws -> [String] {
        let measures = try MeasureMap(
            marks: (0..<60).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0)))
            }, end: ReferenceTime(seconds: 60))
        // The recordings have the same sections in their own content; here only what was gathered counts.
        return PieceSections(recordings: "/nowhere", data: stage.folder)
            .starts(of: Self.piece, measures: measures).map(\.label)
    }

    @Test func lettersOfTheLibraryStandBesideTheSectionsOfTheConcert() async throws {
        let stage = try await ContentStage()
        let gathered = GatheredSections(catalogue: stage.desk.catalogue, data: stage.folder)
        try await gathered.gather()
        let ofContent = try labels(stage)
        #expect(!ofContent.isEmpty)
        let before = try await stage.desk.catalogue.contentAndScoresRevision()
        try await stage.desk.catalogue.addScore(try stored(label: "Q"))
        #expect(try await stage.desk.catalogue.contentAndScoresRevision() != before)
        try await gathered.gather()
        #expect(try Set(labels(stage)) == Set(ofContent + ["Q"]))

        try await stage.desk.catalogue.changeScore(try stored(label: "R", revision: 2))
        try await gathered.gather()
        #expect(try Set(labels(stage)) == Set(ofContent + ["R"]))
        let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder + "/sections")
        #expect(files.allSatisfy { !$0.contains("x.json") })
    }

    @Test func whatWasWrittenStaysUntilItChanges() async throws {
        let stage = try await ContentStage()
        let gathered = GatheredSections(catalogue: stage.desk.catalogue, data: stage.folder)
        try await gathered.gather()
        let path = stage.folder + "/sections/\(Self.piece).json"
        let first = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try await gathered.gather()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == first)
    }
}
