import Catalogue
import Foundation
import Rehearsal
import Testing

@testable import ScoreLibrary
@testable import WebServer

/// The leader of a section, such as the concertmaster: who names one, and what the lead of a part allows. Anna leads
/// the first violins (part 0) and bert nothing; lib is the librarian.
@Suite struct SectionLeaderTests {
    private let stage: RemarkStage
    private var layers: String { "/api/scores/\(RemarkStage.score)/layers" }
    private var leaders: String { "/api/scores/\(RemarkStage.score)/leaders" }

    init() async throws {
        stage = try await RemarkStage()
        try #require(try await lead("anna", [0]) == 200)
    }

    private func lead(_ name: String, _ parts: [Int], as librarian: String = "lib") async throws -> Int {
        try await stage.ask(
            .put, leaders + "/\(stage.user(name))", #"{"parts":\#(parts)}"#, as: librarian
        ).status
    }

    private func put(
        _ layer: ScoreLayer.ID = .new(), _ name: String = "Bowings", parts: [Int], writers: [String] = [],
        as user: String
    ) async throws -> Int {
        let writers = writers.map { stage.user($0).description }
        return try await stage.ask(
            .put, layers + "/\(layer)", #"{"name":"\#(name)","parts":\#(parts),"writers":\#(writers)}"#,
            as: user
        ).status
    }

    private func layer(_ id: ScoreLayer.ID, as name: String) async throws -> [String: Any]? {
        (try await stage.read(as: name)["layers"] as? [[String: Any]])?.first {
            $0["id"] as? String == id.description
        }
    }

    @Test func librariansAloneNameLeadersAndOnlyOfThoseWhoHaveTheScore() async throws {
        for name in ["anna", "bert", "stranger"] {
            #expect(try await lead("bert", [1], as: name) == 403)
            #expect(try await stage.ask(.get, leaders, as: name).status == 403)
        }
        #expect(try await lead("stranger", [1]) == 404)
        #expect(try await lead("bert", [9]) == 400)
        let listed = try await stage.ask(.get, leaders, as: "lib").value["leaders"] as? [[String: Any]]
        #expect(listed?.compactMap { $0["name"] as? String } == ["anna"])
        #expect(listed?.first?["parts"] as? [Int] == [0])
        #expect(try await stage.read(as: "anna")["leads"] as? [Int] == [0])
        #expect(try await stage.read(as: "bert")["leads"] as? [Int] == [])
    }

    @Test func aLeaderMakesChangesAndRemovesLayersOfTheOwnSectionAlone() async throws {
        let mine = ScoreLayer.ID.new()
        #expect(try await put(mine, parts: [0], writers: ["bert"], as: "anna") == 200)
        #expect(try await put(mine, "Strings", parts: [0], writers: ["bert"], as: "anna") == 200)
        let seen = try #require(try await layer(mine, as: "anna"))
        #expect(seen["mayChange"] as? Bool == true && seen["name"] as? String == "Strings")
        #expect(seen["writers"] as? [String] == [stage.user("bert").description])
        let other = try #require(try await layer(mine, as: "bert"))
        #expect(other["mayChange"] as? Bool == false && other["writers"] == nil)
        // Not of other parts, not of all, not beyond the section, not another's.
        for parts in [[1], [], [0, 1]] { #expect(try await put(parts: parts, as: "anna") == 403) }
        for parts in [[1], [], [0, 1]] { #expect(try await put(mine, parts: parts, as: "anna") == 403) }
        let violas = try await stage.section(901, parts: [2], writers: [])
        let all = try await stage.section(902, parts: [], writers: [])
        for layer in [violas, all] {
            #expect(try await put(layer, parts: [0], as: "anna") == 403)
            #expect(try await stage.ask(.delete, layers + "/\(layer)", as: "anna").status == 403)
        }
        #expect(
            try await stage.ask(.post, layers + "/\(mine)/spread", #"{"parts":[1]}"#, as: "anna").status
                == 403)
        #expect(try await put(mine, parts: [0], as: "bert") == 403)
        #expect(try await stage.ask(.delete, layers + "/\(mine)", as: "bert").status == 403)
        #expect(try await stage.ask(.delete, layers + "/\(mine)", as: "anna").status == 200)
    }

    @Test func aLeaderWritesAndCorrectsOnLayersThatNameThePartAndOnNoOther() async throws {
        let bowings = try await stage.section(parts: [0, 1], writers: ["bert"])
        let (hers, his) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        #expect(
            try await stage.send(#""place":"# + stage.remark(hers, by: "anna", on: bowings), as: "anna")
                == nil)
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "anna", on: bowings, part: 1), as: "anna")
                == "not-allowed")
        let all = try await stage.section(901, parts: [], writers: [])
        #expect(
            try await stage.send(#""place":"# + stage.remark(by: "anna", on: all), as: "anna")
                == "not-allowed")
        // Others' remarks in the part are corrected, and come back as theirs.
        let text = stage.remark(his, by: "bert", on: bowings)
        #expect(try await stage.send(#""place":"# + text, as: "bert") == nil)
        #expect(try await stage.send(#""edit":{"remark":"\#(his)","anchor":[9,9]}"#, as: "anna") == nil)
        #expect(try await stage.send(#""erase":"\#(his)""#, as: "anna") == nil)
        #expect(try await stage.ids(as: "bert") == [hers])
        #expect(try await stage.send(#""restore":"# + text, as: "anna") == nil)
        #expect(Set(try await stage.ids(as: "bert")) == [hers, his])
        // Nothing is written in another's name, and nothing of the other part is touched.
        #expect(
            try await stage.send(#""restore":"# + stage.remark(by: "bert", on: bowings), as: "anna")
                == "not-yours")
        let second = UUID().uuidString.lowercased()
        try await stage.send(
            #""place":"# + stage.remark(second, by: "bert", on: bowings, part: 1), as: "bert")
        #expect(try await stage.send(#""erase":"\#(second)""#, as: "anna") == "not-yours")
        #expect(try await stage.send(#""erase":"\#(hers)""#, as: "bert") == "not-yours")
    }

    @Test func theLeadEndsWithTheScoreAndWithTheLibrariansWord() async throws {
        let bowings = try await stage.section(writers: [])
        let place = #""place":"# + stage.remark(by: "anna", on: bowings)
        #expect(try await lead("anna", []) == 200)
        #expect(try await stage.send(place, as: "anna") == "not-allowed")
        #expect(try await lead("anna", [0]) == 200)
        let grant = try #require(
            try await stage.catalogue.scoreGrants(of: RemarkStage.score.description).first {
                $0.accountName == "anna"
            })
        try await stage.catalogue.revokeScoreGrant(grant.id)
        _ = try await stage.catalogue.grantScore(
            RemarkStage.score.description, to: grant.accountID, bundle: UUID().uuidString)
        #expect(try await stage.send(place, as: "anna") == "not-allowed")
    }

    @Test func oneLeaderCannotUseUpTheLayersOfAScore() async throws {
        for _ in 0..<ScoreRemarkLimits.mostLayersOfLeader {
            #expect(try await put(parts: [0], as: "anna") == 200)
        }
        #expect(try await put(parts: [0], as: "anna") == 409)
        #expect(try await put(parts: [0], as: "lib") == 200)
        let bert = LayerKeeper(user: stage.user("bert"), isLibrarian: false, ledParts: [0])
        let new = try ScoreLayer(id: .new(), kind: .section, owner: bert.user, name: "A", parts: [0])
        let most = ScoreRemarkLimits.mostSectionLayers
        #expect(throws: RoomRefusal.self) {
            try bert.checkPutting(new, over: nil, (all: most - ScoreRemarkLimits.reservedLayers, own: 0))
        }
        try LayerKeeper(user: bert.user, isLibrarian: true).checkPutting(
            new, over: nil, (all: most - 1, own: 0))
    }
}
