import Catalogue
import Foundation
import Hosting
import Rehearsal
import Testing

@testable import ScoreLibrary
@testable import WebServer

/// Layers of sections, and sets that people give each other.
@Suite struct SharedLayerTests {
    private let stage: RemarkStage
    private var layers: String { "/api/scores/\(RemarkStage.score)/layers" }
    private var gifts: String { "/api/scores/\(RemarkStage.score)/gifts" }

    init() async throws { stage = try await RemarkStage() }

    @Test func playersMakeNoLayersOfSections() async throws {
        let body = #"{"name":"Bowings","parts":[0],"writers":[]}"#
        let there = try await stage.section(writers: ["anna"])
        for (name, status) in [("anna", 403), ("stranger", 404)] {
            #expect(try await stage.ask(.put, layers + "/\(UUID())", body, as: name).status == status)
            #expect(try await stage.ask(.put, layers + "/\(there)", body, as: name).status == status)
            #expect(
                try await stage.ask(.post, layers + "/\(there)/spread", #"{"parts":[1]}"#, as: name).status
                    == status)
        }
        #expect(try await stage.ask(.put, layers + "/\(UUID())", body, as: "lib").status == 200)
        // A user without the score cannot write, and no layer takes a user's id.
        let stranger = body.replacing("[]", with: "[\"\(stage.user("stranger"))\"]")
        #expect(try await stage.ask(.put, layers + "/\(UUID())", stranger, as: "lib").code == "no-member")
        #expect(
            try await stage.ask(.put, layers + "/\(stage.user("anna"))", body, as: "lib").code == "not-yours")
    }

    @Test func theConcertmasterWritesTheSectionReadsAndTheLibrarianTakesBack() async throws {
        let layer = try await stage.section(writers: ["anna"])
        let bowing = UUID().uuidString.lowercased()
        #expect(
            try await stage.send(#""place":"# + stage.remark(bowing, by: "anna", on: layer), as: "anna")
                == nil)
        #expect(try await stage.ids(as: "bert") == [bowing])
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "bert", on: layer), as: "bert")
                == "not-allowed")
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "anna", on: layer, part: 1), as: "anna")
                == "not-allowed")
        #expect(try await stage.send(#""erase":"\#(bowing)""#, as: "bert") == "not-yours")
        #expect(try await stage.ask(.delete, layers + "/\(layer)", as: "anna").status == 403)
        // The right ends with the librarian's list.
        _ = try await stage.section(writers: ["carl"])
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "anna", on: layer), as: "anna")
                == "not-allowed")
        #expect(try await stage.send(#""erase":"\#(bowing)""#, as: "lib") == nil)
        #expect(try await stage.ids(as: "bert") == [])
    }

    @Test func bowingsGoIntoAllPartsByMeasureAndWhatHasNoPlaceIsListed() async throws {
        let layer = try await stage.section(writers: ["anna"])
        // Over bar 1, over bar 6, and at the foot of the page.
        let one = UUID().uuidString.lowercased()
        try await stage.send(#""place":"# + stage.remark(one, by: "anna", on: layer), as: "anna")
        try await stage.send(
            #""place":"# + stage.remark(by: "anna", on: layer, page: 1, anchor: [4_000, 1_500]), as: "anna")
        try await stage.send(
            #""place":"# + stage.remark(by: "anna", on: layer, anchor: [4_000, 9_000]), as: "anna")
        let address = layers + "/\(layer)/spread"
        let first = try await stage.ask(.post, address, #"{"parts":[0,1,2]}"#, as: "lib").value
        // Bar 1 in both other parts, bar 6 in the second violins; the violas rest in bar 6, the foot has no bar.
        #expect(first["placed"] as? Int == 3)
        #expect(first["unplacedCount"] as? Int == 3)
        #expect(
            (first["unplaced"] as? [[String: Any]])?.contains {
                ($0["sentence"] as? String)?.contains("rests") == true
            } == true)
        func copies() async throws -> [[String: Any]] {
            (try await stage.read(as: "bert")["remarks"] as? [[String: Any]] ?? []).filter {
                $0["part"] as? Int != 0
            }
        }
        let placed = try await copies()
        #expect(placed.count == 3)
        let six = try #require(placed.first { $0["page"] as? Int == 1 })
        #expect(six["anchor"] as? [Int] == [4_000, 4_500])
        // Again: the same copies, moved with their remark, erased with it; one that its author changed stays.
        let inViola = try #require(placed.first { $0["part"] as? Int == 2 }?["id"] as? String)
        try await stage.send(#""edit":{"remark":"\#(inViola)","anchor":[500,500]}"#, as: "anna")
        try await stage.send(#""erase":"\#(one)""#, as: "anna")
        let again = try await stage.ask(.post, address, #"{"parts":[0,1,2]}"#, as: "lib").value
        #expect(again["placed"] as? Int == 1)
        #expect(try await copies().map { $0["id"] as? String }.contains(inViola))
        #expect(try await copies().count == 2)
    }

    @Test func aCopyThatWasMovedIsNotCopiedOn() async throws {
        let layer = try await stage.section(writers: ["anna"])
        try await stage.send(#""place":"# + stage.remark(by: "anna", on: layer), as: "anna")
        let address = layers + "/\(layer)/spread"
        _ = try await stage.ask(.post, address, #"{"parts":[0,1,2]}"#, as: "lib")
        let remarks = try await stage.read(as: "bert")["remarks"] as? [[String: Any]]
        let copy = try #require(remarks?.first { $0["part"] as? Int == 1 }?["id"] as? String)
        // From bar 1 into bar 2.
        try await stage.send(#""edit":{"remark":"\#(copy)","anchor":[4000,5500]}"#, as: "anna")
        let again = try await stage.ask(.post, address, #"{"parts":[0,1,2]}"#, as: "lib").value
        #expect(again["keptChanged"] as? Int == 1)
        #expect(try await stage.ids(as: "bert").count == 3)
    }

    @Test func oneAccountCannotFillTheSpaceOfAllAndAScoreThatLeftTheBinTakesNone() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        let used = try await stage.catalogue.scoreRemarkByteCount(of: stage.user("anna"))
        #expect(used > 0)
        let anna = try #require(stage.people["anna"].flatMap { RehearsalRoomUser($0) })
        let bert = try #require(stage.people["bert"].flatMap { RehearsalRoomUser($0) })
        let desk = RemarkDesk(
            catalogue: stage.catalogue, shelf: stage.shelf, isActive: { true },
            space: RemarkSpace(stage.catalogue, accountLimit: used + 10))
        try await desk.checkSpace(adding: 10, for: anna, role: .musician)
        await #expect(throws: Refusal.accountFull) {
            try await desk.checkSpace(adding: 1, for: anna, role: .musician)
        }
        try await desk.checkSpace(adding: 10, for: bert, role: .musician)
        try await stage.catalogue.removeScore(RemarkStage.score.description)
        #expect(try await stage.catalogue.scoreRemarkByteCount() > 0)
        try await stage.catalogue.emptyScoreBin(at: .now + 31 * 86_400)
        #expect(try await stage.catalogue.scoreRemarkByteCount() == 0)
    }

    /// Routes of gifts of a server where an account has little space.
    private func giftRoutes(bytesOfAccount: Int) -> [WebRoute] {
        GiftRoutes(
            desk: RemarkDesk(
                catalogue: stage.catalogue, shelf: stage.shelf, isActive: { true },
                space: RemarkSpace(stage.catalogue, accountLimit: bytesOfAccount))
        ).routes
    }

    private func gift(_ kind: String, _ id: String, from name: String, to other: String) async throws {
        let body = #"{"id":"\#(id)","kind":"\#(kind)","name":"A","to":["\#(stage.user(other))"]}"#
        try #require(try await stage.ask(.post, gifts, body, as: name).status == 200)
    }

    @Test func nothingIsGivenOrTakenBeyondAnAccountsSpaceAndRefusingNeedsNone() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        let used = try await stage.catalogue.scoreRemarkByteCount(of: stage.user("anna"))
        let body = #"{"id":"\#(UUID())","kind":"give","name":"A","to":["\#(stage.user("bert"))"]}"#
        let tight = giftRoutes(bytesOfAccount: used + used / 2)
        #expect(try await stage.ask(.post, gifts, body, as: "anna", of: tight).status == 507)
        let id = UUID().uuidString.lowercased()
        try await gift("give", id, from: "anna", to: "bert")
        let answer = "/api/gifts/\(id)/answer"
        let none = giftRoutes(bytesOfAccount: used / 2)
        let refused = try await stage.ask(.post, answer, #"{"takes":true}"#, as: "bert", of: none)
        #expect(refused.status == 507 && refused.code == "full")
        #expect(try await stage.ids(as: "bert").isEmpty)
        // It still waits, and can be refused.
        #expect(try await stage.ask(.post, answer, #"{"takes":false}"#, as: "bert", of: none).status == 200)
    }

    @Test func whatIsAskedForTakesTheSpaceOfTheOneWhoAsks() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "bert"), as: "bert")
        let used = try await stage.catalogue.scoreRemarkByteCount(of: stage.user("bert"))
        // Anna has no space left; what bert has written himself does not count.
        let id = UUID().uuidString.lowercased()
        try await gift("ask", id, from: "anna", to: "bert")
        let none = giftRoutes(bytesOfAccount: used / 2)
        let answer = "/api/gifts/\(id)/answer"
        let refused = try await stage.ask(.post, answer, #"{"takes":true}"#, as: "bert", of: none)
        #expect(refused.status == 507)
        #expect((refused.value["error"] as? String)?.contains("who asks") == true)
        #expect(try await stage.ids(as: "anna").isEmpty)
        let enough = giftRoutes(bytesOfAccount: 3 * used)
        #expect(try await stage.ask(.post, answer, #"{"takes":true}"#, as: "bert", of: enough).status == 200)
        #expect(try await stage.ids(as: "anna").count == 1)
    }

    @Test func aSetIsGivenToSeveralInOneActAndEachTakesOrRefuses() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        let id = UUID().uuidString.lowercased()
        let body =
            #"{"id":"\#(id)","kind":"give","name":"Fingerings","to":["\#(stage.user("bert"))","\#(stage.user("carl"))"]}"#
        for _ in 0..<2 { #expect(try await stage.ask(.post, gifts, body, as: "anna").status == 200) }
        let waiting =
            try await stage.ask(.get, "/api/gifts", as: "bert").value["received"] as? [[String: Any]]
        #expect(
            waiting?.count == 1 && waiting?[0]["recipients"] == nil, "recipients do not learn of one another")
        #expect(
            try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":true}"#, as: "bert").status
                == 200)
        #expect(
            try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":false}"#, as: "carl").status
                == 200)
        // A second answer changes nothing.
        _ = try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":true}"#, as: "carl")
        #expect(try await stage.ids(as: "bert").count == 1)
        #expect(try await stage.ids(as: "carl").isEmpty)
        let given = try await stage.ask(.get, "/api/gifts", as: "anna").value["given"] as? [[String: Any]]
        let states = (given?[0]["recipients"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
        #expect(states == ["taken", "refused"])
        // It is bert's now: he hides or removes it, and anna's later changes do not reach it.
        let layer = try #require(
            (try await stage.read(as: "bert")["layers"] as? [[String: Any]])?.first {
                $0["kind"] as? String == "given"
            })
        #expect(layer["name"] as? String == "anna: Fingerings")
        #expect(try await stage.ask(.delete, layers + "/\(layer["id"]!)", as: "carl").status == 404)
        #expect(try await stage.ask(.delete, layers + "/\(layer["id"]!)", as: "bert").status == 200)
    }

    @Test func ownRemarksAreCollectedOnlyFromThoseWhoSendThem() async throws {
        for name in ["bert", "carl"] { try await stage.send(#""place":"# + stage.remark(by: name), as: name) }
        let id = UUID().uuidString.lowercased()
        let body =
            #"{"id":"\#(id)","kind":"ask","name":"Homework","to":["\#(stage.user("bert"))","\#(stage.user("carl"))"]}"#
        #expect(try await stage.ask(.post, gifts, body, as: "anna").status == 200)
        #expect(try await stage.ids(as: "anna").isEmpty)
        _ = try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":true}"#, as: "bert")
        _ = try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":false}"#, as: "carl")
        let collected = try await stage.read(as: "anna")
        #expect((collected["remarks"] as? [[String: Any]])?.count == 1)
        #expect(
            (collected["layers"] as? [[String: Any]])?.compactMap { $0["name"] as? String }.last
                == "bert: Homework")
    }

    @Test func nothingIsGivenToSomebodyWithoutTheScoreOrAnsweredByAnother() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        func body(_ name: String, _ id: String = UUID().uuidString) -> String {
            #"{"id":"\#(id)","kind":"give","name":"A","to":["\#(stage.user(name))"]}"#
        }
        #expect(try await stage.ask(.post, gifts, body("stranger"), as: "anna").code == "no-member")
        let absent = body("bert").replacing(
            stage.user("bert").description, with: UUID().uuidString.lowercased())
        #expect(try await stage.ask(.post, gifts, absent, as: "anna").code == "no-member")
        let id = UUID().uuidString.lowercased()
        #expect(try await stage.ask(.post, gifts, body("bert", id), as: "anna").status == 200)
        #expect(
            try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":true}"#, as: "carl").status
                == 404)
        #expect(try await stage.ask(.delete, "/api/gifts/\(id)", as: "bert").status == 404)
        #expect(try await stage.ask(.delete, "/api/gifts/\(id)", as: "anna").status == 200)
        #expect(
            try await stage.ask(.post, "/api/gifts/\(id)/answer", #"{"takes":true}"#, as: "bert").status
                == 404)
    }

    @Test func aSetGoesOutAndComesInAndAWrongOneIsRefusedWhole() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna", anchor: [4_000, 2_500]), as: "anna")
        try await stage.send(#""place":"# + stage.remark(by: "anna", shape: #"{"text":"dolce"}"#), as: "anna")
        let out = try await stage.ask(.get, RemarkStage.remarks + "/set", as: "anna")
        #expect(out.value["format"] as? String == "baton-remarks" && out.value["version"] as? Int == 1)
        let first = try #require((out.value["remarks"] as? [[String: Any]])?.first)
        #expect((first["measure"] as? [String: Int])?["number"] == 2)
        #expect(!out.text.contains(stage.user("anna").description), "no user's id leaves the server")
        let taken = try await stage.ask(.post, RemarkStage.remarks + "/set", out.text, as: "bert")
        #expect(taken.value["remarks"] as? Int == 2)
        #expect(try await stage.ids(as: "bert").count == 2)
        let wrong = out.text.replacing("\"page\":0", with: "\"page\":5")
        let refused = try await stage.ask(.post, RemarkStage.remarks + "/set", wrong, as: "carl")
        #expect(refused.status == 422 && refused.code == "bad-set")
        #expect((refused.value["error"] as? String)?.contains("Remark 1") == true)
        #expect(try await stage.ids(as: "carl").isEmpty)
        // Another's own layer cannot be exported.
        let hers = RemarkStage.remarks + "/set?layer=\(stage.own("anna"))"
        #expect(try await stage.ask(.get, hers, as: "bert").code == "no-layer")
    }
}
