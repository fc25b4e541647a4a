import Foundation
import NIOCore
import Testing

@testable import Audience
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import WebServer

/// A page that has a concert loads the parts that changed, and has the same concert as one that loads it whole.
@Suite struct AudiencePartsTests {
    private let stage: ContentStage

    init() async throws { stage = try await ContentStage() }

    private func versions() throws -> AudienceConcertDocuments.Versions {
        struct Told: Decodable {
            var revision: String
            var versions: AudienceConcertDocuments.Versions
        }
        let told = try JSONDecoder().decode(
            Told.self, from: Data(try #require(stage.desk.publisher.audienceEventHub.newestValue("content"))))
        #expect(told.revision == stage.desk.servedConcert?.revision)
        return told.versions
    }

    private func object(_ path: String) async throws -> NSDictionary {
        let bytes = Data(Array(buffer: try await stage.ask(path).body))
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? NSDictionary)
    }

    private func rewrite(_ kind: String, _ field: String, to text: String) async throws {
        let base = try #require(stage.desk.servedConcert).catalogueConcert.contentTree.revision
        let node = try stage.first(kind == "slide" ? .slide : .word).rawValue
        let answer = try await stage.edit(
            #"{"base":\#(base),"changes":[{"set":"\#(node)","field":"\#(field)","to":"\#(text)"}]}"#)
        #expect(answer.status == .ok)
    }

    @Test func partsTogetherAreTheWholeConcert() async throws {
        let whole = try await object("/api/audience/concert")
        let told = try versions()
        let heading = try await object("/api/audience/heading")
        #expect(heading["version"] as? String == told.heading)
        var pieces: [NSDictionary] = []
        for (number, version) in told.pieces.enumerated() {
            let piece = try await object("/api/audience/pieces/\(number)")
            #expect(piece["version"] as? String == version)
            pieces.append(piece)
        }
        let together = try #require(heading.mutableCopy() as? NSMutableDictionary)
        together["pieces"] = pieces
        together["revision"] = whole["revision"]
        #expect(together == whole && pieces.count == 5 && Set(told.pieces).count == 5)
    }

    @Test func anotherSlideIsAnotherVersionOfItsPieceAlone() async throws {
        let before = try versions()
        var tags: [String] = []
        for number in before.pieces.indices {
            tags.append(try #require(try await stage.ask("/api/audience/pieces/\(number)").headers[.eTag]))
        }
        try await rewrite("slide", "text", to: "Rewritten.")
        let after = try versions()
        #expect(after.heading == before.heading)
        #expect(zip(before.pieces, after.pieces).map(!=) == [true, false, false, false, false])
        for (number, tag) in tags.enumerated() {
            let answer = try await stage.ask("/api/audience/pieces/\(number)", ["If-None-Match": tag])
            #expect(answer.status == (number == 0 ? .ok : .notModified))
        }
    }

    @Test func anotherImageOfTheSameNameIsAnotherVersionOfThePiecesThatShowIt() async throws {
        let concert = try #require(stage.desk.servedConcert).audienceConcert
        let images = concert.pieces.map { piece in
            piece.tracks.flatMap(\.slides).flatMap(\.parts).compactMap(\.image)
        }
        let image = try #require(images.flatMap(\.self).first { $0.hasSuffix(".svg") })
        let shows = images.map { $0.contains(image) }
        #expect(shows.contains(false))
        let before = try versions()
        let drawing = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
        let put = try await stage.ask(
            "/api/edit/concerts/1/assets/images/\(image.dropFirst("/images/".count))", .put, as: "ed",
            body: drawing)
        #expect(put.status == .ok)
        #expect(zip(before.pieces, try versions().pieces).map(!=) == shows)
    }

    @Test func anotherWordOfTheGlossaryIsAnotherHeading() async throws {
        let before = try versions()
        try await rewrite("word", "history", to: "From somewhere else.")
        #expect(try versions().heading != before.heading)
    }

    @Test func aPartThatIsNotThereIsSaidToBeMissing() async throws {
        for path in ["/api/audience/pieces/5", "/api/audience/pieces/-1", "/api/audience/pieces/x"] {
            #expect(try await stage.ask(path).status == .notFound)
        }
    }

    /// A server of before: the page then loads the concert whole.
    @Test func aConcertWithoutVersionsHasNoParts() throws {
        var concert = try #require(stage.desk.servedConcert).audienceConcert
        concert.pieces[3].version = nil
        #expect(AudienceConcertDocuments(of: concert) == nil)
    }
}
