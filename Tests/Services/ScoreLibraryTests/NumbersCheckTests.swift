import Rehearsal
import Testing

@testable import Hosting
@testable import LibraryStages
@testable import ScoreLibrary
@testable import TestHelpers

@Suite(.ownThreads) struct NumbersCheckTests {
    private func remarks(
        _ marked: ClosedRange<Int>, piece: ClosedRange<Int>?, followedAs folder: String? = "elise"
    ) throws -> [String] {
        MeasureNumberCheck.warnings(
            [try Rehearsal.MeasureBox(page: 0, first: marked.lowerBound, last: marked.upperBound)],
            movements: [try Movement(name: "", piece: folder)],
            pieces: [FollowablePiece(piece: "elise", name: "Für Elise", numbers: piece)])
    }

    @Test func numbersThatAreThoseOfThePieceAreTakenWithoutAWord() throws {
        #expect(try remarks(0...104, piece: 0...104).isEmpty)
        #expect(try remarks(1...105, piece: nil).isEmpty)
        #expect(try remarks(1...105, piece: 0...104, followedAs: nil).isEmpty)
    }

    @Test func anUpbeatThatWasCountedAsOneIsAskedAbout() throws {
        let found = try remarks(1...105, piece: 0...104)
        #expect(found.count == 1)
        #expect(found[0].contains("begins with an upbeat (0)?") && found[0].contains("1 measure too late"))
    }

    @Test func everyOtherDifferenceIsAFindingToo() throws {
        #expect(try remarks(1...88, piece: 4...91)[0].contains("3 measures too early"))
        #expect(try remarks(1...104, piece: 0...104)[0].contains("mark the rest too"))
        #expect(try remarks(1...200, piece: 0...104)[0].contains("the right piece"))
    }

    @Test func theLibrarySaysItOnSavingAndBeforeTheShow() async throws {
        let stage = try await LibraryStage(
            programme: [FollowablePiece(piece: "elise", name: "Für Elise", numbers: 0...104)])
        let score = try Rehearsal.Score(
            id: .new(), title: "Für Elise", movements: [Movement(name: "", piece: "elise")],
            parts: [Part(name: "Piano", pages: [PageSize(width: 595, height: 842)])])
        try await stage.library.addEntry(LibraryEntry(score: score, sources: [.engraved([])]))
        func save(_ marked: ClosedRange<Int>) async throws -> Library.ChangeResult {
            let places = [
                try Rehearsal.MeasureBox(page: 0, first: marked.lowerBound, last: marked.upperBound)
            ]
            return try await stage.library.changePart(score.id, part: 0, Library.PartChange(places: places))
        }
        #expect(try await save(1...105).remarks.first?.contains("upbeat (0)?") == true)
        let wrong = await stage.library.measureNumberWarnings(tonight: ["elise"])
        #expect(wrong.scores == 1 && wrong.remarks.first?.hasPrefix("“Für Elise”, ") == true)
        #expect(await stage.library.measureNumberWarnings(tonight: ["other"]).scores == 0)
        #expect(try await save(0...104).remarks.isEmpty)
        #expect(await stage.library.measureNumberWarnings(tonight: ["elise"]).remarks.isEmpty)
    }
}
