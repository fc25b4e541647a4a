import Foundation
import GRDB

extension CatalogueStore {
    /// Returns all scores that were not removed, oldest first.
    public func scores() async throws(CatalogueError) -> [StoredScore] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM score WHERE removedAt IS NULL ORDER BY createdAt, rowid"
            ).map(StoredScore.init(row:))
        }
    }

    /// Returns the folders of those shipped scores that were imported once. Such a score is not imported again, even
    /// if it was removed since then.
    public func importedScoreFolders() async throws(CatalogueError) -> Set<String> {
        try await read { db in
            try String.fetchSet(db, sql: "SELECT origin FROM score WHERE origin IS NOT NULL")
        }
    }

    /// Adds a score to the catalogue.
    /// - Parameter finished: the id of the import that made the score; the import is deleted in the same transaction.
    /// - Throws: also if a score of this id or origin exists.
    public func addScore(
        _ score: StoredScore, finishing finished: String? = nil, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in
            try Self.deleteFinishedImport(finished, db)
            try db.execute(
                sql: """
                    INSERT INTO score (id, content, sources, revision, origin, createdAt, changedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    score.id, score.contentJSON, score.sourcesJSON, score.revision, score.shippedFolder,
                    now.millisecondsSince1970,
                    now.millisecondsSince1970,
                ])
        }
    }

    /// Writes the next revision of a score.
    /// - Parameter finished: the id of the import that made the new part; the import is deleted in the same
    ///   transaction.
    /// - Throws: ``CatalogueError/scoreChanged(_:)`` if somebody else wrote this revision first.
    public func changeScore(
        _ score: StoredScore, finishing finished: String? = nil, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in
            try Self.requireScoreExists(score.id, db)
            try Self.deleteFinishedImport(finished, db)
            try db.execute(
                sql: """
                    UPDATE score SET content = ?, sources = ?, revision = ?, changedAt = ?
                    WHERE id = ? AND revision = ?
                    """,
                arguments: [
                    score.contentJSON, score.sourcesJSON, score.revision, now.millisecondsSince1970, score.id,
                    score.revision - 1,
                ])
            guard db.changesCount == 1 else { throw CatalogueError.scoreChanged(score.id) }
        }
    }

    // MARK: Imports

    /// Returns the score imports that have not finished, oldest first.
    public func scoreImports() async throws(CatalogueError) -> [StoredScoreImport] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM scoreImport ORDER BY rowid").map {
                StoredScoreImport(
                    id: $0["id"], scoreID: $0["score"], partName: $0["part"], detailsJSON: $0["heading"],
                    assetDigest: $0["digest"], attempts: $0["tries"])
            }
        }
    }

    public func addImport(_ one: StoredScoreImport, at now: Date = .now) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO scoreImport (id, score, part, heading, digest, tries, createdAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    one.id, one.scoreID, one.partName, one.detailsJSON, one.assetDigest, one.attempts,
                    now.millisecondsSince1970,
                ])
        }
    }

    /// Counts one more attempt at a score import.
    public func countImportAttempt(_ id: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(sql: "UPDATE scoreImport SET tries = tries + 1 WHERE id = ?", arguments: [id])
        }
    }

    /// Deletes a score import. Deleting an import that no longer exists is no error.
    public func deleteImport(_ id: String) async throws(CatalogueError) {
        try await write { db in try Self.deleteFinishedImport(id, db) }
    }

    private static func deleteFinishedImport(_ id: String?, _ db: Database) throws {
        guard let id else { return }
        try db.execute(sql: "DELETE FROM scoreImport WHERE id = ?", arguments: [id])
    }

    // MARK: Rights to scores

    /// Returns the accounts that have the right to a score that is not in the bin. The table of these rights is called
    /// `bundle`.
    /// - Parameter score: nil for all scores.
    public func scoreGrants(of score: String? = nil) async throws(CatalogueError) -> [StoredScoreGrant] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT bundle.id, bundle.account, account.name, bundle.score FROM bundle
                    JOIN account ON account.id = bundle.account
                    JOIN score ON score.id = bundle.score AND score.removedAt IS NULL
                    WHERE ? IS NULL OR bundle.score = ?
                    ORDER BY account.nameKey
                    """, arguments: [score, score]
            ).map {
                StoredScoreGrant(
                    id: $0["id"], accountID: AccountID(rawValue: $0["account"]), accountName: $0["name"],
                    scoreID: $0["score"])
            }
        }
    }

    /// Gives an account the right to use a score. Repeating the call changes nothing.
    /// - Parameter id: the id of the right if a new one is made.
    /// - Returns: the id of the existing or new right.
    public func grantScore(
        _ score: String, to account: AccountID, bundle id: String, at now: Date = .now
    ) async throws(CatalogueError) -> String {
        try await write { db in
            try Self.requireScoreExists(score, db)
            _ = try Self.account(account, db)
            try db.execute(
                sql: "INSERT OR IGNORE INTO bundle (id, account, score, createdAt) VALUES (?, ?, ?, ?)",
                arguments: [id, account.rawValue, score, now.millisecondsSince1970])
            let found = try String.fetchOne(
                db, sql: "SELECT id FROM bundle WHERE account = ? AND score = ?",
                arguments: [account.rawValue, score])
            return found ?? id
        }
    }

    /// Withdraws an account's right to a score, and with it the lead of a section. Withdrawing a right that no longer
    /// exists is no error.
    public func revokeScoreGrant(_ id: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM sectionLeader WHERE EXISTS (SELECT 1 FROM bundle WHERE bundle.id = ?
                        AND bundle.account = sectionLeader.account AND bundle.score = sectionLeader.score)
                    """, arguments: [id])
            try db.execute(sql: "DELETE FROM bundle WHERE id = ?", arguments: [id])
        }
    }

    /// True if the account has the right to use this score, and it is not in the bin.
    public func hasScoreGrant(_ account: AccountID, score: String) async throws(CatalogueError) -> Bool {
        try await read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM bundle JOIN score ON score.id = bundle.score AND removedAt IS NULL
                    WHERE account = ? AND score = ?
                    """, arguments: [account.rawValue, score]) != nil
        }
    }

    /// Returns the ids of the scores that an account has the right to use.
    public func scores(givenTo account: AccountID) async throws(CatalogueError) -> Set<String> {
        try await read { db in
            try String.fetchSet(
                db,
                sql: """
                    SELECT score FROM bundle JOIN score ON score.id = bundle.score AND removedAt IS NULL
                    WHERE account = ?
                    """, arguments: [account.rawValue])
        }
    }

    static func requireScoreExists(_ id: String, _ db: Database) throws {
        let found = try Int.fetchOne(
            db, sql: "SELECT 1 FROM score WHERE id = ? AND removedAt IS NULL", arguments: [id])
        guard found != nil else { throw CatalogueError.noSuchScore(id) }
    }
}

extension StoredScore {
    init(row: Row) {
        self.init(
            id: row["id"], contentJSON: row["content"], sourcesJSON: row["sources"],
            revision: row["revision"],
            shippedFolder: row["origin"])
    }
}
