import Foundation
import Repository
import Testing

@testable import Students

/// The concert of the repository can be practised: its bars, its sections, and its pages.
@Suite struct PracticePiecesTests {
    private static let minuet = "petzold-anna-magdalena-notebook-minuet-in-g"
    private let recordings = Repository.root.appending(path: "Recordings").path
    private let pieces: PracticePieces

    init() {
        pieces = PracticePieces(
            modelsFolder: Repository.root.appending(path: "Models").path, recordings: recordings)
    }

    @Test func aPageGetsTheFramesOfAPieceByTheirDigest() throws {
        let model = try pieces.read(Self.minuet, for: "a1")
        let digest = try #require(model.framesDigests.first).description
        #expect(throws: Never.self) { try pieces.frames(digest, of: Self.minuet, for: "a1") }
        for other in [String(repeating: "0", count: 64), "", "../model.json"] {
            #expect(throws: PracticePieces.Fault.missing) {
                try pieces.frames(other, of: Self.minuet, for: "a1")
            }
        }
        #expect(throws: PracticePieces.Fault.missing) { try pieces.read("../" + Self.minuet, for: "a1") }
    }

    @Test func aTabIsThereForItsOwnerOnly() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let folder = scratch.appending(path: Self.minuet)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"name":"Riff","draft":"p1","tabOwner":"a1"}"#.utf8).write(
            to: folder.appending(path: "piece.json"))
        let pieces = PracticePieces(
            modelsFolder: Repository.root.appending(path: "Models").path, recordings: scratch.path)
        let digest = try #require(pieces.read(Self.minuet, for: "a1").framesDigests.first).description
        #expect(throws: Never.self) { try pieces.frames(digest, of: Self.minuet, for: "a1") }
        #expect(throws: PracticePieces.Fault.missing) { try pieces.read(Self.minuet, for: "a2") }
        #expect(throws: PracticePieces.Fault.missing) {
            try pieces.frames(digest, of: Self.minuet, for: "a2")
        }
        #expect(pieces.summaries(for: "a1").contains { $0.folder == Self.minuet })
        #expect(!pieces.summaries(for: "a2").contains { $0.folder == Self.minuet })
        #expect(!pieces.summaries(for: "a2").isEmpty, "the pieces of the house")
    }

    @Test func eachBarHasItsPlaceOnThePages() throws {
        let model = try pieces.read(Self.minuet, for: "a1")
        let json = PracticePieceJSON(folder: Self.minuet, model: model, recordings: recordings)
        #expect(
            json.bars.count == 64 && json.sections.count == 4 && json.pages == 1 && json.frames.count == 1)
        #expect(json.places.count == 64 && json.places.allSatisfy { $0?.page == 0 })
        #expect(json.places[0] == json.places[16], "the repeat stands where the first time stands")
        let pages = PracticePages(piece: Self.minuet, recordings: recordings, bars: 64)
        #expect(pages?.page(0)?.svg.isEmpty == false && pages?.page(1) == nil)
        #expect(PracticePages(piece: Self.minuet, recordings: recordings, bars: 63) == nil)
    }
}
