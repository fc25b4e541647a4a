import Catalogue
import Foundation
import Rehearsal
import Testing

@testable import ScoreLibrary
@testable import WebServer

/// The remarks of scores over the routes, as stands use them.
@Suite struct ScoreRemarkRoutesTests {
    private let stage: RemarkStage

    init() async throws { stage = try await RemarkStage() }

    @Test func ownRemarksAreSeenByTheirAuthorAlone() async throws {
        let remark = UUID().uuidString.lowercased()
        #expect(try await stage.send(#""place":"# + stage.remark(remark, by: "anna"), as: "anna") == nil)
        #expect(try await stage.ids(as: "anna") == [remark])
        for other in ["bert", "lib"] { #expect(try await stage.ids(as: other) == []) }
        // A score that the user may not see is refused like a score that does not exist.
        let absent = UUID().uuidString.lowercased()
        for id in [remark, absent] {
            #expect(try await stage.send(#""erase":"\#(id)""#, as: "bert") == "no-remark")
            #expect(try await stage.send(#""erase":"\#(id)""#, as: "lib") == "no-remark")
        }
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "bert", on: stage.own("anna")), as: "bert")
                == "no-layer")
        #expect(try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "bert") == "not-yours")
        // The same id may be used on another's own layer: nobody learns that it is in use.
        #expect(try await stage.send(#""place":"# + stage.remark(remark, by: "bert"), as: "bert") == nil)
        #expect(try await stage.ids(as: "anna") == [remark])
    }

    @Test func whoHasNotTheScoreLearnsNothing() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        let absent = "/api/scores/00000000-0000-4000-8000-00000000dead"
        let there = "/api/scores/\(RemarkStage.score)"
        for path in ["/remarks", "/remarks/set", "/players"] {
            let (one, other) = (
                try await stage.ask(.get, there + path, as: "stranger"),
                try await stage.ask(.get, absent + path, as: "stranger")
            )
            #expect(one.status == 404 && one.text == other.text, "\(path)")
        }
        for path in ["/remarks", "/remarks/set", "/gifts"] {
            let (one, other) = (
                try await stage.ask(.post, there + path, "[]", as: "stranger"),
                try await stage.ask(.post, absent + path, "[]", as: "stranger")
            )
            #expect(one.status == 404 && one.text == other.text, "\(path)")
        }
    }

    @Test func anEventIsAppliedOnceHoweverOftenItComes() async throws {
        let (remark, event) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        let place = #""place":"# + stage.remark(remark, by: "anna")
        for _ in 0..<3 { #expect(try await stage.send(place, id: event, as: "anna") == nil) }
        #expect(try await stage.ids(as: "anna") == [remark])
        let edit = UUID().uuidString.lowercased()
        let red = #""edit":{"remark":"\#(remark)","anchor":[1,1]}"#
        try await stage.send(red, id: edit, as: "anna")
        try await stage.send(#""edit":{"remark":"\#(remark)","anchor":[9,9]}"#, as: "anna")
        // The answer of the first was lost: it comes late, and does not undo the second.
        try await stage.send(red, id: edit, as: "anna")
        let shown = try await stage.read(as: "anna")["remarks"] as? [[String: Any]]
        #expect(shown?.first?["anchor"] as? [Int] == [9, 9])
        try await stage.send(#""erase":"\#(remark)""#, as: "anna")
        #expect(try await stage.send(place, as: "anna") == nil)
        #expect(try await stage.ids(as: "anna") == [], "what was erased does not come back with a copy")
        try await stage.send(#""restore":"# + stage.remark(remark, by: "anna"), as: "anna")
        #expect(try await stage.ids(as: "anna") == [remark])
    }

    @Test func anotherDeviceGetsWhatChangedAndNoticesWhatItLacks() async throws {
        let (one, other) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        try await stage.send(#""place":"# + stage.remark(one, by: "anna"), as: "anna")
        let first = try await stage.read(as: "anna")
        let revision = try #require(first["revision"] as? Int64)
        try await stage.send(#""place":"# + stage.remark(other, by: "anna"), as: "anna")
        try await stage.send(#""erase":"\#(one)""#, as: "anna")
        let next = try await stage.read(since: revision, as: "anna")
        #expect((next["remarks"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == [other])
        #expect((next["erased"] as? [[String: String]])?.compactMap { $0["id"] } == [one])
        let check = try #require(next["check"] as? [Int64])
        let revisions = try #require(next["revisions"] as? [Int64])
        #expect(check == [1, revisions[0] % 1_000_003])
    }

    @Test func hiddenLayersAndBookmarksAreTheReadersOwn() async throws {
        let layer = try await stage.section(writers: ["anna"])
        try await stage.send(#""hide":{"layer":"\#(layer)","isHidden":true}"#, as: "bert")
        let bookmark =
            #"{"id":"\#(UUID().uuidString.lowercased())","name":"Coda","part":0,"page":1,"measure":7}"#
        #expect(try await stage.send(#""bookmark":"# + bookmark, as: "bert") == nil)
        #expect(try await stage.read(as: "bert")["hidden"] as? [String] == [layer.description])
        #expect((try await stage.read(as: "bert")["bookmarks"] as? [[String: Any]])?.count == 1)
        #expect(try await stage.read(as: "anna")["hidden"] as? [String] == [])
        #expect((try await stage.read(as: "anna")["bookmarks"] as? [[String: Any]])?.isEmpty == true)
        #expect(
            try await stage.send(
                #""bookmark":"# + bookmark.replacing("\"page\":1", with: "\"page\":7"), as: "bert")
                == "no-page")
        #expect(
            try await stage.send(#""hide":{"layer":"\#(stage.own("anna"))","isHidden":true}"#, as: "bert")
                == "no-layer")
    }

    @Test func requestsBeyondTheirLimitsAreRefused() async throws {
        let many = "[" + Array(repeating: #"{"v":1}"#, count: 201).joined(separator: ",") + "]"
        #expect(try await stage.ask(.post, RemarkStage.remarks, many, as: "anna").status == 400)
        let deep = String(repeating: "[", count: 5_000)
        #expect(try await stage.ask(.post, RemarkStage.remarks, deep, as: "anna").status == 400)
        #expect(try await stage.ask(.post, RemarkStage.remarks + "/set", deep, as: "anna").status == 400)
        var answer = try await stage.ask(.get, "/api/remarks/find?q=a", as: "anna")
        for _ in 0..<400 where answer.status == 200 {
            answer = try await stage.ask(.get, "/api/remarks/find?q=a", as: "anna")
        }
        #expect(answer.status == 429 && answer.code == "too-fast")
        // One user's haste delays nobody else.
        #expect(try await stage.ask(.get, "/api/remarks/find?q=a", as: "bert").status == 200)
    }

    @Test func anotherSignedInUserSendsNothingInThisName() async throws {
        let answer = try await stage.ask(
            .post, RemarkStage.remarks + "?user=\(stage.user("anna"))", "[]", as: "bert")
        #expect(answer.status == 401 && answer.code == "other-user")
    }

    @Test func textsAreFoundByAllTheirWordsWhateverTheirAccents() async throws {
        try await stage.send(
            #""place":"# + stage.remark(by: "anna", shape: #"{"text":"Più forte, não correr"}"#), as: "anna")
        let layer = try await stage.section(writers: ["bert"])
        try await stage.send(
            #""place":"#
                + stage.remark(by: "bert", on: layer, page: 1, shape: #"{"text":"forte at the heel"}"#),
            as: "bert")
        func found(_ words: String, as name: String) async throws -> [String] {
            let answer = try await stage.ask(.get, "/api/remarks/find?q=\(words)", as: name)
            return (answer.value["found"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
                .sorted()
        }
        #expect(try await found("forte", as: "anna") == ["Più forte, não correr", "forte at the heel"])
        #expect(try await found("PIU nao", as: "anna") == ["Più forte, não correr"])
        #expect(try await found("forte", as: "carl") == ["forte at the heel"])
        #expect(try await found("forte", as: "stranger") == [])
        #expect(try await found("%25", as: "anna") == [])
    }
}
