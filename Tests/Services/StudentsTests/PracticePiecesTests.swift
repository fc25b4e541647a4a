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

    @Test func sessionsOfAPieceShareItsModel() throws {
        let one = try pieces.load(Self.minuet)
        let other = try pieces.load(Self.minuet)
        #expect(one === other)
        #expect(throws: PracticePieces.Fault.missing) { try pieces.load("../" + Self.minuet) }
    }

    @Test func eachBarHasItsPlaceOnThePages() throws {
        let model = try pieces.load(Self.minuet).programme.pieceModels[0]
        let json = PracticePieceJSON(folder: Self.minuet, model: model, recordings: recordings)
        #expect(json.bars.count == 64 && json.sections.count == 4 && json.pages == 1)
        #expect(json.places.count == 64 && json.places.allSatisfy { $0?.page == 0 })
        #expect(json.places[0] == json.places[16], "the repeat stands where the first time stands")
        let pages = PracticePages(piece: Self.minuet, recordings: recordings, bars: 64)
        #expect(pages?.page(0)?.svg.isEmpty == false && pages?.page(1) == nil)
        #expect(PracticePages(piece: Self.minuet, recordings: recordings, bars: 63) == nil)
    }
}
