import Rehearsal
import Synchronization

@testable import baton

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

    func put(_ score: Rehearsal.Score) { held.withLock { $0.scores[score.id] = score } }

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
