import Basics
import Foundation
import GRDB

/// Records which rows of a database changed and in what order, so that another server can keep a copy.
///
/// Triggers in the database record each change under a rising number, including changes by other processes such as
/// `baton user`. A replica reads all changes after a number, piece by piece to the end. It then has the database as
/// it was when the last piece was read. A row that changes while the pieces are read gets a higher number and is sent
/// again.
///
/// The journal has a database connection of its own. Recording a change costs some ten microseconds; checking for
/// changes costs about as much.
public final class RowChangeJournal: StoredDatabase {
    public let path: String
    /// A hash of the tables' columns and migration steps: equal if two databases have the same tables.
    public let schemaFingerprint: String
    let databaseQueue: DatabaseQueue
    var databaseWriter: any DatabaseWriter { databaseQueue }
    let tables: [String: ReplicatedTable]

    /// Installs the triggers that record changes, if the database does not have them yet.
    /// - Parameters:
    ///   - path: a database whose tables are up to date.
    ///   - isDurable: true if a received copy must survive a power cut, false if only the end of the process.
    public init(path: String, isDurable: Bool = true) throws(CatalogueError) {
        self.path = path
        do {
            var configuration = Configuration()
            configuration.label = "copy"
            configuration.busyMode = .timeout(5)
            // The received rows include the effects of the other database's foreign keys.
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
            }
            databaseQueue = try DatabaseQueue(path: path, configuration: configuration)
            let (tables, steps) = try databaseQueue.write { db in
                try Self.createJournalTables(db)
                let tables = try ReplicatedTable.loadAll(db)
                var isNewHistory = false
                for table in tables where try table.installTriggers(db) { isNewHistory = true }
                if isNewHistory {
                    try db.execute(sql: "UPDATE copyState SET lineage = ?", arguments: [Self.newLineage()])
                }
                return (tables, try Self.migrationSteps(db))
            }
            self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
            schemaFingerprint = Self.fingerprint(tables, steps)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    private static func createJournalTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS copyChange (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    tableName TEXT NOT NULL,
                    k1 NOT NULL,
                    k2 NOT NULL DEFAULT '',
                    k3 NOT NULL DEFAULT ''
                );
                CREATE UNIQUE INDEX IF NOT EXISTS copyChangeOfRow ON copyChange (tableName, k1, k2, k3);
                CREATE TABLE IF NOT EXISTS copyState (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    lineage TEXT NOT NULL,
                    followed TEXT,
                    followedNumber INTEGER,
                    knownWork INTEGER NOT NULL DEFAULT 0
                );
                """)
        try db.execute(
            sql: "INSERT INTO copyState (one, lineage) VALUES (1, ?) ON CONFLICT DO NOTHING",
            arguments: [newLineage()])
    }

    static func newLineage() -> String { UUID().uuidString.lowercased() }

    /// Returns this database's position in its own history, and the database from which it was copied.
    public func replicationState() async throws(CatalogueError) -> ReplicationState {
        try await read(Self.replicationState)
    }

    static func replicationState(_ db: Database) throws -> ReplicationState {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM copyState") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its replication state is missing")
        }
        let followed = (row["followed"] as String?).flatMap { lineage in
            (row["followedNumber"] as Int64?).map { ReplicationPosition(lineage: lineage, number: $0) }
        }
        let head = try Int64.fetchOne(db, sql: "SELECT max(number) FROM copyChange") ?? 0
        return ReplicationState(
            ownPosition: ReplicationPosition(lineage: row["lineage"], number: head),
            newestManualChange: try newestManualChange(db),
            newestReplicatedManualChange: row["knownWork"], copiedFrom: followed)
    }

    /// Returns the number of the newest change made by a person. Changes in the tables of
    /// ``ReplicatedTable/mergedTables`` do not count.
    static func newestManualChange(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT number FROM copyChange
                WHERE tableName NOT IN (\(databaseQuestionMarks(count: ReplicatedTable.mergedTables.count)))
                ORDER BY number DESC LIMIT 1
                """,
            arguments: StatementArguments(ReplicatedTable.mergedTables)) ?? 0
    }

    /// Returns the rows that changed after a change number.
    /// - Parameter mostBytes: the approximate maximum size in bytes; a single row may be longer.
    public func changes(after number: Int64, mostBytes: Int) async throws(CatalogueError) -> ReplicationBatch
    {
        let tables = tables
        return try await read { db in
            var piece = ReplicationBatch(
                changes: [], lastNumber: number, isComplete: true, sourceState: try Self.replicationState(db))
            var bytes = 0
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM copyChange WHERE number > ? ORDER BY number", arguments: [number])
            while let row = try rows.next() {
                guard bytes < mostBytes else {
                    piece.isComplete = false
                    break
                }
                piece.lastNumber = row["number"]
                guard let table = tables[row["tableName"]] else { continue }
                let key = table.journalKeyColumns.map { row[$0] as DatabaseValue }
                let found = try Row.fetchOne(
                    db.cachedStatement(sql: table.selectOneSQL), arguments: StatementArguments(key))
                let change = RowChange(
                    table: table.name, primaryKey: key.map(SQLiteValue.init),
                    row: found.map { $0.databaseValues.map(SQLiteValue.init) })
                bytes += (change.primaryKey + (change.row ?? [])).reduce(20) { $0 + $1.byteCount }
                piece.changes.append(change)
            }
            return piece
        }
    }

    /// Returns the names of the migration steps that made the tables. Tables with the same columns may have different
    /// constraints, so the steps are compared too.
    private static func migrationSteps(_ db: Database) throws -> [String] {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }

    private static func fingerprint(_ tables: [ReplicatedTable], _ steps: [String]) -> String {
        let text =
            (tables.map { "\($0.name)(\($0.columns.joined(separator: ",")))" } + steps)
            .joined(separator: " ")
        return String(FNV1aHash.of(text.utf8), radix: 16)
    }
}

/// A position in one database's history of changes.
public struct ReplicationPosition: Equatable, Sendable, Codable {
    /// The database's random name. It is made with the database and never used again.
    public var lineage: String
    /// The number of the newest change at this position.
    public var number: Int64

    public init(lineage: String, number: Int64) {
        self.lineage = lineage
        self.number = number
    }
}

/// The state of a database's replication: its own position in its history, and the database from which it was copied.
public struct ReplicationState: Equatable, Sendable {
    public var ownPosition: ReplicationPosition
    /// The number of the newest change made by a person in this database; sign-ins do not count.
    public var newestManualChange: Int64
    /// Changes up to this number are known to the other server, or were not made by a person.
    public var newestReplicatedManualChange: Int64
    /// The database from which this one was copied, and the last change copied; nil if this one never was a copy.
    public var copiedFrom: ReplicationPosition?
}

/// A piece of a database's changes, sized for one transfer.
public struct ReplicationBatch: Equatable, Sendable {
    public var changes: [RowChange]
    /// The number of the last change in the piece; the next piece starts after it.
    public var lastNumber: Int64
    /// True if no changes follow this piece.
    public var isComplete: Bool
    public var sourceState: ReplicationState
}
