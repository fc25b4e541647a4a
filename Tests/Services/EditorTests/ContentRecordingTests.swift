import Foundation
import NIOCore
import RouterTesting
import Testing

@testable import Audience
@testable import Concert
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers

/// Pieces that come from the folders of their recordings.
@Suite(.ownThreads) struct ContentRecordingTests {
    let stage: ContentStage
    private let folder = ContentStage.folders[0]

    init() async throws { stage = try await ContentStage() }

    private struct Listed: Decodable {
        var folder: String
        var name: String
        var performances: [String]
        var measures: Int
    }

    private struct Taken: Decodable {
        var piece: String
    }

    private func take(_ body: String, as name: String? = "ed") async throws -> TestResponse {
        try await stage.ask("/api/edit/concerts/1/recording", .post, as: name, body: Array(body.utf8))
    }

    private func bytes(_ response: TestResponse) -> Data { Data(Array(buffer: response.body)) }

    @Test func everyFolderWithARecordingAndMeasuresIsListed() async throws {
        let listed = try JSONDecoder().decode(
            [Listed].self, from: bytes(try await stage.ask("/api/edit/recordings", as: "ed")))
        #expect(Set(listed.map(\.folder)) == Set(ContentStage.folders))
        let first = try #require(listed.first { $0.folder == folder })
        #expect(first.name == "Bach, Well-Tempered Clavier I: Prelude in C")
        #expect(first.performances.contains("swift") && first.measures == 35)
        #expect(try await stage.ask("/api/edit/recordings").status == .unauthorized)
    }

    @Test func aPieceOfARecordingHasItsNameMeasuresAndEnd() async throws {
        let before = try #require(stage.desk.servedConcert).catalogueConcert.pieceNodes.count
        let response = try await take("{\"folder\": \"\(folder)\"}")
        #expect(response.status == .ok)
        let taken = try JSONDecoder().decode(Taken.self, from: bytes(response))
        let document = try #require(stage.desk.servedConcert).catalogueConcert
        #expect(document.pieceNodes.count == before + 1)
        let index = try #require(document.pieceNodes.firstIndex { $0.id.rawValue == taken.piece })
        let piece = document.concert.pieces[index]
        #expect(piece.measures.count == 35 && piece.tracks.isEmpty)
        #expect(document.pieceNodes[index].recordingsFolder == folder)
        #expect(piece.musicEndSeconds ?? 0 > piece.measures.last?.onset.seconds ?? .infinity)
        #expect(try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed").status == .ok)
        #expect(stage.desk.servedConcert?.catalogueConcert.pieceNodes.count == before)
    }

    @Test func anotherRecordingKeepsSlidesOnTheirMeasures() async throws {
        let before = try #require(stage.desk.servedConcert).catalogueConcert
        let index = try #require(before.pieceNodes.firstIndex { $0.recordingsFolder == folder })
        let node = before.pieceNodes[index].id.rawValue
        #expect(try await take("{\"folder\": \"\(folder)\", \"piece\": \"\(node)\"}").status == .ok)
        let after = try #require(stage.desk.servedConcert).catalogueConcert
        let (old, new) = (before.concert.pieces[index], after.concert.pieces[index])
        let places = { (piece: PieceContent) in piece.tracks.map { $0.slides.map(\.place.played) } }
        #expect(places(new) == places(old))
        for slide in new.tracks.flatMap(\.slides) {
            let played = try #require(slide.place.played)
            #expect(slide.place.time == new.measures[played].onset)
        }
    }

    @Test(arguments: ["..", "content", "nothing", "a/b", ""])
    func noOtherFolderIsTaken(_ folder: String) async throws {
        #expect(try await take("{\"folder\": \"\(folder)\"}").status == .notFound)
        #expect(try await take("{}").status == .badRequest)
    }
}
