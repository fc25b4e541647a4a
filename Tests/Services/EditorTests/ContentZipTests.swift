import Foundation
import Hummingbird
import Platform
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

/// Whole concerts as a ZIP, out of one server and into another, over HTTP.
@Suite(.ownThreads) struct ContentZipTests {
    let stage: ContentStage

    init() async throws { stage = try await ContentStage() }

    private struct Brought: Decodable {
        var concert: Int64
        var title: String
        var brought: String
        var notes: [String]
    }

    private func export() async throws -> [UInt8] {
        let response = try await stage.ask("/api/edit/concerts/1/zip", as: "ed")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/zip")
        #expect(response.headers[.contentDisposition]?.contains("Baton-plays-a-small-concert.zip") == true)
        return Array(buffer: response.body)
    }

    private func zip(_ files: [(String, [UInt8])]) throws -> [UInt8] {
        let path = stage.folder + "/\(UUID().uuidString).zip"
        let writer = try ZipWriter(path: path)
        for (name, bytes) in files { try writer.addFile(name, bytes, packs: true) }
        try writer.finish()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func aConcertGoesOutAndComesBackAsItWas() async throws {
        let bytes = try await export()
        #expect(try await export() == bytes)
        let response = try await stage.ask("/api/edit/zip", .post, as: "flo", body: bytes)
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        let brought = try JSONDecoder().decode(Brought.self, from: Data(buffer: response.body))
        #expect(brought.title == "Baton plays: a small concert" && brought.notes.isEmpty)
        #expect(brought.brought.hasPrefix("“Baton plays: a small concert”, 5 pieces, glossary of"))
        let copy = CatalogueConcert(try await stage.desk.catalogue.concertContent(of: brought.concert))
        let served = try #require(stage.desk.servedConcert).catalogueConcert
        #expect(stage.desk.servedConcert?.id == 1)
        #expect(copy.concert == served.concert && copy.preparedMessages == served.preparedMessages)
        let assets = { (document: CatalogueConcert) in
            Set(document.assets.map { "\($0.folder) \($0.name) \($0.digest)" })
        }
        #expect(assets(copy) == assets(served))
        // Its sound is found again by the names of the pieces.
        #expect(copy.pieceNodes.map(\.recordingsFolder) == served.pieceNodes.map(\.recordingsFolder))
        // The unpacked files are gone.
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.desk.assetStore.uploadFolder)
        #expect(left.allSatisfy { $0.hasPrefix("concert-") } && left.count == 2)
    }

    @Test func aZipGoesIntoAConcertAsOneEditThatIsUndone() async throws {
        let bytes = try await export()
        let old = try #require(stage.desk.servedConcert).catalogueConcert
        let piece = try stage.first(.piece)
        #expect(try await stage.edit(#"{"base":1,"changes":[{"remove":"\#(piece)"}]}"#).status == .ok)
        let path = "/api/edit/concerts/1/zip"
        #expect(try await stage.ask(path, .post, as: "flo", body: bytes).status == .ok)
        #expect(stage.desk.servedConcert?.catalogueConcert.concert.pieces.count == old.concert.pieces.count)
        #expect(
            try await stage.text("/api/edit/concerts/1/history", as: "ed").contains(
                "import of “Baton plays: a small concert”"))
        #expect(try await stage.ask("/api/edit/concerts/1/undo", .post, as: "flo", body: []).status == .ok)
        #expect(
            stage.desk.servedConcert?.catalogueConcert.concert.pieces.count == old.concert.pieces.count - 1)
    }

    @Test func aFolderPackedWithItselfIsTakenToo() async throws {
        let heading = Array(#"{"title":"Packed by hand","credits":[]}"#.utf8)
        let bytes = try zip([
            ("Evening/concert.json", heading), ("__MACOSX/Evening/._concert.json", [1]),
            ("Evening/.DS_Store", [1]),
        ])
        let response = try await stage.ask("/api/edit/zip", .post, as: "ed", body: bytes)
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        #expect(String(buffer: response.body).contains("Packed by hand"))
    }

    @Test func whatIsNoConcertIsRefusedInASentenceThatNamesNoPlaceOfTheServer() async throws {
        let xml = Array("<concert><piece>".utf8)
        for (bytes, word) in [
            (Array("no zip at all, no zip at all".utf8), "not a ZIP"), (try zip([]), "empty"),
            (try zip([("readme.txt", [65])]), "no content"),
            (try zip([("../../catalogue.sqlite", [1])]), "leads out"),
            (try zip([("POAx/data.xml", xml)]), "data.xml"),
            (
                try zip([
                    ("concert.json", Array(#"{"title":"x","credits":[]}"#.utf8)), ("images/a.png", [1, 2]),
                ]), "a.png"
            ),
        ] {
            for path in ["/api/edit/zip", "/api/edit/concerts/1/zip"] {
                let response = try await stage.ask(path, .post, as: "ed", body: bytes)
                let said = String(buffer: response.body)
                #expect(response.status == .unprocessableContent && said.contains(word), "\(said)")
                #expect(!said.contains(stage.folder), "\(said)")
            }
        }
        #expect(try await stage.ask("/api/edit/zip", .post, as: "ines", body: [1]).status == .forbidden)
        #expect(try await stage.ask("/api/edit/concerts/99/zip", as: "ed").status == .notFound)
        #expect(try await stage.desk.catalogue.concerts().count == 1)
        #expect(stage.desk.servedConcert?.catalogueConcert.contentTree.revision == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: stage.desk.assetStore.uploadFolder).isEmpty)
    }

    @Test func xmlIsNamedByWhatItHoldsNotByItsFile() async throws {
        let file = try Data(
            contentsOf: URL(
                fileURLWithPath: "\(ContentStage.recordings)/\(ContentStage.folders[1])/content/data.xml"))
        let response = try await stage.ask("/api/edit/concerts/1/import", .post, as: "ed", body: Array(file))
        #expect(
            String(buffer: response.body).contains(#""brought":"Petzold"#), "\(String(buffer: response.body))"
        )
        #expect(try await stage.text("/api/edit/concerts/1/history", as: "ed").contains("import of Petzold"))
    }
}
