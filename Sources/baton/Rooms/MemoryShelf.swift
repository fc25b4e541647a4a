import Podium
import Rehearsal
import Synchronization

/// Scores and bundles in memory.
final class MemoryShelf: ScoreShelf {
    private struct Held {
        var scores: [Rehearsal.Score.ID: Rehearsal.Score] = [:]
        var given: [Rehearsal.User.ID: Set<Rehearsal.Score.ID>] = [:]
    }

    private let held = Mutex(Held())

    init(_ scores: [Rehearsal.Score] = []) {
        held.withLock { held in for score in scores { held.scores[score.id] = score } }
    }

    func give(_ score: Rehearsal.Score.ID, to user: Rehearsal.User.ID) {
        held.withLock { _ = $0.given[user, default: []].insert(score) }
    }

    func takeBack(_ score: Rehearsal.Score.ID, from user: Rehearsal.User.ID) {
        held.withLock { _ = $0.given[user]?.remove(score) }
    }

    func score(_ id: Rehearsal.Score.ID) async -> Rehearsal.Score? { held.withLock { $0.scores[id] } }

    func holds(_ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID) async -> Bool {
        held.withLock { $0.given[user]?.contains(score) ?? false }
    }

    func scores(of user: Rehearsal.User.ID?) async -> [Rehearsal.Score] {
        held.withLock { held in
            held.scores.values.filter { user.map { held.given[$0] ?? [] }?.contains($0.id) ?? true }
                .sorted { $0.id < $1.id }
        }
    }
}

extension MemoryShelf {
    /// Measures on a page of a score that nobody has engraved.
    private static let measuresOnPage = 16

    /// A score of blank pages for each piece of a programme: enough to meet in a room and to turn by the music.
    convenience init(_ course: ShowCourse) {
        self.init(course.pieces.compactMap(Self.blank))
    }

    private static func blank(_ piece: ShowPiece) -> Rehearsal.Score? {
        let printed = Set(piece.measures.marks.map(\.printed)).sorted()
        let pages = stride(from: 0, to: printed.count, by: measuresOnPage).map {
            printed[$0..<min($0 + measuresOnPage, printed.count)]
        }
        let places = pages.enumerated().flatMap { page, numbers in
            numbers.map { MeasurePlace(page: page, first: $0, last: $0) }
        }
        return try? Rehearsal.Score(
            id: stableID(piece.folder), title: piece.name.text,
            movements: [Movement(name: "", piece: piece.folder)],
            parts: [
                Part(
                    name: "Full score",
                    pages: Array(repeating: Page(width: 595, height: 842), count: pages.count), places: places
                )
            ])
    }

    /// The same for the same name, on every machine: FNV-1a of it, twice, as a UUID of version 8.
    private static func stableID(_ name: String) -> Rehearsal.Score.ID {
        func hash(_ seed: UInt64) -> UInt64 {
            name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return Rehearsal.Score.ID(
            high: hash(0xCBF2_9CE4_8422_2325) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: hash(0x8422_2325_CBF2_9CE4) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
