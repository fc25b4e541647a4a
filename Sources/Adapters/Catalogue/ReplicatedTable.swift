import Foundation
import GRDB

/// A table that is replicated between two servers, with the triggers that record changed rows.
struct ReplicatedTable: Equatable, Sendable {
    var name: String
    var columns: [String]
    /// The names of the primary key's columns, or `rowid` if the table has no primary key.
    var keyColumns: [String]

    static let mostKeyColumns = 3

    /// The tables of sign-ins, their networks and the servers' secret. The rows of both servers are merged, because
    /// people make nothing in these tables and a difference loses no work.
    static let mergedTables: Set<String> = ["signIn", "signInNetwork", "serverSecret"]

    var isMerged: Bool { Self.mergedTables.contains(name) }

    /// The tables of a database. Left out are indices of words (virtual tables and what lies under them): they are made
    /// again from the rows, see ``RowChangeJournal``.
    static func loadAll(_ db: Database) throws -> [ReplicatedTable] {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND name NOT LIKE 'grdb\\_%' ESCAPE '\\' AND name NOT IN ('copyChange', 'copyState', 'signInClock')
                ORDER BY name
                """)
        return try names.map { name in
            let columns = try Row.fetchAll(
                db, sql: "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
            let key = columns.filter { ($0["pk"] as Int) > 0 }.sorted {
                ($0["pk"] as Int) < ($1["pk"] as Int)
            }
            .map { $0["name"] as String }
            precondition(key.count <= mostKeyColumns, "\(name) has a primary key of \(key.count) columns")
            return ReplicatedTable(
                name: name, columns: columns.map { $0["name"] }, keyColumns: key.isEmpty ? ["rowid"] : key)
        }
    }

    /// Installs the triggers that record changes, if they are missing, and records all existing rows as changed.
    /// - Returns: true if the triggers of a tracked table were missing, for example because a migration step made the
    ///   table anew. Rows that were deleted while they were missing are recorded nowhere, so a replica needs the
    ///   whole database.
    func installTriggers(_ db: Database) throws -> Bool {
        let isWatched =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sqlite_master
                    WHERE type = 'trigger' AND tbl_name = ? AND name LIKE 'copyOf%'
                    """,
                arguments: [name]) == 3
        guard !isWatched else { return false }
        try db.execute(sql: "DELETE FROM copyChange WHERE tableName = ?", arguments: [name])
        let wasWatched = db.changesCount > 0
        try db.execute(
            sql: """
                INSERT INTO copyChange (tableName, \(journalKeyColumnList)) \
                SELECT '\(name)', \(quoted(keyColumns)) FROM "\(name)"
                """)
        for (event, notes) in [
            ("INSERT", recordingSQL("NEW")), ("UPDATE", recordingSQL("OLD") + recordingSQL("NEW")),
            ("DELETE", recordingSQL("OLD")),
        ] {
            try db.execute(
                sql: """
                    DROP TRIGGER IF EXISTS "copyOf_\(name)_\(event)";
                    CREATE TRIGGER "copyOf_\(name)_\(event)" AFTER \(event) ON "\(name)" BEGIN
                    \(notes)
                    END;
                    """)
        }
        return wasWatched
    }

    /// Returns the SQL that records a changed row under a new number.
    ///
    /// There is one record for each row that ever existed. The record is deleted and inserted rather than replaced,
    /// because the statement that fires the trigger overrides the conflict clause.
    private func recordingSQL(_ row: String) -> String {
        let values = keyColumns.map { "\(row).\"\($0)\"" }
        let condition = zip(journalKeyColumns, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
        return """
            DELETE FROM copyChange WHERE tableName = '\(name)' AND \(condition);
            INSERT INTO copyChange (tableName, \(journalKeyColumnList)) \
            VALUES ('\(name)', \(values.joined(separator: ", ")));

            """
    }

    var journalKeyColumns: [String] { (1...keyColumns.count).map { "k\($0)" } }
    private var journalKeyColumnList: String { journalKeyColumns.joined(separator: ", ") }

    private func quoted(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    // MARK: Statements

    private var keyCondition: String { keyColumns.map { "\"\($0)\" = ?" }.joined(separator: " AND ") }
    var selectOneSQL: String { "SELECT \(quoted(columns)) FROM \"\(name)\" WHERE \(keyCondition)" }
    var selectAllSQL: String { "SELECT \(quoted(keyColumns)), \(quoted(columns)) FROM \"\(name)\"" }
    var deleteOneSQL: String { "DELETE FROM \"\(name)\" WHERE \(keyCondition)" }
    var deleteAllSQL: String { "DELETE FROM \"\(name)\"" }

    /// The SQL that inserts a row or updates it in place. Replacing the row would delete the rows that refer to it.
    var upsertSQL: String {
        let hasOwnKey = keyColumns != ["rowid"]
        let names = (hasOwnKey ? [] : ["rowid"]) + columns
        let others = columns.filter { !keyColumns.contains($0) }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let update =
            others.isEmpty
            ? "NOTHING"
            : "UPDATE SET " + others.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
        return """
            INSERT INTO "\(name)" (\(quoted(names))) VALUES (\(places)) ON CONFLICT (\(quoted(keyColumns))) DO \(update)
            """
    }

    func upsertArguments(_ change: RowChange, _ row: [SQLiteValue]) -> [SQLiteValue] {
        keyColumns == ["rowid"] ? change.primaryKey + row : row
    }

    /// True if the change's row has as many values as this table has columns, and its key values equal the change's
    /// primary key. A change without a row needs only a primary key of the right length.
    func fits(_ change: RowChange) -> Bool {
        guard change.primaryKey.count == keyColumns.count else { return false }
        guard let row = change.row else { return true }
        guard row.count == columns.count else { return false }
        return zip(keyColumns, change.primaryKey).allSatisfy { name, value in
            columns.firstIndex(of: name).map { row[$0] == value } ?? true
        }
    }
}

extension SQLiteValue {
    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number.bitPattern)
        case .string(let text): self = .text(Array(text.utf8))
        case .blob(let data): self = .blob(Array(data))
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let bits): Double(bitPattern: bits).databaseValue
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
