import Concert
import Foundation
import Testing

@testable import Content
@testable import ContentStages
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
}
