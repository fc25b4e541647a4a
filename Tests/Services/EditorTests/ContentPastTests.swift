import Foundation
import Hummingbird
import RouterTesting
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Earlier versions, undo past what others wrote, and copies of earlier evenings, over HTTP.
@Suite(.ownThreads) struct ContentPastTests {
    let stage: ContentStage
    private let start = "/api/edit/concerts/1"

    init() async throws { stage = try await ContentStage() }

    private struct Refused: Decodable {
        var error: String
        var code: String
        var stuck: Int?
    }

    private func post(_ path: String, _ json: String = "", as name: String = "ed") async throws
        -> TestResponse
    {
        try await stage.ask(path, .post, as: name, body: Array(json.utf8))
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ response: TestResponse) throws -> Value {
        try JSONDecoder().decode(type, from: Data(buffer: response.body))
    }

    private func set(_ node: ConcertNodeID, _ text: String, base: Int, as name: String = "ed") async throws {
        let response = try await stage.edit(
            #"{"base":\#(base),"label":"slide text","changes":[{"set":"\#(node)","field":"text","to":"\#(text)"}]}"#,
            as: name)
        #expect(response.status == .ok)
    }

    private func text(_ node: ConcertNodeID) throws -> String {
        try #require(stage.desk.servedConcert).catalogueConcert.contentTree[node]?["text"] ?? ""
    }

    @Test func undoGoesOnAfterAConflict() async throws {
        let track = try stage.first(.track)
        let slides = try #require(stage.desk.servedConcert).catalogueConcert.contentTree.children(
            of: track, kind: .slide
        )
        .map(\.id)
        let before = try text(slides[1])
        try await set(slides[1], "first", base: 1)
        try await set(slides[0], "second", base: 2)
        try await set(slides[0], "flo's", base: 3, as: "flo")
        let response = try await post(start + "/undo")
        let refused = try decode(Refused.self, response)
        #expect(response.status == .conflict && refused.code == "conflict" && refused.stuck == 3)
        #expect(refused.error.contains("flo"))
        let on = try await post(start + "/undo", #"{"passing":3}"#)
        #expect(on.status == .ok)
        #expect(try text(slides[1]) == before)
        #expect(try text(slides[0]) == "flo's")
        #expect(try await post(start + "/redo").status == .ok)
        #expect(try text(slides[1]) == "first")
        #expect(try await post(start + "/undo", "{").status == .badRequest)
    }

    private struct Past: Decodable {
        struct Change: Decodable {
            var node: String
            var change: String
            var field: String?
            var from: String?
            var to: String?
        }

        struct Node: Decodable {
            var id: String
            var fields: [String: String]
        }

        var changes: [Change]
        var newest: Int
        var nodes: [Node]
    }

    @Test func anEarlierVersionIsLookedAtAndRestored() async throws {
        let slide = try stage.first(.slide)
        let old = try text(slide)
        try await set(slide, "newer", base: 1)
        try await set(slide, "newest", base: 2, as: "flo")
        let past = try decode(Past.self, try await stage.ask(start + "/history/2", as: "flo"))
        #expect(past.newest == 3 && past.changes.count == 1)
        #expect(past.changes.first?.from == old && past.changes.first?.to == "newer")
        #expect(past.nodes.first { $0.id == slide.rawValue }?.fields["text"] == "newer")
        #expect(try await post(start + "/restore", #"{"revision":1,"seen":3}"#, as: "flo").status == .ok)
        #expect(try text(slide) == old)
        // A new edit: in the history under her name, and undone like others.
        #expect(try await stage.text(start + "/history", as: "ed").contains("version 1 restored"))
        #expect(try await post(start + "/undo", as: "flo").status == .ok)
        #expect(try text(slide) == "newest")
        // One entry alone; and what somebody else did meanwhile is never lost.
        let order = #"{"revision":2,"seen":5,"node":"\#(slide)"}"#
        #expect(try await post(start + "/restore", order).status == .ok)
        #expect(try text(slide) == "newer")
        #expect(try await post(start + "/restore", order).status == .conflict)
        #expect(try await stage.ask(start + "/history/99", as: "ed").status == .notFound)
        #expect(try await stage.ask(start + "/history/x", as: "ed").status == .notFound)
        #expect(try await stage.ask(start + "/history/1", as: "ines").status == .forbidden)
        #expect(try await post(start + "/restore", "{}").status == .badRequest)
    }

    private struct Made: Decodable { var concert: Int64 }

    private struct Copied: Decodable {
        var piece: ConcertNodeID
        var notes: [String]
    }

    @Test func aConcertIsCopiedWithEverythingInIt() async throws {
        let made = try decode(Made.self, try await post(start + "/copy", #"{"title":"Next year"}"#))
        let copy = CatalogueConcert(try await stage.desk.catalogue.concertContent(of: made.concert))
        let served = try #require(stage.desk.servedConcert).catalogueConcert
        #expect(copy.concert.title == "Next year" && copy.concert.date == nil)
        #expect(copy.concert.pieces == served.concert.pieces)
        #expect(copy.concert.glossary == served.concert.glossary)
        #expect(copy.preparedMessages == served.preparedMessages)
        #expect(copy.pieceNodes.map(\.recordingsFolder) == served.pieceNodes.map(\.recordingsFolder))
        #expect(copy.pieceNodes.map(\.waveform) == served.pieceNodes.map(\.waveform))
        #expect(Set(copy.assets.map(\.digest)) == Set(served.assets.map(\.digest)))
        // Listeners still find the first one.
        #expect(stage.desk.servedConcert?.id == 1)
    }

    @Test func aPieceIsCopiedWithItsPicturesFromAnEarlierEvening() async throws {
        let made = try decode(Made.self, try await post("/api/edit/concerts", #"{"title":"Tomorrow"}"#))
        let other = "/api/edit/concerts/\(made.concert)"
        let source = try #require(stage.desk.servedConcert).catalogueConcert
        let index = try #require(source.concert.pieces.firstIndex { !$0.slideImages.isEmpty })
        let (piece, name) = (source.pieceNodes[index].id, source.concert.pieces[index].slideImages[0])
        // There is another picture of the same name already.
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'><rect width='3'/></svg>".utf8)
        let upload = try await stage.ask(
            "\(other)/assets/images/\(name)", .put, as: "ed", body: name.fileExtension == "svg" ? svg : png)
        #expect(upload.status == .ok, "\(String(buffer: upload.body))")
        let order = #"{"from":1,"piece":"\#(piece)"}"#
        let copied = try decode(Copied.self, try await post(other + "/pieces", order))
        #expect(copied.notes.count == 1)
        let document = CatalogueConcert(try await stage.desk.catalogue.concertContent(of: made.concert))
        #expect(document.concert.pieces.map(\.name) == [source.concert.pieces[index].name])
        let images = document.concert.pieces[0].slideImages
        #expect(images.count == source.concert.pieces[index].slideImages.count && !images.contains(name))
        for (image, old) in zip(images, source.concert.pieces[index].slideImages) {
            #expect(
                document.findAsset(.images, image.text)?.digest == source.findAsset(.images, old.text)?.digest
            )
        }
        // Twice is refused in a sentence; undo takes it back whole.
        #expect(try await post(other + "/pieces", order).status == .conflict)
        #expect(try await post(other + "/undo").status == .ok)
        #expect(
            CatalogueConcert(try await stage.desk.catalogue.concertContent(of: made.concert)).concert.pieces
                .isEmpty)
        #expect(try await post(other + "/pieces", #"{"from":99,"piece":"\#(piece)"}"#).status == .notFound)
    }
}
