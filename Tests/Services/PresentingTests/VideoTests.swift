import Basics
import Floor
import Foundation
import Hosting
import Pictures
import Testing

@testable import Presenting
@testable import TestHelpers

/// Videos: what is taken, and how much room they have.
@Suite struct VideoTests {
    private func head(_ first: [UInt8], _ word: String) -> [UInt8] {
        first + Array(word.utf8) + Array(repeating: 7, count: 40)
    }

    @Test func theFormatIsToldFromTheFirstBytes() {
        #expect(VideoFormat(head: head([0, 0, 0, 32], "ftypisom")) == .mp4)
        #expect(VideoFormat(head: head([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84], "webm")) == .webm)
        #expect(VideoFormat(head: head([], "OggS")) == .ogg)
    }

    @Test func whatBrowsersDoNotPlayIsRefused() {
        #expect(VideoFormat(head: []) == nil)
        #expect(VideoFormat(head: head([0, 0, 0, 32], "ftypqt  ")) == nil)
        #expect(VideoFormat(head: head([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88], "matroska")) == nil)
        #expect(VideoFormat(head: head([], "RIFF....AVI ")) == nil)
        #expect(VideoFormat(head: head([], "%PDF-1.7")) == nil)
    }

    @Test func aCutHeadIsNeverTakenForAnotherFormat() {
        let whole = head([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84], "webm")
        for count in 0..<12 { #expect(VideoFormat(head: Array(whole.prefix(count))) == nil) }
        #expect(VideoFormat(head: Array(whole.prefix(12))) == .webm)
    }

    @Test func onePresenterCannotTakeTheRoomOfAll() async throws {
        let folder = try ServeFolder()
        let slides = SlideStore(
            data: folder.path, limitBytes: 1_000, videoRoom: .init(ofAll: 3_200, ofEach: 2_000),
            shown: ShownDocuments())
        let first = try await slides.beginVideo(byteCount: 1_990, beside: [], known: { [] })
        await #expect(throws: ExplainedError.self) {
            _ = try await slides.beginVideo(byteCount: 11, beside: [first.id], known: { [] })
        }
        _ = try await slides.beginVideo(byteCount: 11, beside: [], known: { [] })
        // All together leave room for slides.
        await #expect(throws: ExplainedError.self) {
            _ = try await slides.beginVideo(byteCount: 1_200, beside: [], known: { [] })
        }
        _ = try await slides.beginFile(byteCount: 100_000, known: { [] })
    }

    @Test func aPDFMakesRoomFirstAndKeepsTheFloorsVideos() async throws {
        let folder = try ServeFolder()
        let shown = ShownDocuments()
        shown.complete(with: [])
        let slides = SlideStore(data: folder.path, limitBytes: 1_000, shown: shown)
        try FileManager.default.createDirectory(at: slides.folder, withIntermediateDirectories: true)
        for name in ["old.video", "present.video"] {
            try Data("x".utf8).write(to: slides.folder.appendingPathComponent(name))
        }
        let video = FloorDocument(
            id: "present", owner: FloorPresenter.ID(rawValue: 1), name: "", kind: .video, pages: 0)
        _ = try await slides.beginFile(byteCount: 10, known: { [video] })
        let left = try FileManager.default.contentsOfDirectory(atPath: slides.folder.path)
        #expect(left.filter { $0.hasSuffix(".video") } == ["present.video"])
    }

    @Test func theFrameOfAShownVideoOutlivesTheVideo() async throws {
        let folder = try ServeFolder()
        let shown = ShownDocuments()
        shown.complete(with: ["shown"])
        let slides = SlideStore(data: folder.path, limitBytes: 1_000, shown: shown)
        try FileManager.default.createDirectory(at: slides.folder, withIntermediateDirectories: true)
        for name in ["shown.video", "shown.size", "shown.jpg", "unseen.video", "unseen.jpg"] {
            try Data("x".utf8).write(to: slides.folder.appendingPathComponent(name))
        }
        await slides.deleteForgotten(known: { [] })
        let left = try FileManager.default.contentsOfDirectory(atPath: slides.folder.path)
        #expect(left.filter { $0.contains(".") } == ["shown.jpg"])
    }

    @Test func aFileThatOnlyBeginsLikeAVideoHasNoFrame() async throws {
        let folder = try ServeFolder()
        let slides = SlideStore(data: folder.path, limitBytes: 1_000, shown: ShownDocuments())
        try FileManager.default.createDirectory(at: slides.folder, withIntermediateDirectories: true)
        let bytes = Data(head([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84], "webm"))
        try bytes.write(to: slides.folder.appendingPathComponent("v.video"))
        #expect(await slides.frame(ofVideo: "v") == nil)
        #expect(await slides.frame(ofVideo: "nothing") == nil)
    }
}
