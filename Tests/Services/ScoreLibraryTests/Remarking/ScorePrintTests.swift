import Catalogue
import Foundation
import Rehearsal
import Testing

@testable import ScoreLibrary
@testable import WebServer

/// Printing a part with the remarks of chosen layers. The stage's printer answers with the remarks that it was given.
@Suite struct ScorePrintTests {
    private let stage: RemarkStage
    private let pdf = "/api/scores/\(RemarkStage.score)/parts/0/pdf"

    init() async throws { stage = try await RemarkStage() }

    private func printed(_ query: String = "", as name: String) async throws -> [String]? {
        try await stage.ask(.get, pdf + query, as: name).value["remarks"] as? [String]
    }

    @Test func aPartIsPrintedWithTheLayersThatAreNamedOrShown() async throws {
        let bowings = try await stage.section(writers: ["anna"])
        let (own, bowing) = ("0a000000-0000-4000-8000-000000000001", "0b000000-0000-4000-8000-000000000002")
        try await stage.send(#""place":"# + stage.remark(own, by: "anna"), as: "anna")
        try await stage.send(#""place":"# + stage.remark(bowing, by: "anna", on: bowings), as: "anna")
        #expect(try await printed(as: "anna") == [own, bowing])
        #expect(try await printed("?layers=\(bowings)", as: "anna") == [bowing])
        #expect(try await printed("?layers=\(stage.own("anna")),\(bowings)", as: "anna") == [own, bowing])
        #expect(try await printed("?layers=", as: "anna") == [])
        #expect(try await printed(as: "bert") == [bowing])
        try await stage.send(#""hide":{"layer":"\#(bowings)","isHidden":true}"#, as: "anna")
        #expect(try await printed(as: "anna") == [own])
    }

    @Test func nobodyPrintsWhatOneMayNotSee() async throws {
        try await stage.send(#""place":"# + stage.remark(by: "anna"), as: "anna")
        let hers = "?layers=\(stage.own("anna"))"
        for name in ["bert", "lib"] {
            #expect(try await stage.ask(.get, pdf + hers, as: name).code == "no-layer")
        }
        #expect(try await stage.ask(.get, pdf, as: "stranger").code == "no-score")
        #expect(try await stage.ask(.get, pdf + "?layers=x", as: "anna").code == "no-layer")
        #expect(
            try await stage.ask(.get, "/api/scores/\(RemarkStage.score)/parts/9/pdf", as: "anna").status
                == 400)
    }
}
