import Foundation
import Hummingbird
import Synchronization
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Listeners get another concert only when an editor has read what changes and confirms it.
@Suite(.ownThreads) struct ServingPlanTests {
    private struct Made: Decodable {
        var concert: Int64
    }

    private struct Plan: Decodable {
        struct Refused: Decodable {
            var code: String
            var sentence: String
        }

        var sentence: String
        var errors: [String]
        var gone: [String]
        var refused: Refused?
        var confirm: String
    }

    private struct Unconfirmed: Decodable {
        var code: String
        var error: String
        var plan: Plan?
    }

    private let stage: ContentStage
    private let locked = LockBox()

    init() async throws {
        stage = try await ContentStage { [locked] in locked.isLocked }
    }

    /// A concert beside the served one.
    /// - Parameter pieces: so many with a name and nothing else.
    private func made(_ title: String, pieces: Int) async throws -> Int64 {
        let answer = try await stage.ask(
            "/api/edit/concerts", .post, as: "ed", body: Array("{\"title\":\"\(title)\"}".utf8))
        let id = try JSONDecoder().decode(Made.self, from: answer.body).concert
        for number in 0..<pieces {
            let edit = """
                {"base":\(number + 1),"changes":[{"insert":"piece","in":"concert","fields":{"name":"A, B: \(number)"}}]}
                """
            let edited = try await stage.edit(edit, concert: id)
            #expect(edited.status == .ok, "\(String(buffer: edited.body))")
        }
        return id
    }

    private func plan(_ id: Int64) async throws -> Plan {
        try JSONDecoder().decode(
            Plan.self, from: Data(try await stage.text("/api/edit/concerts/\(id)/serve", as: "ed").utf8))
    }

    private func serve(_ id: Int64, _ confirm: String? = nil) async throws -> (
        status: Int, said: Unconfirmed?
    ) {
        let body = confirm.map { Array("{\"confirm\":\"\($0)\"}".utf8) } ?? []
        let answer = try await stage.ask("/api/edit/concerts/\(id)/serve", .post, as: "ed", body: body)
        return (answer.status.code, try? JSONDecoder().decode(Unconfirmed.self, from: answer.body))
    }

    @Test func nothingIsServedBeforeItIsConfirmed() async throws {
        let id = try await made("Matinee", pieces: 1)
        let asked = try await serve(id)
        let plan = try #require(asked.said?.plan)
        #expect(asked.status == 409 && asked.said?.code == "confirm")
        #expect(
            plan.sentence.contains(
                "“Matinee” with 1 piece instead of “Baton plays: a small concert” with 5 pieces"))
        #expect(plan.gone.count == 5 && plan.sentence.contains("no longer see"))
        #expect(stage.desk.servedConcert?.id == 1)
        #expect(try await serve(id, "something").status == 409)
        #expect(try await serve(id, plan.confirm).status == 200)
        #expect(stage.desk.servedConcert?.id == id)
    }

    @Test func findingsOfSeverityErrorAreNamed() async throws {
        let id = try await made("Matinee", pieces: 1)
        let plan = try await plan(id)
        let first = try #require(plan.errors.first, "a piece without measures is an error")
        #expect(plan.sentence.contains(first))
    }

    @Test func whatWasConfirmedIsWhatIsServed() async throws {
        let id = try await made("Matinee", pieces: 1)
        let old = try await plan(id).confirm
        #expect(
            try await stage.edit(
                "{\"base\":2,\"changes\":[{\"set\":\"concert\",\"field\":\"title\",\"to\":\"Soirée\"}]}",
                concert: id
            ).status == .ok)
        let said = try await serve(id, old)
        #expect(said.status == 409 && said.said?.plan?.sentence.contains("Soirée") == true)
        #expect(stage.desk.servedConcert?.id == 1)
    }

    @Test func anEmptyConcertIsNeverServed() async throws {
        let id = try await made("Empty", pieces: 0)
        let plan = try await plan(id)
        #expect(plan.refused?.code == "empty")
        let answer = try await serve(id, plan.confirm)
        #expect(answer.status == 422 && answer.said?.code == "empty" && stage.desk.servedConcert?.id == 1)
    }

    @Test func underShowLockListenersKeepWhatTheyFind() async throws {
        let id = try await made("Matinee", pieces: 1)
        let confirm = try await plan(id).confirm
        locked.set(true)
        let answer = try await serve(id, confirm)
        #expect(answer.status == 409 && answer.said?.code == "locked")
        #expect(try await plan(id).refused?.code == "locked")
        // Nor by another program.
        try await stage.desk.catalogue.makeConcertPublic(id)
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert?.id == 1)
        locked.set(false)
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert?.id == id)
    }

    private struct Road {
        var name: String
        var path: String
        var method = HTTPRequest.Method.post
        var author = "ed"
        var body = ""
    }

    /// Every road by which an editor can change the concert: a removal, a move, an emptied text, undo, redo, an earlier
    /// version, an import, serving.
    @Test func underShowLockNoRoadTakesAnythingFromTheServedConcert() async throws {
        let (piece, slide) = (try stage.first(.piece).rawValue, try stage.first(.slide).rawValue)
        func tree() throws -> ConcertTree {
            try #require(stage.desk.servedConcert).catalogueConcert.contentTree
        }
        func edit(_ change: String) throws -> String {
            #"{"base":\#(try tree().revision),"changes":[\#(change)]}"#
        }
        let removal = #"{"remove":"\#(piece)"}"#
        let addition = #"{"insert":"piece","in":"concert","fields":{"name":"A, B: C"}}"#
        #expect(try await stage.edit(edit(addition), as: "flo").status == .ok)
        #expect(try await stage.edit(edit(removal)).status == .ok)
        #expect(try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed").status == .ok)
        let other = try await made("Matinee", pieces: 1)
        let confirm = try await plan(other).confirm
        locked.set(true)
        let kept = try tree()
        let roads = [
            Road(name: "removes a piece", path: "/edits", body: try edit(removal)),
            Road(
                name: "moves a piece", path: "/edits",
                body: try edit(#"{"move":"\#(piece)","in":"concert"}"#)),
            Road(
                name: "empties a slide", path: "/edits",
                body: try edit(#"{"set":"\#(slide)","field":"text","to":""}"#)),
            Road(name: "undoes an addition", path: "/undo", author: "flo"),
            Road(name: "does a removal again", path: "/redo"),
            Road(
                name: "restores the beginning", path: "/restore",
                body: #"{"revision":1,"seen":\#(kept.revision)}"#),
            Road(name: "stops serving", path: "/serve", method: .delete),
            Road(name: "removes the concert", path: "", method: .delete),
        ]
        for road in roads {
            let answer = try await stage.ask(
                "/api/edit/concerts/1" + road.path, road.method, as: road.author, body: Array(road.body.utf8))
            #expect(answer.status == .conflict, "\(road.name): \(String(buffer: answer.body))")
        }
        #expect(try await serve(other, confirm).said?.code == "locked")
        let files = ContentFiles(
            recordings: ContentStage.recordings, folders: ContentStage.folders, title: "A concert")
        await #expect(throws: ConcertEditFault.showLocked) {
            try await files.importFiles(
                into: CatalogueConcert(kept), of: stage.desk, id: 1, author: "ed", label: "import")
        }
        #expect(try tree() == kept)
        let correction = #"{"set":"\#(slide)","field":"text","to":"Corrected."}"#
        #expect(try await stage.edit(edit(correction)).status == .ok, "a text may be corrected")
    }

    @Test func whatAnotherProgramTakesAwayUnderShowLockIsPublishedAfterIt() async throws {
        let piece = try stage.first(.piece)
        let command = try ConcertEditor(
            catalogue: stage.desk.catalogue, data: stage.folder, recordings: nil)
        locked.set(true)
        _ = try await command.edit(
            1, ConcertEdit(baseRevision: nil, changes: [.removeNode(piece)], author: "command", label: "gone")
        )
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert?.catalogueConcert.concert.pieces.count == 5)
        locked.set(false)
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert?.catalogueConcert.concert.pieces.count == 4)
    }

    // MARK: The first concert, and none

    @Test func theFirstConcertOfThePageIsServedOnlyAfterServe() async throws {
        let stage = try await ContentStage(isFilled: false)
        let made = try await stage.ask(
            "/api/edit/concerts", .post, as: "ed", body: Array(#"{"title":"First"}"#.utf8))
        #expect(made.status == .ok)
        let edit = #"{"base":1,"changes":[{"insert":"piece","in":"concert","fields":{"name":"A, B: C"}}]}"#
        #expect(try await stage.edit(edit).status == .ok)
        try await stage.desk.publishNewerRevision()
        #expect(try await stage.ask("/api/audience/concert").status == .notFound)
        #expect(try await stage.text("/api/edit/concerts", as: "ed").contains(#""served":false"#))
        #expect(try await stage.ask("/api/edit/concerts/1", .delete, as: "ed").status == .ok)
    }

    @Test func aConcertIsMadeWithATitleOfSensibleLength() async throws {
        for title in ["", "  ", String(repeating: "x", count: 20_000)] {
            let answer = try await stage.ask(
                "/api/edit/concerts", .post, as: "ed", body: Array("{\"title\":\"\(title)\"}".utf8))
            #expect(answer.status == .unprocessableContent)
            #expect(String(buffer: answer.body).contains("The title "))
        }
    }

    @Test func aConcertThatIsNoLongerServedIsFoundByNobodyAndCanBeRemoved() async throws {
        #expect(try await stage.ask("/api/edit/concerts/1", .delete, as: "ed").status == .conflict)
        #expect(try await stage.ask("/api/edit/concerts/9/serve", .delete, as: "ed").status == .conflict)
        #expect(try await stage.ask("/api/edit/concerts/1/serve", .delete, as: "ines").status == .forbidden)
        locked.set(true)
        let refused = try await stage.ask("/api/edit/concerts/1/serve", .delete, as: "ed")
        #expect(refused.status == .conflict && String(buffer: refused.body).contains("locked"))
        locked.set(false)
        #expect(try await stage.ask("/api/edit/concerts/1/serve", .delete, as: "ed").status == .ok)
        #expect(try await stage.ask("/api/audience/concert").status == .notFound)
        #expect(try await stage.text("/getPieces.php") == "")
        #expect(stage.desk.publisher.audienceEventHub.newestValue("content") == Array("null".utf8))
        // It is served again as it was, or removed.
        #expect(try await serve(1, try await plan(1).confirm).status == 200)
        #expect(try await stage.ask("/api/audience/concert").status == .ok)
        #expect(try await stage.ask("/api/edit/concerts/1/serve", .delete, as: "ed").status == .ok)
        #expect(try await stage.ask("/api/edit/concerts/1", .delete, as: "ed").status == .ok)
    }

    @Test func anotherProgramStopsServingOnlyWhileTheShowIsNotLocked() async throws {
        try await stage.desk.catalogue.makeNoConcertPublic()
        locked.set(true)
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert?.id == 1)
        locked.set(false)
        try await stage.desk.publishNewerRevision()
        #expect(stage.desk.servedConcert == nil)
    }

    private final class LockBox: Sendable {
        private let state = Mutex(false)
        var isLocked: Bool { state.withLock { $0 } }
        func set(_ isLocked: Bool) { state.withLock { $0 = isLocked } }
    }

    // MARK: Drawings of before

    @Test func aDrawingStoredBeforeIsServedCleanOrNotAtAll() async throws {
        func put(_ name: String, _ text: String) async throws -> ContentAsset {
            // As an older server kept it: unseen.
            let asset = try stage.desk.storeAsset(Array(text.utf8), as: try .init(name), in: .images, .svg)
            let document = try #require(stage.desk.servedConcert).catalogueConcert
            var making = ContentEditBuilder()
            making.addOrReplaceAsset(asset, into: document)
            _ = try await stage.desk.edit(
                1,
                ConcertEdit(
                    baseRevision: document.contentTree.revision, changes: making.changes, author: "old",
                    label: "old"))
            return asset
        }
        let evil = try await put(
            "evil.svg", "<svg xmlns='http://www.w3.org/2000/svg'><rect\tonload='x()'/></svg>")
        _ = try await put("plain.svg", "<svg xmlns='http://www.w3.org/2000/svg' data-x='1'><rect/></svg>")
        #expect(try await stage.ask("/images/evil.svg").status == .notFound)
        #expect(ConcertFileResponses.makeFileResponse(evil, stage.desk.assetStore).status == 404)
        let plain = try await stage.ask("/images/plain.svg")
        #expect(String(buffer: plain.body) == "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>")
        #expect(plain.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        let findings = try await stage.text("/api/edit/concerts/1/assets/images/evil.svg", as: "ed")
        #expect(!findings.contains("onload"))
    }

    @Test func anUploadIsWrittenAnew() async throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg'><metadata>me</metadata><rect width='1'/></svg>"
        let put = try await stage.ask(
            "/api/edit/concerts/1/assets/images/new.svg", .put, as: "ed", body: Array(text.utf8))
        #expect(put.status == .ok)
        #expect(
            try await stage.text("/images/new.svg")
                == "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"1\"/></svg>")
        for hostile in [
            "<rect\tonload='x'/>", "<s:script xmlns:s='http://www.w3.org/2000/svg'/>", "<a href='#x'/>",
        ] {
            let refused = try await stage.ask(
                "/api/edit/concerts/1/assets/images/bad.svg", .put, as: "ed",
                body: Array("<svg xmlns='http://www.w3.org/2000/svg'>\(hostile)</svg>".utf8))
            #expect(
                refused.status == .unprocessableContent && String(buffer: refused.body).contains("line 1"))
        }
    }
}
