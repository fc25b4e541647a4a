import Foundation
import GRDB

/// Rows received from another database. Each row is kept once, in its newest state, even if its changes arrived in
/// another order.
///
/// The rows are kept in memory, or in a file if there are many, so that a copy may be larger than memory. The file is
/// unlinked as soon as it is open, so that a crash leaves nothing of it.
public final class ReceivedRowChanges: Sendable {
    private let path: String?
    let queue: DatabaseQueue

    /// Makes an empty collection of rows.
    /// - Parameter path: the path of the file that holds the rows; nil keeps them in memory.
    public init(path: String? = nil) throws(CatalogueError) {
        self.path = path
        do {
            if let path {
                Self.removeFiles(path)
                try DatabaseFile.makeFile(path)
            }
            var configuration = Configuration()
            configuration.label = "arrivals"
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            }
            queue =
                try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
                ?? DatabaseQueue(configuration: configuration)
            try queue.write { db in
                try db.execute(
                    sql: "CREATE TABLE arrival (place BLOB NOT NULL UNIQUE, change BLOB NOT NULL)")
            }
            if let path { Self.removeFiles(path) }
        } catch {
            throw CatalogueError.wrapping(error, path: path ?? "memory")
        }
    }

    private static func removeFiles(_ path: String) {
        for each in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(each) }
    }

    /// Adds changed rows. Of two changes to the same row, the newer is kept.
    public func add(_ changes: [RowChange]) async throws(CatalogueError) {
        do {
            try await queue.write { db in
                let insert = try db.cachedStatement(
                    sql: "INSERT OR REPLACE INTO arrival (place, change) VALUES (?, ?)")
                for change in changes {
                    try insert.execute(arguments: [
                        Self.rowIdentity(change), Data(RowChangeCoding.encode([change])),
                    ])
                }
            }
        } catch {
            throw CatalogueError.wrapping(error, path: path ?? "memory")
        }
    }

    /// Calls `work` with each received change. Only one change is in memory at a time.
    func forEach(_ work: (RowChange) throws -> Void) throws {
        try queue.read { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT change FROM arrival ORDER BY rowid")
            while let row = try rows.next() {
                for change in Self.decodeChanges(row[0]) { try work(change) }
            }
        }
    }

    /// Returns the received change of one row; nil if there is none.
    func change(ofTable table: String, key: [SQLiteValue]) throws -> RowChange? {
        try queue.read { db in
            let statement = try db.cachedStatement(sql: "SELECT change FROM arrival WHERE place = ?")
            let place = Self.rowIdentity(RowChange(table: table, primaryKey: key, row: nil))
            return try Data.fetchOne(statement, arguments: [place]).flatMap { Self.decodeChanges($0).first }
        }
    }

    /// True if a row of a table was received.
    func containsTable(_ name: String) throws -> Bool {
        try queue.read { db in
            let begin = Data(RowChangeCoding.encode([RowChange(table: name, primaryKey: [], row: nil)]))
                .dropLast(2)
            return try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM arrival WHERE substr(place, 1, ?) = ?)",
                arguments: [begin.count, Data(begin)]) ?? false
        }
    }

    private static func rowIdentity(_ change: RowChange) -> Data {
        Data(
            RowChangeCoding.encode([RowChange(table: change.table, primaryKey: change.primaryKey, row: nil)]))
    }

    private static func decodeChanges(_ bytes: Data) -> [RowChange] {
        RowChangeCoding.decode(Array(bytes)[...]) ?? []
    }
}
