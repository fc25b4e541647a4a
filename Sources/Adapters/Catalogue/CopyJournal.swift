import Digests
import Foundation
import GRDB

/// Which rows of a database changed, in what order: what another server needs to have the same.
///
/// Triggers in the database itself note each change under a rising number, whoever makes it, `baton user` beside a
/// running server too. What was read behind a number, piece after piece to the end, is the database as it was at the
/// last piece: a row that changed meanwhile has a higher number and comes again.
///
/// Has a connection of its own. Cost: noting a change takes some ten microseconds; asking whether there is any about
/// as much.
public final class CopyJournal: Sendable {
    public let path: String
    /// Equal where two databases have the same tables.
    public let shape: String
    let queue: DatabaseQueue
    let tables: [String: CopiedTable]

    /// Begins to note changes, where that has not begun before.
    /// - Parameters:
    ///   - path: of a database whose tables are up to date.
    ///   - isDurable: a copy that was taken survives a power cut; else only the end of the process.
    public init(path: String, isDurable: Bool = true) throws(CatalogueError) {
        self.path = path
        do {
            var configuration = Configuration()
            configuration.label = "copy"
            configuration.busyMode = .timeout(5)
            // A copy has the effects of the other's keys already.
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let (tables, steps) = try queue.write { db in
                try Self.prepare(db)
                let tables = try CopiedTable.all(db)
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

    /// Where this database stands.
    public func standing() async throws(CatalogueError) -> CopyStanding { try await read(Self.standing) }

    static func standing(_ db: Database) throws -> CopyStanding {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM copyState") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it does not know what it is a copy of")
        }
        let followed = (row["followed"] as String?).flatMap { lineage in
            (row["followedNumber"] as Int64?).map { CopyMark(lineage: lineage, number: $0) }
        }
        let head = try Int64.fetchOne(db, sql: "SELECT max(number) FROM copyChange") ?? 0
        return CopyStanding(
            own: CopyMark(lineage: row["lineage"], number: head), work: try work(db),
            knownWork: row["knownWork"], followed: followed)
    }

    /// Number of the newest change that was somebody's work.
    static func work(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT number FROM copyChange
                WHERE tableName NOT IN (\(databaseQuestionMarks(count: CopiedTable.gathered.count)))
                ORDER BY number DESC LIMIT 1
                """,
            arguments: StatementArguments(CopiedTable.gathered)) ?? 0
    }

    /// Rows that changed behind a number.
    /// - Parameter mostBytes: about; one row may be longer.
    public func changes(after number: Int64, mostBytes: Int) async throws(CatalogueError) -> CopyPiece {
        let tables = tables
        return try await read { db in
            var piece = CopyPiece(changes: [], through: number, isAll: true, standing: try Self.standing(db))
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
                let change = CopyChange(
                    table: table.name, key: key.map(CopyValue.init),
                    row: found.map { $0.databaseValues.map(CopyValue.init) })
                bytes += (change.key + (change.row ?? [])).reduce(20) { $0 + $1.byteCount }
                piece.changes.append(change)
            }
            return piece
        }
    }

    /// By which steps the tables came to be: with the same columns they may have other checks.
    private static func steps(_ db: Database) throws -> [String] {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }

    private static func fingerprint(_ tables: [CopiedTable], _ steps: [String]) -> String {
        let text =
            (tables.map { "\($0.name)(\($0.columns.joined(separator: ",")))" } + steps)
            .joined(separator: " ")
        return String(Fingerprint.of(text.utf8), radix: 16)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await queue.read(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await queue.write(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }
}

/// A place in one database's history.
public struct CopyMark: Equatable, Sendable, Codable {
    /// A name of the database, made with it and never given again.
    public var lineage: String
    /// Of its newest change.
    public var number: Int64

    public init(lineage: String, number: Int64) {
        self.lineage = lineage
        self.number = number
    }
}

/// What a database knows of itself and of what it is a copy of.
public struct CopyStanding: Equatable, Sendable {
    public var own: CopyMark
    /// Its newest change that was somebody's work; sign-ins are none.
    public var work: Int64
    /// Up to here its work is known elsewhere, or was nobody's.
    public var knownWork: Int64
    /// What it is a copy of, and how far; nil where it never was.
    public var followed: CopyMark?
}

/// Rows on their way.
public struct CopyPiece: Equatable, Sendable {
    public var changes: [CopyChange]
    /// The number to ask behind next.
    public var through: Int64
    /// Nothing is behind it.
    public var isAll: Bool
    public var standing: CopyStanding
}
