import Foundation
import Rehearsal
import Testing

@testable import Hosting
@testable import ScoreLibrary
@testable import WebServer

/// What is written for everybody in a room: who reads, writes, changes and prints it through the score's addresses.
@Suite(.serialized) struct RoomLayerTests {
    private let stage: RemarkStage
    private let layer = RemarkStage.roomLayer
    private let id = "00000000-0000-4000-8000-0000000000a1"

    /// Anna and Bert are in the room. Carl has the score, lib is a librarian; neither is in the room.
    init() async throws {
        stage = try await RemarkStage()
        stage.members.withLock { $0 = ["anna", "bert", "stranger"] }
    }

    private func place(_ name: String, _ more: String = "") -> String {
        let remark = stage.remark(id, by: name, on: layer, shape: #"{"text":"together"}"#)
        return #""place":"# + remark.dropLast() + more + "}"
    }

    @Test func allInTheRoomReadAndWriteAndOnlyTheAuthorChanges() async throws {
        for name in ["carl", "lib"] {
            #expect(try await stage.send(place(name), as: name) == "no-layer", "\(name)")
        }
        #expect(
            try await stage.ask(.post, RemarkStage.remarks, "{}", as: "stranger").status == 404,
            "without the score")
        #expect(try await stage.send(place("bert"), as: "anna") == "not-yours", "in another's name")
        #expect(try await stage.send(place("anna", #","parts":"all""#), as: "anna") == nil)
        for name in ["anna", "bert"] { #expect(try await stage.ids(as: name) == [id], "\(name)") }
        for name in ["carl", "lib"] { #expect(try await stage.ids(as: name).isEmpty, "\(name)") }
        let edit = #""edit":{"remark":"\#(id)","page":1}"#
        let erase = #""erase":"\#(id)""#
        for (name, code) in [("bert", "not-yours"), ("carl", "no-remark"), ("lib", "no-remark")] {
            for act in [edit, erase] {
                #expect(try await stage.send(act, as: name) == code, "\(name): \(act)")
            }
        }
        for act in [edit, erase] { #expect(try await stage.send(act, as: "anna") == nil) }
        let told = stage.told.withLock { $0 }
        #expect(told.count == 3 && told.allSatisfy { $0.1 == stage.user("anna") })
        guard case .placeRemark(let remark) = told.first?.0 else { throw StageFault() }
        #expect(remark.parts == .all && remark.session == RemarkStage.id(30) && remark.layer == layer)
    }

    private struct StageFault: Error {}

    @Test func whoIsNotInTheRoomNeitherFindsPrintsNorTakesIt() async throws {
        #expect(try await stage.send(place("anna"), as: "anna") == nil)
        let part = "/api/scores/\(RemarkStage.score)/parts/0/pdf"
        for (name, isIn) in [("bert", true), ("carl", false), ("lib", false)] {
            let found = try await stage.ask(.get, "/api/remarks/find?q=together", as: name)
            #expect(found.text.contains(id) == isIn, "\(name)")
            #expect(found.text.contains(#""room":"\#(RemarkStage.id(10) as RehearsalRoom.ID)""#) == isIn)
            #expect(try await stage.ask(.get, part, as: name).text.contains(id) == isIn, "\(name)")
            #expect(
                try await stage.ask(.get, part + "?layers=\(layer)", as: name).status == (isIn ? 200 : 404))
            let set = try await stage.ask(.get, RemarkStage.remarks + "/set?layer=\(layer)", as: name)
            #expect(set.status == (isIn ? 200 : 404), "\(name)")
            let layers = try await stage.read(as: name)["layers"] as? [[String: Any]] ?? []
            #expect(layers.contains { $0["kind"] as? String == "everybody" } == isIn)
        }
    }

    @Test func nobodyMakesChangesOrRemovesARoomsLayer() async throws {
        #expect(try await stage.send(place("anna"), as: "anna") == nil)
        let address = "/api/scores/\(RemarkStage.score)/layers/\(layer)"
        for name in ["anna", "lib"] {
            let put = try await stage.ask(
                .put, address, #"{"name":"Mine","parts":[],"writers":[]}"#, as: name)
            #expect(put.status == 403, "\(name): \(put.text)")
            #expect(try await stage.ask(.delete, address, as: name).status >= 403, "\(name)")
            #expect(
                try await stage.ask(.post, address + "/spread", #"{"parts":[1]}"#, as: name).status >= 403)
        }
        #expect(try await stage.ids(as: "bert") == [id])
        #expect(try await stage.ids(as: "carl").isEmpty)
    }

    @Test func whileRoomsCannotBeReadNothingIsRefusedForEver() async throws {
        stage.members.withLock { $0 = nil }
        let body = #"{"v":1,"id":"\#(UUID().uuidString)",\#(place("anna"))}"#
        for answer in [
            try await stage.ask(.post, RemarkStage.remarks, body, as: "anna"),
            try await stage.ask(.get, RemarkStage.remarks + "?since=0", as: "anna"),
        ] { #expect(answer.status == 503 && answer.code == "not-stored") }
        stage.members.withLock { $0 = ["anna"] }
        #expect(try await stage.ask(.post, RemarkStage.remarks, body, as: "anna").text.contains("receipt"))
    }
}
