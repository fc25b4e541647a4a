import Foundation
import GRDB

extension RowChangeJournal {
    /// Makes this database a copy of another: applies all received changes, or none if it throws.
    ///
    /// All changed rows are deleted before any are inserted, so that a unique name may pass from one row to another in
    /// any order.
    /// - Parameters:
    ///   - anew: replace everything; rows that were not received are deleted.
    ///   - mark: the position in the other database's history to which the changes lead.
    ///   - work: this database's ``ReplicationState/newestManualChange`` when the caller decided to copy; nil if
    ///     nobody else writes.
    /// - Returns: false if somebody changed this database after the caller's decision. Nothing was done then, and the
    ///   caller must decide again.
    /// - Throws: ``CatalogueError``; `readOrWriteFailed` for rows that do not fit these tables.
    @discardableResult
    public func applyReceivedChanges(
        _ arrivals: ReceivedRowChanges, anew: Bool, from mark: ReplicationPosition,
        ifWorkIs work: Int64? = nil
    ) async throws(CatalogueError) -> Bool {
        let (tables, path) = (tables, path)
        return try await write { db in
            if let work, try Self.newestManualChange(db) != work { return false }
            try arrivals.forEach { change in
                guard tables[change.table]?.fits(change) == true else {
                    throw CatalogueError.readOrWriteFailed(
                        path: path, reason: "the other server sent a row that does not fit these tables")
                }
                try Self.endSignIns(invalidatedBy: change, in: tables, db)
            }
            if anew {
                for table in tables.values where !table.isMerged {
                    try db.execute(sql: table.deleteAllSQL)
                }
            }
            try arrivals.forEach { change in
                guard let table = tables[change.table], !anew || table.isMerged else {
                    return
                }
                try Self.executeStatement(table.deleteOneSQL, change.primaryKey, db)
            }
            try arrivals.forEach { change in
                guard let row = change.row, let table = tables[change.table] else { return }
                try Self.executeStatement(table.upsertSQL, table.upsertArguments(change, row), db)
            }
            try Self.dropStraySignIns(tables, db)
            if try db.tableExists(DiaryTables.wordsTable) {
                if try anew || DiaryTables.namesTables.contains(where: { try arrivals.containsTable($0) }) {
                    try DiaryTables.remakeNameWords(db)
                }
            }
            if anew, try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") != nil {
                throw CatalogueError.readOrWriteFailed(
                    path: path, reason: "the data from the other server is incomplete")
            }
            try db.execute(
                sql: "UPDATE copyState SET followed = ?, followedNumber = ?, knownWork = ?",
                arguments: [mark.lineage, mark.number, try Self.newestManualChange(db)])
            return true
        }
    }

    private static func executeStatement(_ sql: String, _ values: [SQLiteValue], _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute(
            arguments: StatementArguments(values.map(\.databaseValue)))
    }

    /// Marks all changes made so far as known to the other server. This function also serves for changes that the
    /// program made itself.
    public func markManualChangesReplicated() async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE copyState SET knownWork = ?", arguments: [try Self.newestManualChange(db)])
        }
    }

    /// Gives this database a new lineage (its random name), so that a folder copied from the other server is not
    /// mistaken for the other server.
    public func assignNewLineage() async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE copyState SET lineage = ?, followed = NULL, followedNumber = NULL",
                arguments: [Self.newLineage()])
        }
    }

    /// True if the other database has all rows of this one, apart from the tables that are merged.
    /// - Parameter all: all rows of the other database.
    public func hasOnlyRows(of all: ReceivedRowChanges) async throws(CatalogueError) -> Bool {
        let tables = tables
        return try await read { db in
            for table in tables.values where !table.isMerged {
                let rows = try Row.fetchCursor(db, sql: table.selectAllSQL)
                while let row = try rows.next() {
                    let values = row.databaseValues.map(SQLiteValue.init)
                    let (key, rest) = (
                        values.prefix(table.keyColumns.count), values.dropFirst(table.keyColumns.count)
                    )
                    let theirs = try all.change(ofTable: table.name, key: Array(key))
                    guard theirs?.row == Array(rest) else { return false }
                }
            }
            return true
        }
    }

    /// Writes the whole database to another file, which must not exist yet. The new file survives a power cut.
    public func write(copyTo other: String) async throws(CatalogueError) {
        do {
            try await databaseQueue.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [other])
            }
        } catch {
            throw CatalogueError.wrapping(error, path: other)
        }
        // SQLite does not wait for the disk here, and the original is overwritten next.
        try AssetStore.syncToDisk(other)
        try AssetStore.syncToDisk((other as NSString).deletingLastPathComponent)
    }

    // MARK: Sign-ins

    /// Ends an account's sign-ins if the other server has changed its passphrase or disabled it.
    private static func endSignIns(
        invalidatedBy change: RowChange, in tables: [String: ReplicatedTable], _ db: Database
    ) throws {
        guard let account = tables["account"], tables["signIn"] != nil,
            change.table == account.name, let row = change.row,
            let id = account.columns.firstIndex(of: "id"),
            let hash = account.columns.firstIndex(of: "passwordHash"),
            let disabled = account.columns.firstIndex(of: "disabledAt")
        else { return }
        try executeStatement(
            """
            DELETE FROM signIn WHERE account = ?1 AND (?3 IS NOT NULL OR EXISTS
                (SELECT 1 FROM account WHERE id = ?1 AND passwordHash <> ?2))
            """, [row[id], row[hash], row[disabled]], db)
    }

    private static func dropStraySignIns(_ tables: [String: ReplicatedTable], _ db: Database) throws {
        for table in ["signIn", "signInNetwork"] where tables[table] != nil {
            try db.execute(sql: "DELETE FROM \(table) WHERE account NOT IN (SELECT id FROM account)")
        }
    }
}
