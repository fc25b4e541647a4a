import Concert
import Foundation
import Testing

@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers

@Suite(.ownThreads) struct ContentPicturesTests {
    private func asset(_ name: String, type: String = "image/png", place: ContentAsset.Folder = .AppAssets)
        throws
        -> ContentAsset
    {
        ContentAsset(
            place: place, name: try AssetName(name), digest: String(repeating: "ab", count: 32), type: type,
            byteCount: 1)
    }

    @Test func picturesAreKnownByTheirNamesWhateverTheirEnding() throws {
        let pictures = AppImageAssets([
            try asset("Splash.PNG"), try asset("help.svg", type: "image/svg+xml"),
            try asset("info.jpg", type: "image/jpeg"),
        ])
        #expect(pictures.splashImage?.name.text == "Splash.PNG")
        #expect(pictures.helpImage?.name.text == "help.svg")
        #expect(pictures.infoImage?.name.text == "info.jpg")
    }

    @Test func picturesOfSlidesAndTextsAreNone() throws {
        let pictures = AppImageAssets([
            try asset("splash.png", place: .images), try asset("help.txt", type: "text/plain; charset=utf-8"),
            try asset("information.png"),
        ])
        #expect(pictures.splashImage == nil && pictures.helpImage == nil && pictures.infoImage == nil)
    }

    @Test func ofSeveralTheFirstByNameIsTaken() throws {
        #expect(
            AppImageAssets([try asset("info.svg"), try asset("info.png")]).infoImage?.name.text == "info.png")
    }

    @Test func anAddressTellsItsVersion() throws {
        #expect(try asset("info.png").address() == "/images/AppAssets/info.png?v=abababab")
        #expect(try asset("a.png", place: .images).address() == "/images/a.png?v=abababab")
    }

    // MARK: On the server

    private struct Heading: Decodable {
        var programNotes: String?
        var pictures: [String: String]
    }

    private func heading(_ stage: ContentStage) async throws -> Heading {
        try JSONDecoder().decode(Heading.self, from: Data(try await stage.text("/api/audience/concert").utf8))
    }

    @Test func theOwnConcertsPicturesAreNamedAndServed() async throws {
        let stage = try await ContentStage()
        let heading = try await heading(stage)
        #expect(Set(heading.pictures.keys) == ["splash", "help", "info"])
        for address in Array(heading.pictures.values) + [try #require(heading.programNotes)] {
            let answer = try await stage.ask(address)
            #expect(answer.status == .ok && answer.body.readableBytes > 100, "\(address)")
        }
        #expect(try await stage.ask("/images/AppAssets/splash.svg").headers[.contentType] == "image/svg+xml")
    }

    @Test func anotherPictureOfTheSameNameHasAnotherAddress() async throws {
        let stage = try await ContentStage()
        let before = try await heading(stage).pictures["info"]
        let drawing = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
        let put = try await stage.ask(
            "/api/edit/concerts/1/assets/AppAssets/info.svg", .put, as: "ed", body: drawing)
        #expect(put.status == .ok)
        let after = try #require(try await heading(stage).pictures["info"])
        #expect(before != nil && after != before)
        #expect(Array(buffer: try await stage.ask(after).body) == drawing)
    }

    // MARK: What pictures say about their maker

    private static let place = "48.2082 N 16.3738 E"

    /// A PNG of 9 × 9 pixels, with or without a text that says where it was made.
    private func png(saysPlace: Bool) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 0, 0, 0, 0])
        if saysPlace { file += chunk("tEXt", Array(Self.place.utf8)) }
        file += chunk("IDAT", [7])
        file += chunk("IEND", [])
        return file
    }

    private func upload(_ stage: ContentStage, _ name: String, _ bytes: [UInt8]) async throws -> String {
        let answer = try await stage.ask(
            "/api/edit/concerts/1/assets/images/\(name)", .put, as: "ed", body: bytes)
        return answer.status == .ok ? "" : String(buffer: answer.body)
    }

    @Test func anUploadedPictureLosesItsPlaceAndSoDoesOneInADrawing() async throws {
        let stage = try await ContentStage()
        #expect(try await upload(stage, "hall.png", png(saysPlace: true)) == "")
        #expect(Array(buffer: try await stage.ask("/images/hall.png").body) == png(saysPlace: false))
        let drawing = { (saysPlace: Bool) in
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"data:image/png;base64,"
                + Data(png(saysPlace: saysPlace)).base64EncodedString() + "\"/></svg>"
        }
        #expect(try await upload(stage, "hall.svg", Array(drawing(true).utf8)) == "")
        #expect(try await stage.text("/images/hall.svg") == drawing(false))
    }

    /// A PDF whose metadata say where it was made.
    private func pdf(_ place: String = Self.place) -> [UInt8] {
        let packet = "<?xpacket begin=''?><x:xmpmeta>\(place)</x:xmpmeta><?xpacket end='r'?>"
        return Array(
            """
            %PDF-1.4
            1 0 obj
            << /Type /Metadata /Subtype /XML /Length \(packet.utf8.count) >>
            stream
            \(packet)
            endstream
            endobj
            trailer
            << /Root 2 0 R >>
            startxref
            0
            %%EOF
            """.utf8)
    }

    @Test func aPublishedPDFDoesNotSayWhereItsPhotographsWereTaken() async throws {
        let stage = try await ContentStage()
        let address = "/api/edit/concerts/1/assets/AppAssets/ProgramNotes.pdf"
        #expect(try await stage.ask(address, .put, as: "ed", body: pdf()).status == .ok)
        let served = Array(buffer: try await stage.ask("/images/AppAssets/ProgramNotes.pdf").body)
        #expect(served.count == pdf().count && !String(decoding: served, as: UTF8.self).contains(Self.place))
        let locked = pdf().map { $0 } + Array("\ntrailer\n<< /Encrypt 3 0 R >>\nstartxref\n0\n%%EOF".utf8)
        let refused = try await stage.ask(address, .put, as: "ed", body: locked)
        #expect(refused.status == .unprocessableContent)
        #expect(String(buffer: refused.body).contains("without protection"))
    }

    @Test func anExportOfAnOlderVersionIsPublishedWithoutThePlacesInIt() async throws {
        let stage = try await ContentStage()
        let old = stage.folder + "/old"
        for (name, bytes) in [
            ("concert.json", Array(#"{"title":"Old","credits":[]}"#.utf8)),
            ("images/hall.png", png(saysPlace: true)), ("AppAssets/ProgramNotes.pdf", pdf()),
        ] {
            let file = URL(fileURLWithPath: "\(old)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        let stored = try await ContentFiles(path: old).storeAssets(in: stage.desk)
        #expect(Set(stored.map(\.name.text)) == ["hall.png", "ProgramNotes.pdf"])
        for asset in stored {
            let bytes = try #require(stage.desk.assetStore.bytes(of: asset.digest))
            #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.place), "\(asset.name)")
        }
    }

    @Test func aPictureThatAnOlderVersionStoredIsServedWithoutItsPlace() async throws {
        let stage = try await ContentStage()
        let bytes = png(saysPlace: true)
        let asset = try stage.desk.storeAsset(bytes, as: try AssetName("old.png"), in: .images, .png)
        _ = try await stage.desk.edit(
            1,
            ConcertEdit(
                baseRevision: nil,
                changes: [.insertNode(.random(), .asset, in: .root, before: nil, fields: asset.nodeFields)],
                author: "x", label: "old"))
        #expect(Array(buffer: try await stage.ask("/images/old.png").body) == png(saysPlace: false))
    }

    @Test func anOriginalIsForEditorsAlone() async throws {
        let stage = try await ContentStage()
        let address = "/api/edit/concerts/1/assets/originals/hall.png"
        let put = try await stage.ask(address, .put, as: "ed", body: png(saysPlace: true))
        #expect(put.status == .ok)
        #expect(Array(buffer: try await stage.ask(address, as: "ed").body) == png(saysPlace: true))
        for open in ["/images/hall.png", "/images/originals/hall.png", "/images/AppAssets/hall.png"] {
            #expect(try await stage.ask(open).status == .notFound, "\(open)")
        }
        #expect(try await stage.ask(address).status == .unauthorized)
        let published = try #require(stage.desk.servedConcert).catalogueConcert.assets
        #expect(!published.contains { $0.folder == .originals })
    }

    @Test func whatIsNoPictureOrCutShortIsRefusedInASentence() async throws {
        let stage = try await ContentStage()
        let heic: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 200)
        let whole = png(saysPlace: false)
        let files = [
            ("a.heic", heic), ("b.png", Array(whole.dropLast(3))), ("c.png", Array(whole[..<30])),
        ]
        for (name, bytes) in files {
            let sentence = try await upload(stage, name, bytes)
            #expect(sentence.contains("“\(name)”") && sentence.contains("."), "\(name): \(sentence)")
        }
    }
}
