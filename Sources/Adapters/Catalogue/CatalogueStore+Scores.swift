import Foundation
import GRDB

extension CatalogueStore {
    /// All scores that were not removed, oldest first.
    public func scores() async throws(CatalogueError) -> [StoredScore] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM score WHERE removedAt IS NULL ORDER BY createdAt, rowid"
            ).map(StoredScore.init(row:))
        }
    }

    /// Folders whose shipped scores were taken in once; one that was removed since does not come back.
    public func scoreOrigins() async throws(CatalogueError) -> Set<String> {
        try await read { db in
            try String.fetchSet(db, sql: "SELECT origin FROM score WHERE origin IS NOT NULL")
        }
    }

    /// - Parameter finished: the import it came by, struck off with it.
    /// - Throws: also where there is a score of this id or origin.
    public func addScore(
        _ score: StoredScore, finishing finished: String? = nil, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in
            try Self.strikeOff(finished, db)
            try db.execute(
                sql: """
                    INSERT INTO score (id, content, sources, revision, origin, createdAt, changedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    score.id, score.content, score.sources, score.revision, score.origin, now.milliseconds,
                    now.milliseconds,
                ])
        }
    }

    /// Writes a score that was read at the revision before its own.
    /// - Parameter finished: the import its last part came by, struck off with it.
    /// - Throws: ``CatalogueError/scoreChanged(_:)`` where somebody else was quicker.
    public func changeScore(
        _ score: StoredScore, finishing finished: String? = nil, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in
            try Self.requireScore(score.id, db)
            try Self.strikeOff(finished, db)
            try db.execute(
                sql: """
                    UPDATE score SET content = ?, sources = ?, revision = ?, changedAt = ?
                    WHERE id = ? AND revision = ?
                    """,
                arguments: [
                    score.content, score.sources, score.revision, now.milliseconds, score.id,
                    score.revision - 1,
                ])
            guard db.changesCount == 1 else { throw CatalogueError.scoreChanged(score.id) }
        }
    }

    /// Takes a score off the lists, with everybody's right to it. Its row stays: rooms speak of it.
    public func removeScore(_ id: String, at now: Date = .now) async throws(CatalogueError) {
        try await write { db in
            try Self.requireScore(id, db)
            try db.execute(
                sql: "UPDATE score SET removedAt = ? WHERE id = ?", arguments: [now.milliseconds, id])
            try db.execute(sql: "DELETE FROM bundle WHERE score = ?", arguments: [id])
        }
    }

    // MARK: Imports

    /// Imports that are not over, oldest first.
    public func scoreImports() async throws(CatalogueError) -> [StoredImport] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM scoreImport ORDER BY rowid").map {
                StoredImport(
                    id: $0["id"], score: $0["score"], part: $0["part"], heading: $0["heading"],
                    digest: $0["digest"], tries: $0["tries"])
            }
        }
    }

    public func addImport(_ one: StoredImport, at now: Date = .now) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO scoreImport (id, score, part, heading, digest, tries, createdAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    one.id, one.score, one.part, one.heading, one.digest, one.tries, now.milliseconds,
                ])
        }
    }

    /// Notes that an import is tried once more.
    public func tryImport(_ id: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(sql: "UPDATE scoreImport SET tries = tries + 1 WHERE id = ?", arguments: [id])
        }
    }

    /// Strikes an import off; one that is gone already is no fault.
    public func endImport(_ id: String) async throws(CatalogueError) {
        try await write { db in try Self.strikeOff(id, db) }
    }

    private static func strikeOff(_ id: String?, _ db: Database) throws {
        guard let id else { return }
        try db.execute(sql: "DELETE FROM scoreImport WHERE id = ?", arguments: [id])
    }

    // MARK: Bundles

    /// - Parameter score: nil for all scores.
    public func bundles(of score: String? = nil) async throws(CatalogueError) -> [StoredBundle] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT bundle.id, bundle.account, account.name, bundle.score FROM bundle
                    JOIN account ON account.id = bundle.account
                    WHERE ? IS NULL OR bundle.score = ?
                    ORDER BY account.nameKey
                    """, arguments: [score, score]
            ).map {
                StoredBundle(
                    id: $0["id"], account: AccountID(rawValue: $0["account"]), accountName: $0["name"],
                    score: $0["score"])
            }
        }
    }

    /// Gives a score to somebody. Giving it once more changes nothing.
    /// - Parameter id: of a bundle that is new.
    /// - Returns: the id of the bundle there is then.
    public func giveScore(
        _ score: String, to account: AccountID, bundle id: String, at now: Date = .now
    ) async throws(CatalogueError) -> String {
        try await write { db in
            try Self.requireScore(score, db)
            _ = try Self.account(account, db)
            try db.execute(
                sql: "INSERT OR IGNORE INTO bundle (id, account, score, createdAt) VALUES (?, ?, ?, ?)",
                arguments: [id, account.rawValue, score, now.milliseconds])
            let found = try String.fetchOne(
                db, sql: "SELECT id FROM bundle WHERE account = ? AND score = ?",
                arguments: [account.rawValue, score])
            return found ?? id
        }
    }

    /// Takes a right back; one that is gone already is no fault.
    public func takeBundle(_ id: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM bundle WHERE id = ?", arguments: [id])
        }
    }

    /// Whether somebody was given a score that is still there.
    public func holds(_ account: AccountID, score: String) async throws(CatalogueError) -> Bool {
        try await read { db in
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM bundle WHERE account = ? AND score = ?",
                arguments: [account.rawValue, score]) != nil
        }
    }

    /// Ids of the scores that somebody was given.
    public func scores(givenTo account: AccountID) async throws(CatalogueError) -> Set<String> {
        try await read { db in
            try String.fetchSet(
                db, sql: "SELECT score FROM bundle WHERE account = ?", arguments: [account.rawValue])
        }
    }

    private static func requireScore(_ id: String, _ db: Database) throws {
        let found = try Int.fetchOne(
            db, sql: "SELECT 1 FROM score WHERE id = ? AND removedAt IS NULL", arguments: [id])
        guard found != nil else { throw CatalogueError.noSuchScore(id) }
    }
}

extension StoredScore {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], content: row["content"], sources: row["sources"], revision: row["revision"],
            origin: row["origin"])
    }
}
