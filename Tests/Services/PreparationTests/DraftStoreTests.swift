import Foundation
import Testing

@testable import Concert
@testable import Preparation
@testable import WebServer

/// Every acknowledged change is there after `kill -9`; a damaged piece is named.
@Suite struct DraftStoreTests {
    @Test func anAcknowledgedEditIsThereAfterAKill() async throws {
        let stage = try PreparationStage()
        let id = try await stage.makePiece()
        let edits: [DraftEdit] = (0..<20).map { .insert(bar: "b\($0)", seconds: Double($0), printed: $0 + 1) }
        let made = try await stage.service.library.edit(id, edits, label: "", author: "Clara")
        try stage.restartAfterKill()
        let found = try await stage.service.library.record(id)
        #expect(found.revision == made.revision)
        #expect(found.draft.bars.count == 20)
    }

    @Test func aPieceThatIsDamagedIsNamedAndTheOthersStay() async throws {
        let stage = try PreparationStage()
        let (good, bad) = (try await stage.makePiece("Good"), try await stage.makePiece("Bad"))
        try Data("{\"version\":1".utf8).write(
            to: URL(fileURLWithPath: stage.store.pieceFolder(bad) + "/draft.json"))
        try stage.restartAfterKill()
        let list = try await stage.respond(.get, "/api/prepare/pieces")
        let pieces = try #require(try JSONSerialization.jsonObject(with: Data(list.body)) as? [[String: Any]])
        #expect(pieces.map { $0["id"] as? String } == [good, bad])
        #expect((pieces[1]["damage"] as? String)?.contains("is damaged") == true)
        #expect(try await stage.ask(.get, "/api/prepare/pieces/\(bad)").status == 500)
        #expect(try await stage.ask(.delete, "/api/prepare/pieces/\(bad)").status == 200)
        #expect(try await stage.ask(.get, "/api/prepare/pieces/\(bad)").status == 404)
    }

    @Test func aHalfWrittenFileOfAnInterruptedWriteIsNeverRead() async throws {
        let stage = try PreparationStage()
        let id = try await stage.makePiece()
        try Data("{".utf8).write(
            to: URL(fileURLWithPath: stage.store.pieceFolder(id) + "/draft.json.unfinished"))
        try stage.restartAfterKill()
        #expect(try await stage.service.library.record(id).draft.name == "Composer, Piece: Movement")
    }

    @Test func aPieceWhoseMakingWasInterruptedIsGone() async throws {
        let stage = try PreparationStage()
        let good = try await stage.makePiece()
        for (id, file) in [("p1", nil), ("p2", "/draft.json.unfinished"), ("p3", "/draft.json")] {
            try DraftFiles.makeFolder(stage.store.pieceFolder(id))
            guard let file else { continue }
            try Data("{".utf8).write(to: URL(fileURLWithPath: stage.store.pieceFolder(id) + file))
        }
        try stage.restartAfterKill()
        #expect(stage.store.pieceIDs() == ["p3", good].sorted())
    }

    @Test func aPieceThatCouldNotBeSavedLeavesNoDamagedOne() throws {
        let stage = try PreparationStage()
        try DraftFiles.makeFolder(stage.store.pieceFolder("p1"))
        stage.store.removeIfEmpty("p1")
        #expect(stage.store.pieceIDs().isEmpty)
    }

    @Test func theFolderOfArrivingChunksIsNoPiece() async throws {
        let stage = try PreparationStage()
        for method in [WebRoute.Method.get, .delete] {
            #expect(try await stage.ask(method, "/api/prepare/pieces/arriving").status == 404)
        }
        #expect(FileManager.default.fileExists(atPath: stage.store.arrivingFolder))
    }

    @Test func editsOfTwoPeopleCombineAndTheirUndoIsTheirOwn() async throws {
        struct Sent: Encodable { var edits: [DraftEdit], label = "moved" }
        let stage = try PreparationStage()
        let id = try await stage.makePiece()
        let place = "/api/prepare/pieces/\(id)"
        let bars: [DraftEdit] = (0..<4).map { .insert(bar: "b\($0)", seconds: Double($0), printed: $0 + 1) }
        _ = try await stage.ask(.post, place + "/edits", Sent(edits: bars))
        let hers = try await stage.ask(.post, place + "/edits", Sent(edits: [.move(bar: "b1", seconds: 1.2)]))
        _ = try await stage.ask(.post, place + "/edits", Sent(edits: [.number(bar: "b1", number: 7)]))
        let inverse = try JSONDecoder().decode(
            [DraftEdit].self, from: JSONSerialization.data(withJSONObject: hers.json["inverse"] as Any))
        let undo = try await stage.ask(.post, place + "/edits", Sent(edits: inverse))
        #expect(undo.status == 200 && undo.json["revision"] as? Int == 4)
        let draft = try await stage.service.library.record(id).draft
        #expect(draft.bars[1].seconds == 1 && draft.bars[1].printed == 7)
    }

    @Test func aListOfEditsThatIsSentAgainIsCarriedOutOnce() async throws {
        struct Sent: Encodable { var edits: [DraftEdit], id = "list-1" }
        let stage = try PreparationStage()
        let id = try await stage.makePiece()
        let place = "/api/prepare/pieces/\(id)/edits"
        _ = try await stage.service.library.edit(
            id, [.insert(bar: "a", seconds: 1, printed: 1)], label: "", author: "Clara")
        let shift = Sent(edits: [.shift(from: "a", by: 0.5)])
        let first = try await stage.ask(.post, place, shift)
        try stage.restartAfterKill()
        let second = try await stage.ask(.post, place, shift)
        #expect(first.json as NSDictionary == second.json as NSDictionary)
        #expect(try await stage.service.library.record(id).draft.bars[0].seconds == 1.5)
    }

    @Test func editsThatCannotBeUnderstoodChangeNothing() async throws {
        let stage = try PreparationStage()
        let place = "/api/prepare/pieces/\(try await stage.makePiece())"
        for body in ["", "{", "[]", "{\"edits\":[{\"fly\":{}}]}", "{\"edits\":[{\"move\":{\"bar\":3}}]}"] {
            #expect(try await stage.ask(.post, place + "/edits", bytes: Array(body.utf8)).status == 422)
        }
        #expect(try await stage.ask(.get, place).json["revision"] as? Int == 0)
        #expect(try await stage.ask(.post, "/api/prepare/pieces", ["name": "\n"]).status == 422)
        #expect(try await stage.ask(.get, "/api/prepare/pieces/..").status == 404)
    }

    @Test func fileNamesOfPeopleLeadNowhereElse() {
        #expect(DraftStore.safeFileName("../../etc/passwd") == "passwd")
        #expect(DraftStore.safeFileName("C:\\Music\\Prélude n° 1.FLAC") == "Prélude n 1.FLAC")
        #expect(DraftStore.safeFileName("..") == "file")
        #expect(DraftStore.safeFileName("-rf *.wav") == "rf .wav")
        #expect(DraftStore.safeFileName(String(repeating: "ä", count: 500) + ".wav").utf8.count < 100)
    }
}
