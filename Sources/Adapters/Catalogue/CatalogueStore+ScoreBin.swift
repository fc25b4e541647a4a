import Foundation
import GRDB

/// Counts what goes with a score into the bin, and comes back with it.
public struct ScoreBelongings: Equatable, Sendable {
    /// Remarks of all layers.
    public var remarks: Int
    /// Users who wrote them.
    public var writers: Int
    /// Users to whom the score was given.
    public var readers: Int
}

/// A score in the bin.
public struct BinnedScore: Equatable, Sendable {
    public var score: StoredScore
    public var removedAt: Date
    public var belongings: ScoreBelongings
}

extension CatalogueStore {
    /// A removed score lies in the bin for so many days, with all rights to it and all that was written in it.
    public static let daysInBin = 30

    /// Counts what would go with a score.
    public func belongings(ofScore id: String) async throws(CatalogueError) -> ScoreBelongings {
        try await read { db in
            try Self.requireScoreExists(id, db)
            return try Self.belongings(ofScore: id, db)
        }
    }

    /// Puts a score into the bin, where nobody can open it, and empties the bin of what has lain there for too long.
    public func removeScore(_ id: String, at now: Date = .now) async throws(CatalogueError) {
        try await write { db in
            try Self.requireScoreExists(id, db)
            try db.execute(
                sql: "UPDATE score SET removedAt = ? WHERE id = ?",
                arguments: [now.millisecondsSince1970, id])
            try Self.emptyBin(now, db)
        }
    }

    /// Takes a score out of the bin. Whoever had it has it again, with all remarks.
    /// - Throws: ``CatalogueError/noSuchScore(_:)`` if it is not in the bin, or not any more.
    public func restoreScore(_ id: String, at now: Date = .now) async throws(CatalogueError) -> StoredScore {
        try await write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM score WHERE id = ? AND removedAt > ?",
                arguments: [id, Self.oldestInBin(now)])
            guard let row else { throw CatalogueError.noSuchScore(id) }
            try db.execute(sql: "UPDATE score SET removedAt = NULL WHERE id = ?", arguments: [id])
            return StoredScore(row: row)
        }
    }

    /// Returns the scores in the bin, the newest first.
    public func scoresInBin(at now: Date = .now) async throws(CatalogueError) -> [BinnedScore] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM score WHERE removedAt > ? ORDER BY removedAt DESC, rowid",
                arguments: [Self.oldestInBin(now)]
            ).map { row in
                BinnedScore(
                    score: StoredScore(row: row),
                    removedAt: Date(timeIntervalSince1970: Double(row["removedAt"] as Int64) / 1_000),
                    belongings: try Self.belongings(ofScore: row["id"], db))
            }
        }
    }

    /// True if a score lies in the bin and was given to an account; nil for an account that has all scores.
    public func isScoreInBin(
        _ id: String, of account: AccountID?, at now: Date = .now
    ) async throws(CatalogueError) -> Bool {
        try await read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM score WHERE id = ?1 AND removedAt > ?2
                        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM bundle WHERE score = ?1 AND account = ?3))
                    """, arguments: [id, Self.oldestInBin(now), account?.rawValue]) != nil
        }
    }

    /// Deletes for good what belongs to scores that have lain in the bin for too long. The rows of these scores stay,
    /// because rooms refer to them.
    public func emptyScoreBin(at now: Date = .now) async throws(CatalogueError) {
        try await write { db in try Self.emptyBin(now, db) }
    }

    private static func oldestInBin(_ now: Date) -> Int64 {
        now.millisecondsSince1970 - Int64(daysInBin) * 86_400_000
    }

    private static func emptyBin(_ now: Date, _ db: Database) throws {
        let done = try String.fetchAll(
            db, sql: "SELECT id FROM score WHERE removedAt <= ?", arguments: [oldestInBin(now)])
        for id in done {
            try db.execute(sql: "DELETE FROM bundle WHERE score = ?", arguments: [id])
            try RemarkTables.removeAll(ofScore: id, db)
        }
    }

    private static func belongings(ofScore id: String, _ db: Database) throws -> ScoreBelongings {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT COUNT(*) AS remarks, COUNT(DISTINCT author) AS writers,
                    (SELECT COUNT(*) FROM bundle WHERE score = ?1) AS readers
                FROM scoreRemark WHERE score = ?1 AND NOT isErased
                """, arguments: [id])
        return ScoreBelongings(
            remarks: row?["remarks"] ?? 0, writers: row?["writers"] ?? 0, readers: row?["readers"] ?? 0)
    }
}
