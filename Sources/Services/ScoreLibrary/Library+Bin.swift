import Catalogue
import Foundation
import Hosting
import Rehearsal
import WebServer

/// Counts of what goes with a score into the bin, as librarians see them.
struct ScoreBelongingsAnswer: Encodable {
    var remarks: Int
    var writers: Int
    var readers: Int
    /// For so many days it can be restored.
    var days = CatalogueStore.daysInBin

    init(_ belongings: ScoreBelongings) {
        (remarks, writers, readers) = (belongings.remarks, belongings.writers, belongings.readers)
    }
}

/// A score in the bin, as librarians see it.
struct BinnedScoreAnswer: Encodable {
    var score: Rehearsal.Score.ID
    var title: String
    var composer: String
    /// Milliseconds since 1970.
    var removedAt: Int64
    var remarks: Int
    var writers: Int
    var readers: Int
}

extension Library {
    /// Puts a score into the bin: nobody finds or opens it, and everything that belongs to it is kept.
    package func removeScore(_ id: Rehearsal.Score.ID) async throws {
        _ = try entry(id)
        try await catalogue.removeScore(id.description)
        forgetEntry(id)
    }

    /// Takes a score out of the bin, for everybody who had it.
    func restoreScore(_ id: Rehearsal.Score.ID) async throws {
        let stored = try await catalogue.restoreScore(id.description)
        guard let entry = LibraryEntry(stored, folder: assetStore.folder) else {
            throw LibraryRefusal.noSuchScore
        }
        recallEntry(entry)
    }

    /// The scores in the bin, the newest first; without those that another version wrote.
    func scoresInBin() async throws -> [BinnedScoreAnswer] {
        try await catalogue.scoresInBin().compactMap { binned in
            guard let entry = LibraryEntry(binned.score, folder: assetStore.folder) else { return nil }
            let belongings = binned.belongings
            return BinnedScoreAnswer(
                score: entry.score.id, title: entry.score.title, composer: entry.score.composer,
                removedAt: Int64((binned.removedAt.timeIntervalSince1970 * 1_000).rounded()),
                remarks: belongings.remarks, writers: belongings.writers, readers: belongings.readers)
        }
    }

    /// The score that a user asks for.
    /// - Throws: a refusal; whoever had a score that lies in the bin is told so.
    func openEntry(_ id: Rehearsal.Score.ID, for person: WebPerson?) async throws -> LibraryEntry {
        guard let person else { throw LibraryRefusal.noSuchScore }
        if try await maySee(id, to: person), let entry = try? entry(id) { return entry }
        let isLibrarian = person.role == .editor || person.role == .administrator
        let account = isLibrarian ? nil : AccountID(rawValue: person.id)
        throw try await catalogue.isScoreInBin(id.description, of: account)
            ? LibraryRefusal.scoreInBin : LibraryRefusal.noSuchScore
    }
}

extension LibraryRoutes {
    /// The routes of the bin.
    var binRoutes: [WebRoute] {
        [
            makeGetRoute("/api/library/scores/:score/belongings") { library, request in
                let id = try Self.parseScoreID(request)
                return .json(
                    ScoreBelongingsAnswer(try await library.catalogue.belongings(ofScore: id.description)))
            },
            makeGetRoute("/api/library/bin") { library, _ in .json(try await library.scoresInBin()) },
            makeChangeRoute(.post, "/api/library/bin/:score/restore") { library, request in
                try await library.restoreScore(try Self.parseScoreID(request))
                return .succeeded
            },
        ]
    }
}
