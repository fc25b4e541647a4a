import Diary
import Foundation
import GRDB

/// Works: the one identity that models, slides, scores and the diary share.
extension DiaryStore {
    /// Returns a work by its id; nil if there is none. A merged work is returned itself, with `mergedInto`.
    public func work(_ id: String) async throws(CatalogueError) -> MusicalWork? {
        try await read { db in
            try Data.fetchOne(db, sql: "SELECT document FROM work WHERE id = ?", arguments: [id])
                .map { try Self.decode(MusicalWork.self, $0) }
        }
    }

    /// Returns all works, without those that were merged into another.
    public func works() async throws(CatalogueError) -> [MusicalWork] {
        try await read { db in
            try Data.fetchAll(db, sql: "SELECT document FROM work WHERE identity = number ORDER BY id")
                .map { try Self.decode(MusicalWork.self, $0) }
        }
    }

    /// Returns the works whose titles fit, best known first (by the number of their items).
    public func works(
        titled text: String, composer: String? = nil, limit: Int = 50
    ) async throws(CatalogueError) -> [(work: MusicalWork, performances: Int)] {
        try await read { db in
            let search = DiaryNameSearch(db)
            let identities = try search.workIdentities(text)
            let composers = try composer.map { try search.names($0, .composer) }
            guard !identities.isEmpty, composers?.isEmpty != true else { return [] }
            let ofComposer = composers.map {
                "AND item IN (SELECT item FROM mark WHERE role = \(DiaryTables.Role.composer.rawValue) "
                    + "AND reference IN (\(DiaryNameSearch.list($0))))"
            }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT whole.document, count(*) AS performances
                    FROM work JOIN mark ON role = \(DiaryTables.Role.work.rawValue) AND reference = work.number
                    JOIN work AS whole ON whole.number = work.identity
                    WHERE work.identity IN (\(DiaryNameSearch.list(identities))) \(ofComposer ?? "")
                    GROUP BY work.identity ORDER BY performances DESC, whole.id LIMIT ?
                    """, arguments: [limit]
            ).map { (try Self.decode(MusicalWork.self, $0["document"]), $0["performances"]) }
        }
    }

    /// Adds a work, or replaces the one with its id.
    public func save(_ work: MusicalWork) async throws(CatalogueError) {
        try await write { db in _ = try DiaryWriter(db).save(work) }
    }

    /// Notes that works are one: they are found together from now on. No entry changes, so it can be undone.
    /// - Throws: ``CatalogueError/diaryRefused(_:)`` for an unknown work, or one that is merged already.
    public func mergeWorks(_ others: [String], into id: String) async throws(CatalogueError) {
        try await write { db in
            let writer = DiaryWriter(db)
            for other in others { try writer.merge(other, into: id) }
        }
    }

    /// Makes a merged work one of its own again.
    public func unmergeWork(_ id: String) async throws(CatalogueError) {
        try await write { db in try DiaryWriter(db).unmerge(id) }
    }
}
