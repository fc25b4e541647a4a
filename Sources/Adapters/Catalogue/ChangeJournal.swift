import Digests
import Foundation
import GRDB

/// Records which rows of a database changed and in what order, so that another server can keep a copy.
///
/// Triggers in the database record each change under a rising number, including changes by other processes such as
/// `baton user`. A reader that reads all changes after a number, piece by piece to the end, has the database as it
/// was at the last piece: a row that changes in the meantime gets a higher number and comes again.
///
/// Uses a connection of its own. Recording a change costs some ten microseconds; checking for changes costs about as
/// much.
public final class ChangeJournal: StoredDatabase {
    public let path: String
    /// A hash of the tables' columns and migration steps: equal if two databases have the same tables.
    public let shape: String
    let queue: DatabaseQueue
    var writer: any DatabaseWriter { queue }
    let tables: [String: ReplicatedTable]

    /// Installs the recording of changes, if the database does not have it yet.
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
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let (tables, steps) = try queue.write { db in
                try Self.prepare(db)
                let tables = try ReplicatedTable.all(db)
                var isNewHistory = false
                for table in tables where try table.watch(db) { isNewHistory = true }
                if isNewHistory {
                    try db.execute(sql: "UPDATE copyState SET lineage = ?", arguments: [Self.newLineage()])
                }
                return (tables, try Self.steps(db))
            }
            self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
            shape = Self.fingerprint(tables, steps)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    private static func prepare(_ db: Database) throws {
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

    /// The position and origin of this database; see ``ReplicationState``.
    public func standing() async throws(CatalogueError) -> ReplicationState { try await read(Self.standing) }

    static func standing(_ db: Database) throws -> ReplicationState {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM copyState") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its replication state is missing")
        }
        let followed = (row["followed"] as String?).flatMap { lineage in
            (row["followedNumber"] as Int64?).map { ReplicationPosition(lineage: lineage, number: $0) }
        }
        let head = try Int64.fetchOne(db, sql: "SELECT max(number) FROM copyChange") ?? 0
        return ReplicationState(
            own: ReplicationPosition(lineage: row["lineage"], number: head), work: try work(db),
            replicatedWork: row["knownWork"], followed: followed)
    }

    /// The number of the newest change made by a person; see ``ReplicatedTable/mergedTables`` for the tables that do
    /// not count.
    static func work(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT number FROM copyChange
                WHERE tableName NOT IN (\(databaseQuestionMarks(count: ReplicatedTable.mergedTables.count)))
                ORDER BY number DESC LIMIT 1
                """,
            arguments: StatementArguments(ReplicatedTable.mergedTables)) ?? 0
    }

    /// The rows that changed after a number.
    /// - Parameter mostBytes: the approximate maximum size; a single row may be longer.
    public func changes(after number: Int64, mostBytes: Int) async throws(CatalogueError) -> ReplicationBatch
    {
        let tables = tables
        return try await read { db in
            var piece = ReplicationBatch(
                changes: [], through: number, isAll: true, standing: try Self.standing(db))
            var bytes = 0
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM copyChange WHERE number > ? ORDER BY number", arguments: [number])
            while let row = try rows.next() {
                guard bytes < mostBytes else {
                    piece.isAll = false
                    break
                }
                piece.through = row["number"]
                guard let table = tables[row["tableName"]] else { continue }
                let key = table.slotNames.map { row[$0] as DatabaseValue }
                let found = try Row.fetchOne(
                    db.cachedStatement(sql: table.selectOne), arguments: StatementArguments(key))
                let change = RowChange(
                    table: table.name, key: key.map(SQLiteValue.init),
                    row: found.map { $0.databaseValues.map(SQLiteValue.init) })
                bytes += (change.key + (change.row ?? [])).reduce(20) { $0 + $1.byteCount }
                piece.changes.append(change)
            }
            return piece
        }
    }

    /// The migration steps that made the tables: tables with the same columns may have different constraints.
    private static func steps(_ db: Database) throws -> [String] {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }

    private static func fingerprint(_ tables: [ReplicatedTable], _ steps: [String]) -> String {
        let text =
            (tables.map { "\($0.name)(\($0.columns.joined(separator: ",")))" } + steps)
            .joined(separator: " ")
        return String(Fingerprint.of(text.utf8), radix: 16)
    }
}

/// A position in one database's history of changes.
public struct ReplicationPosition: Equatable, Sendable, Codable {
    /// A random name of the database, made with it and never reused.
    public var lineage: String
    /// The number of the database's newest change.
    public var number: Int64

    public init(lineage: String, number: Int64) {
        self.lineage = lineage
        self.number = number
    }
}

/// The state of a database's replication: its own position, and the database it was copied from.
public struct ReplicationState: Equatable, Sendable {
    public var own: ReplicationPosition
    /// The number of its newest change made by a person; sign-ins do not count.
    public var work: Int64
    /// Changes up to this number are known to the other server, or were not made by a person.
    public var replicatedWork: Int64
    /// The database that this one was copied from, and up to which change; nil if it never was a copy.
    public var followed: ReplicationPosition?
}

/// A piece of a database's changes, for transfer.
public struct ReplicationBatch: Equatable, Sendable {
    public var changes: [RowChange]
    /// Number of the last change in the piece; the next piece starts after it.
    public var through: Int64
    /// True if there are no changes after this piece.
    public var isAll: Bool
    public var standing: ReplicationState
}
