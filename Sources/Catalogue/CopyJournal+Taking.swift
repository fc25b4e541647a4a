import Foundation
import GRDB

extension CopyJournal {
    /// Makes this database a copy of another: all of the changes, or where it throws nothing of them.
    /// - Parameters:
    ///   - anew: what is not among the changes is not there.
    ///   - mark: where in the other's history that is.
    /// - Throws: ``CatalogueError``; `failed` for rows that are not of these tables.
    public func take(
        _ changes: [CopyChange], anew: Bool, from mark: CopyMark
    ) async throws(CatalogueError) {
        let (tables, path) = (tables, path)
        try await write { db in
            for change in changes where tables[change.table]?.fits(change) != true {
                throw CatalogueError.failed(
                    path: path, reason: "the other server sent a row that is not of these tables")
            }
            try Self.endSignIns(by: changes, tables, db)
            if anew {
                for table in tables.values where table.name != CopiedTable.gathered {
                    try db.execute(sql: table.deleteAll)
                }
            }
            for change in changes {
                guard let table = tables[change.table] else { continue }
                let (sql, values) =
                    change.row.map { (table.upsert, table.upsertArguments(change, $0)) }
                    ?? (table.deleteOne, change.key)
                try db.cachedStatement(sql: sql).execute(
                    arguments: StatementArguments(values.map(\.databaseValue)))
            }
            try Self.dropStraySignIns(tables, db)
            if anew, try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") != nil {
                throw CatalogueError.failed(path: path, reason: "what the other server sent is not whole")
            }
            try db.execute(
                sql: "UPDATE copyState SET followed = ?, followedNumber = ?, knownWork = ?",
                arguments: [mark.lineage, mark.number, try Self.work(db)])
        }
    }

    /// Everything here so far is known elsewhere, or was made by the program itself.
    public func forgetWork() async throws(CatalogueError) {
        try await write { db in
            try db.execute(sql: "UPDATE copyState SET knownWork = ?", arguments: [try Self.work(db)])
        }
    }

    /// A folder that was copied from the other server is not the other server's.
    public func takeNewLineage() async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE copyState SET lineage = ?, followed = NULL, followedNumber = NULL",
                arguments: [Self.newLineage()])
        }
    }

    /// Whether nothing is here that would be missing there.
    /// - Parameter all: all rows of the other database.
    public func isPart(of all: [CopyChange]) async throws(CatalogueError) -> Bool {
        let tables = tables
        return try await read { db in
            var theirs: [String: [[CopyValue]: [CopyValue]]] = [:]
            for change in all { theirs[change.table, default: [:]][change.key] = change.row }
            for table in tables.values where table.name != CopiedTable.gathered {
                let rows = try Row.fetchCursor(db, sql: table.selectAll)
                while let row = try rows.next() {
                    let values = row.databaseValues.map(CopyValue.init)
                    let (key, rest) = (values.prefix(table.key.count), values.dropFirst(table.key.count))
                    guard theirs[table.name]?[Array(key)] == Array(rest) else { return false }
                }
            }
            return true
        }
    }

    /// Writes the whole database to another file, which must not be there yet.
    public func write(copyTo other: String) async throws(CatalogueError) {
        do {
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [other])
            }
        } catch {
            throw CatalogueError.wrapping(error, path: other)
        }
    }

    // MARK: Sign-ins

    /// An account whose passphrase was changed, or that was disabled, is signed out here too.
    private static func endSignIns(
        by changes: [CopyChange], _ tables: [String: CopiedTable], _ db: Database
    ) throws {
        guard let account = tables["account"], tables[CopiedTable.gathered] != nil,
            let id = account.columns.firstIndex(of: "id"),
            let hash = account.columns.firstIndex(of: "passwordHash"),
            let disabled = account.columns.firstIndex(of: "disabledAt")
        else { return }
        for change in changes where change.table == account.name {
            guard let row = change.row else { continue }
            try db.execute(
                sql: """
                    DELETE FROM signIn WHERE account = ?1 AND (?3 IS NOT NULL OR EXISTS
                        (SELECT 1 FROM account WHERE id = ?1 AND passwordHash <> ?2))
                    """,
                arguments: StatementArguments([row[id], row[hash], row[disabled]].map(\.databaseValue)))
        }
    }

    private static func dropStraySignIns(_ tables: [String: CopiedTable], _ db: Database) throws {
        guard tables[CopiedTable.gathered] != nil else { return }
        try db.execute(sql: "DELETE FROM signIn WHERE account NOT IN (SELECT id FROM account)")
    }
}
