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

@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct LibraryRouteTests {
    let stage: LibraryStage

    init() async throws { stage = try await LibraryStage() }

    private func upload(_ bytes: [UInt8], _ query: String = "title=Trio&composer=Anna%20Lind") async throws
        -> String
    {
        struct Added: Decodable { var score: String }
        let answer = try await stage.ask("/api/library/scores?\(query)", .post, body: bytes)
        try #require(answer.status == .ok)
        return try JSONDecoder().decode(Added.self, from: Data(buffer: answer.body)).score
    }

    @Test func anUploadIsListedAndItsPagesAreKeptAndAskedForAgain() async throws {
        let id = try await upload(smallPDF(pages: 2))
        let list = String(buffer: try await stage.ask("/api/library/scores").body)
        #expect(list.contains("\"title\":\"Trio\"") && list.contains("\"composer\":\"Anna Lind\""))
        let progress = String(buffer: try await stage.ask("/api/library/scores/\(id)/progress").body)
        #expect(progress.contains("\"state\":\"ready\""))
        let page = "/api/scores/\(id)/parts/0/pages/1?size=small"
        let kept = try await stage.ask(page + "&r=1")
        #expect(kept.status == .ok && kept.headers[.contentType] == "image/png")
        // The next account at the same tablet must not see it, nor anybody whose right has ended.
        #expect(kept.headers[.cacheControl] == "private, no-cache" && kept.headers[.vary] == "Cookie")
        let tag = try #require(kept.headers[.eTag])
        let loose = try await stage.ask(page + "&r=7", .get, as: "ed", ["If-None-Match": tag])
        #expect(loose.status == .notModified && loose.headers[.cacheControl] == "private, no-cache")
        let turnedAway = try await stage.ask(page + "&r=1", .get, as: nil, ["If-None-Match": tag])
        #expect(turnedAway.status == .unauthorized, "who may not see a page is not told that it is kept")
        for wrong in ["pages/2", "pages/-1", "pages/x"] {
            #expect(try await stage.ask("/api/scores/\(id)/parts/0/\(wrong)").status == .notFound)
        }
        #expect(try await stage.ask("/api/scores/\(id)/parts/9/pages/0").status == .notFound)
        #expect(try await stage.ask(page + "0&size=enormous").status == .badRequest)
    }

    @Test func aScoreGoesToTheBinWithItsReadersAndComesBackToThem() async throws {
        let id = try await upload(smallPDF(pages: 1))
        let (anna, ben) = (try await stage.musician("anna"), try await stage.musician("ben"))
        _ = try await stage.json("/api/library/bundles", .post, "{\"user\":\"\(anna)\",\"score\":\"\(id)\"}")
        let counts = String(buffer: try await stage.ask("/api/library/scores/\(id)/belongings").body)
        #expect(counts.contains("\"readers\":1") && counts.contains("\"days\":30"))
        #expect(try await stage.ask("/api/library/scores/\(id)", .delete).status == .ok)
        #expect(!String(buffer: try await stage.ask("/api/library/scores").body).contains(id))
        let told = try await stage.ask("/api/scores/\(id)", as: anna)
        #expect(told.status == .notFound && String(buffer: told.body).contains("into the bin"))
        let untold = try await stage.ask("/api/scores/\(id)", as: ben)
        #expect(untold.status == .notFound && !String(buffer: untold.body).contains("bin"))
        #expect(String(buffer: try await stage.ask("/api/library/bin").body).contains("\"title\":\"Trio\""))
        let restore = "/api/library/bin/\(id)/restore"
        #expect(try await stage.ask(restore, .post, as: anna).status == .forbidden)
        #expect(try await stage.ask(restore, .post).status == .ok)
        #expect(try await stage.ask(restore, .post).status == .notFound)
        #expect(try await stage.ask("/api/scores/\(id)", as: anna).status == .ok)
        #expect(String(buffer: try await stage.ask("/api/library/bin").body) == "[]")
    }

    @Test func aScoreIsForWhoWasGivenItAndNobodyElse() async throws {
        let id = try await upload(smallPDF(pages: 1))
        let anna = try await stage.musician("anna")
        let paths = ["/api/scores/\(id)", "/api/scores/\(id)/parts/0/pages/0?size=thumbnail"]
        for path in paths {
            #expect(try await stage.ask(path, as: nil).status == .unauthorized)
            #expect(try await stage.ask(path, as: anna).status == .notFound)
        }
        let given = try await stage.json(
            "/api/library/bundles", .post, "{\"user\":\"\(anna)\",\"score\":\"\(id)\"}")
        #expect(given.status == .ok)
        for path in paths { #expect(try await stage.ask(path, as: anna).status == .ok) }
        let detail = String(buffer: try await stage.ask(paths[0], as: anna).body)
        #expect(detail.contains("\"revision\":\"1\"") && detail.contains("\"title\":\"Trio\""))
        #expect(String(buffer: try await stage.ask("/api/library/bundles?score=\(id)").body).contains("anna"))
    }

    @Test func musiciansMayNotDoALibrariansWork() async throws {
        let anna = try await stage.musician("anna")
        for path in ["/api/library/scores", "/api/library/users", "/api/library/bundles"] {
            #expect(try await stage.ask(path, as: anna).status == .forbidden, "\(path)")
        }
        for path in ["/library", "/console", "/edit"] {
            #expect(try await stage.ask(path, as: anna).status == .forbidden, "\(path)")
        }
        #expect(try await stage.ask("/library").status == .ok)
        let sent = try await stage.ask("/api/library/scores", .post, as: anna, body: smallPDF(pages: 1))
        #expect(sent.status == .forbidden)
    }

    @Test func markedMeasuresAreTakenOrRefusedWithEverySentence() async throws {
        let id = try await upload(smallPDF(pages: 2))
        let path = "/api/library/scores/\(id)/parts/0"
        let right = """
            {"name":"Viola","places":[{"movement":0,"page":0,"first":1,"last":1,"box":[0.1,0.1,0.5,0.2]},
            {"movement":0,"page":1,"first":3,"last":9}],"rests":[{"movement":0,"first":4,"last":6}],"revision":"1"}
            """
        let taken = try await stage.json(path, .put, right)
        #expect(taken.status == .ok)
        #expect(String(buffer: taken.body).contains("measure 2 is missing"))
        let part = try await stage.library.entry(try #require(Rehearsal.Score.ID(id))).score.parts[0]
        #expect(part.name == "Viola" && part.places.count == 2 && part.rests.count == 1)
        // Somebody who has not seen the change.
        #expect(try await stage.json(path, .put, right).status == .conflict)
        let wrong = """
            {"places":[{"movement":0,"page":0,"first":5,"last":5},{"movement":0,"page":0,"first":5,"last":5},
            {"movement":0,"page":1,"first":2,"last":2}]}
            """
        let refused = try await stage.json(path, .put, wrong)
        #expect(refused.status == .unprocessableContent)
        let fault = try RefusedAnswer(refused)
        #expect(fault.code == "bad-places" && (fault.sentences?.count ?? 0) >= 3)
        for (text, status) in [
            ("", 400), ("[]", 400), ("{\"places\":[{}]}", 400), ("{\"name\":\"a\\u0007b\"}", 422),
            ("{\"places\":[{\"movement\":0,\"page\":0,\"first\":1,\"last\":1,\"box\":[0.5,0,0.1,1]}]}", 422),
            ("{\"places\":[{\"movement\":0,\"page\":7,\"first\":1,\"last\":1}]}", 422),
            ("{\"places\":[{\"movement\":3,\"page\":0,\"first\":1,\"last\":1}]}", 422),
        ] {
            let answer = try await stage.json(path, .put, text)
            #expect(answer.status.code == status, "\(text): \(String(buffer: answer.body))")
        }
    }

    @Test func coversAndMovementsAreChanged() async throws {
        let id = try await upload(smallPDF(pages: 1))
        let path = "/api/library/scores/\(id)"
        let changed = try await stage.json(
            path, .put,
            "{\"title\":\"Quartet\",\"arranger\":\"B\",\"movements\":[{\"name\":\"I\",\"piece\":\"elise\",\"isAttacca\":true},{\"name\":\"II\"}]}"
        )
        #expect(changed.status == .ok)
        let score = try await stage.library.entry(try #require(Rehearsal.Score.ID(id))).score
        #expect(score.title == "Quartet" && score.composer == "Anna Lind" && score.movements.count == 2)
        #expect(score.movements[0].piece == "elise" && score.movements[0].isAttacca)
        // Each field alone; the others stay.
        for (field, value) in [
            ("title", "Trio"), ("composer", "C"), ("lyricist", "L"), ("arranger", "A"),
        ] {
            #expect(try await stage.json(path, .put, "{\"\(field)\":\"\(value)\"}").status == .ok, "\(field)")
        }
        #expect(try await stage.json(path, .put, "{\"movements\":[{\"name\":\"III\"}]}").status == .ok)
        let alone = try await stage.library.entry(try #require(Rehearsal.Score.ID(id))).score
        #expect([alone.title, alone.composer, alone.lyricist, alone.arranger] == ["Trio", "C", "L", "A"])
        #expect(alone.movements.map(\.name) == ["III"])
        for bad in ["{\"title\":\"\"}", "{\"title\":\"x\",\"movements\":[]}"] {
            #expect(try await stage.json(path, .put, bad).status == .unprocessableContent, "\(bad)")
        }
        #expect(try await stage.ask(path, .delete).status == .ok)
        #expect(try await stage.ask(path).status == .notFound)
        #expect(try await stage.ask("/api/library/scores/nonsense").status == .notFound)
    }

    @Test func marksThatCannotBeAreRefusedAndAnUnknownPieceIsRemarked() async throws {
        let id = try await stage.library.addScore(
            file: try stage.arrived(smallPDF(pages: 1)), Library.ScoreHeading(title: "Duo"))
        let path = "/api/library/scores/\(id)"
        let place = #"{"movement":0,"page":0,"first":1,"last":8}"#
        #expect(try await stage.json(path + "/parts/0", .put, #"{"places":[\#(place)]}"#).status == .ok)
        func put(_ marks: String, piece: String = "null") async throws -> TestResponse {
            try await stage.json(
                path, .put, #"{"movements":[{"name":"I","piece":\#(piece),"marks":[\#(marks)]}]}"#)
        }
        for (marks, word) in [
            (#"{"label":"A","measure":-5}"#, "before the music"),
            (#"{"label":"A","measure":500}"#, "measures 1 to 8"),
            (#"{"label":"A","measure":2},{"label":"a","measure":5}"#, "twice"),
        ] {
            let answer = try await put(marks)
            #expect(answer.status == .unprocessableContent)
            #expect(try RefusedAnswer(answer).error.contains(word), "\(String(buffer: answer.body))")
        }
        let taken = try await put(#"{"label":"A","measure":2}"#, piece: #""nobody""#)
        #expect(taken.status == .ok)
        #expect(String(buffer: taken.body).contains("“nobody”, which this server does not have"))
        let negative = place.replacing(#""first":1"#, with: #""first":-5"#)
        let refused = try await stage.json(path + "/parts/0", .put, #"{"places":[\#(negative)]}"#)
        #expect(String(buffer: refused.body).contains("measure -5 is before the music"))
    }

    @Test func wrongFilesAreRefusedWithASentence() async throws {
        let answer = try await stage.ask("/api/library/scores?title=x", .post, body: Array("hello".utf8))
        #expect(answer.status.code == 415)
        #expect(try RefusedAnswer(answer).error.contains("neither a PDF nor MusicXML"))
        let long = try await stage.ask(
            "/api/library/scores?title=\(String(repeating: "x", count: 300))", .post,
            body: smallPDF(pages: 1))
        #expect(long.status == .unprocessableContent)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stage.library.assetStore.uploadFolder).isEmpty
        )
    }
}
