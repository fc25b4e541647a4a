import Catalogue
import Rehearsal
import Synchronization

@testable import Hosting
@testable import Stands

/// Scores and bundles in memory.
final class MemoryShelf: ScoreLookup {
    private struct Held {
        var scores: [Rehearsal.Score.ID: Rehearsal.Score] = [:]
        var given: [Rehearsal.User.ID: Set<Rehearsal.Score.ID>] = [:]
        var fault: CatalogueError?
        var beforeFinding: (@Sendable () async -> Void)?
    }

    private let held = Mutex(Held())

    init(_ scores: [Rehearsal.Score] = []) {
        held.withLock { held in for score in scores { held.scores[score.id] = score } }
    }

    func put(_ score: Rehearsal.Score) { held.withLock { $0.scores[score.id] = score } }

    func remove(_ score: Rehearsal.Score.ID) { held.withLock { $0.scores[score] = nil } }

    func give(_ score: Rehearsal.Score.ID, to user: Rehearsal.User.ID) {
        held.withLock { _ = $0.given[user, default: []].insert(score) }
    }

    func takeBack(_ score: Rehearsal.Score.ID, from user: Rehearsal.User.ID) {
        held.withLock { _ = $0.given[user]?.remove(score) }
    }

    /// Every look-up fails, until nil is set.
    func fail(_ fault: CatalogueError?) { held.withLock { $0.fault = fault } }

    func findScore(_ id: Rehearsal.Score.ID) async -> Rehearsal.Score? {
        let act = held.withLock { held in
            defer { held.beforeFinding = nil }
            return held.beforeFinding
        }
        await act?()
        return held.withLock { $0.scores[id] }
    }

    /// Does something before the next score is found, while whoever looks for it waits.
    func beforeFinding(_ act: @escaping @Sendable () async -> Void) {
        held.withLock { $0.beforeFinding = act }
    }

    func isScoreGranted(
        _ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID
    ) async throws(CatalogueError) -> Bool {
        let (fault, holds) = held.withLock { ($0.fault, $0.given[user]?.contains(score) ?? false) }
        if let fault { throw fault }
        return holds
    }

    func listGrantedScores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal.Score] {
        if let fault = held.withLock({ $0.fault }) { throw fault }
        return held.withLock { held in
            held.scores.values.filter { user.map { held.given[$0] ?? [] }?.contains($0.id) ?? true }
                .sorted { $0.id < $1.id }
        }
    }
}
