import Foundation
import Hummingbird
import Rehearsal
import RouterTesting
import ScorePages
import Testing

@testable import Hosting
@testable import LibraryStages
@testable import ScoreLibrary
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct LayoutRouteTests {
    let stage: LibraryStage

    init() async throws { stage = try await LibraryStage() }

    private func uploadedScore(pages: Int = 3) async throws -> (id: Rehearsal.Score.ID, path: String) {
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: pages)), Library.ScoreHeading(title: "Trio"))
        return (id, "/api/library/scores/\(id)")
    }

    private struct Detail: Decodable {
        struct Part: Decodable {
            var pages: [PageSize]
            var places: [Rehearsal.MeasureBox]
            var layout: PartLayout?
        }
        var revision: String
        var parts: [Part]
        var images: [String]
    }

    private func detail(_ path: String) async throws -> Detail {
        try JSONDecoder().decode(Detail.self, from: Data(buffer: try await stage.ask(path).body))
    }

    @Test func aLayoutIsKeptAndEverythingStaysOnItsPage() async throws {
        let (id, path) = try await uploadedScore()
        let marked =
            #"{"places":[{"movement":0,"page":0,"first":1,"last":4},{"movement":0,"page":2,"first":5,"last":9}]}"#
        #expect(try await stage.json(path + "/parts/0", .put, marked).status == .ok)
        let laid =
            #"{"layout":{"pages":[{"page":2,"turn":1},{"page":3},{"page":0,"tilt":-1.5}]},"revision":"2"}"#
        #expect(try await stage.json(path + "/parts/0/layout", .put, laid).status == .ok)
        let now = try await detail(path)
        #expect(now.revision == "3" && now.parts[0].pages.count == 3)
        #expect(now.parts[0].layout?.pages.map(\.page) == [2, 3, 0])
        #expect(now.parts[0].places.map(\.page) == [0, 2])
        let score = try #require(await stage.library.findScore(id))
        #expect(score.parts[0].layout?.pages.first?.quarterTurns == 1)
        // The measures can be changed afterwards; the layout stays. Pages are judged in the order they are laid.
        let more =
            #"{"places":[{"movement":0,"page":2,"first":1,"last":4},{"movement":0,"page":0,"first":5,"last":9}]}"#
        let answer = try await stage.json(path + "/parts/0", .put, more)
        #expect(answer.status == .ok, "\(String(buffer: answer.body))")
        #expect(try await detail(path).parts[0].layout?.pages.count == 3)
        // Taken back, the pages are as in the file, also where measures were numbered in another order.
        #expect(try await stage.json(path + "/parts/0/layout", .put, #"{"layout":null}"#).status == .ok)
        #expect(try await detail(path).parts[0].layout?.pages.map(\.page) == [0, 1, 2])
        #expect(try await stage.json(path + "/parts/0", .put, #"{"places":[]}"#).status == .ok)
        #expect(try await stage.json(path + "/parts/0/layout", .put, #"{"layout":null}"#).status == .ok)
        #expect(try await detail(path).parts[0].layout == nil)
    }

    @Test func theSecondLibrarianIsToldAndNothingIsLost() async throws {
        let (_, path) = try await uploadedScore()
        let first = #"{"layout":{"pages":[{"page":1},{"page":0},{"page":2}]},"revision":"1"}"#
        let second = #"{"layout":{"pages":[{"page":2}]},"revision":"1"}"#
        #expect(try await stage.json(path + "/parts/0/layout", .put, first).status == .ok)
        let refused = try await stage.json(path + "/parts/0/layout", .put, second)
        #expect(refused.status == .conflict)
        #expect(try RefusedAnswer(refused).code == "changed")
        let crop = #"{"part":0,"crop":{"odd":[0.1,0.1,0.9,0.9],"even":[0.1,0.1,0.9,0.9]},"revision":"1"}"#
        #expect(try await stage.json(path + "/crop", .put, crop).status == .conflict)
        #expect(try await detail(path).parts[0].layout?.pages.map(\.page) == [1, 0, 2])
    }

    @Test func whatCannotBeIsRefusedWithASentence() async throws {
        let (_, path) = try await uploadedScore()
        let layouts = [
            #"{"layout":{"pages":[]}}"#, #"{"layout":{"pages":[{"page":0},{"page":0}]}}"#,
            #"{"layout":{"pages":[{"page":-1}]}}"#, #"{"layout":{"pages":[{"page":204}]}}"#,
            #"{"layout":{"pages":[{"page":9223372036854775807}]}}"#,
            #"{"layout":{"pages":[{"page":0,"turn":4}]}}"#,
            #"{"layout":{"pages":[{"page":0,"tilt":11}]}}"#,
            #"{"layout":{"pages":[{"page":0}],"crop":{"odd":[0,0,1]}}}"#,
            #"{"layout":{"pages":[{"page":0}],"crop":{"odd":[0.5,0,0.2,1],"even":[0,0,1,1]}}}"#,
            #"{"layout":{"pages":[{"page":0.5}]}}"#, #"{"layout":7}"#, "[]", "",
        ]
        for text in layouts {
            let answer = try await stage.json(path + "/parts/0/layout", .put, text)
            #expect([400, 422].contains(answer.status.code), "\(text)")
            #expect(try RefusedAnswer(answer).error.count > 10)
        }
        for text in [#"{}"#, #"{"part":"x"}"#, #"{"part":0,"crop":{"odd":[0,0,1,1]}}"#] {
            #expect(try await stage.json(path + "/crop", .put, text).status == .badRequest, "\(text)")
        }
        #expect(try await stage.json(path + "/crop", .put, #"{"part":7}"#).status == .notFound)
        #expect(try await stage.json(path + "/parts/7/layout", .put, #"{"layout":null}"#).status == .notFound)
        #expect(try await detail(path).revision == "1")
    }

    @Test func musiciansAndStrangersChangeNothing() async throws {
        let (id, path) = try await uploadedScore()
        let bert = try await stage.musician("bert")
        _ = try await stage.library.grantScore(id, to: try #require(Rehearsal.User.ID(bert)))
        let body = Array(#"{"layout":{"pages":[{"page":1}]}}"#.utf8)
        for (address, method) in [
            (path + "/parts/0/layout", HTTPRequest.Method.put), (path + "/crop", .put),
            (path + "/parts/0/found", .get),
        ] {
            #expect(try await stage.ask(address, method, as: bert, body: body).status == .forbidden)
            #expect(try await stage.ask(address, method, as: nil, body: body).status == .unauthorized)
        }
        #expect(try await detail(path).revision == "1")
    }

    @Test func standsGetWhatWasFoundAndWhatWasSet() async throws {
        let (id, path) = try await uploadedScore()
        let found = try await stage.ask(path + "/parts/0/found")
        #expect(found.status == .ok && String(buffer: found.body).contains("\"crop\":{"))
        let stand = try await detail("/api/scores/\(id)")
        // The pages hold one figure each, so that their margins are broad.
        let crop = try #require(stand.parts[0].layout?.crop)
        #expect(crop.odd.left > 0.1 && crop.odd.bottom < 0.8)
        #expect(try await detail(path).parts[0].layout == nil)
        let whole = #"{"part":0,"crop":{"odd":[0,0,1,1],"even":[0,0,1,1]},"revision":"1"}"#
        #expect(try await stage.json(path + "/crop", .put, whole).status == .ok)
        #expect(try await detail("/api/scores/\(id)").parts[0].layout?.crop?.odd.left == 0)
        // The name of the images stays, so that no stand loads them again.
        #expect(try await detail("/api/scores/\(id)").images == stand.images)
        let page = "/api/scores/\(id)/parts/0/pages/0?size=thumbnail&r=\(stand.images[0])"
        let tag = try #require(try await stage.ask(page).headers[.eTag])
        #expect(
            try await stage.ask(page, .get, as: "ed", ["If-None-Match": tag]).status == .notModified)
    }

    @Test func aPrintHasThePagesAsTheyAreLaid() async throws {
        let (id, path) = try await uploadedScore()
        let laid = #"{"layout":{"pages":[{"page":2,"turn":1},{"page":3},{"page":0,"tilt":2}]}}"#
        #expect(try await stage.json(path + "/parts/0/layout", .put, laid).status == .ok)
        let print = try await stage.library.printPart(id, part: 0, remarks: [])
        let summary = try await ScorePDFInspector(tools: .findTools()).inspect(print.path)
        #expect(
            summary.pages.map { [$0.width.rounded(), $0.height.rounded()] } == [
                [842, 595], [842, 595], [595, 842],
            ])
    }

    @Test func aPrintWithoutMarginsShowsTheFrameAndTheRemarksOutsideIt() async throws {
        let (id, path) = try await uploadedScore()
        let crop = #"[0.1,0.2,0.9,0.7]"#
        let laid = #"{"layout":{"pages":[{"page":0},{"page":2}],"crop":{"odd":\#(crop),"even":\#(crop)}}}"#
        #expect(try await stage.json(path + "/parts/0/layout", .put, laid).status == .ok)
        let ink = try Rehearsal.Ink(colour: "#b3261e", width: 200)
        let remark = Rehearsal.Remark(
            id: .new(), layer: .new(), author: .new(), part: 0, page: 2,
            anchor: try Rehearsal.PagePoint(x: 5000, y: 500), shape: .stamp(.downBow), ink: ink)
        let print = try await stage.library.printPart(id, part: 0, isCropped: true, remarks: [remark])
        let pages = try await ScorePDFInspector(tools: .findTools()).inspect(print.path).pages
        // The frame of 476 × 421 points is as wide as A4 in landscape allows.
        let frame: (width: Double, height: Double) = (0.8 * 595, 0.5 * 842)
        let shapes = pages.map { $0.width / $0.height }
        #expect(abs(shapes[0] - frame.width / frame.height) < 0.01)
        #expect(abs(pages[0].height - 595) < 1, "it is enlarged until it fills the paper")
        // The stamp at 5 % of the page makes its own page higher.
        #expect(shapes[1] < shapes[0] * 0.8)
        let answer = try await stage.ask(path + "/parts/0/pdf?margins=0")
        #expect(answer.status == .ok)
    }
}
