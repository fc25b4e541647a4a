import Foundation
import GRDB
import Synchronization

/// Stores the rehearsal rooms on disk, in a file of their own: `rooms.sqlite`.
///
/// Written data survives `kill -9`, and a power cut never damages the file. A write takes some tens of microseconds and
/// never waits for the disk. Whoever acknowledges what a person typed calls ``flush()`` first; without it, a power cut
/// may lose the last moments. Setlists and the list of rooms are flushed by the functions that change them.
/// ``checkpoint()``, which runs separately, moves the write-ahead log into the database.
public final class RehearsalRoomStore: StoredDatabase {
    public let path: String
    let pool: DatabasePool
    var databaseWriter: any DatabaseWriter { pool }
    /// The database connection for checkpoints. It is a separate one, so that a checkpoint delays no reader or
    /// writer.
    private let checkpointConnection: DatabaseQueue
    /// The number of bytes and of writes since the last checkpoint. `isIdle` is true if nothing was written since the
    /// last call of ``checkpoint()``.
    private let logUsageSinceCheckpoint = Mutex((bytes: 0, writes: 0, isIdle: false))
    private let flusher: FileFlusher
    private static let logBytesBeforeCheckpoint = 8 << 20
    private static let writesBeforeCheckpoint = 1_000

    /// Opens the rooms' file, makes it if there is none, and brings its tables up to date.
    /// - Parameters:
    ///   - path: the file's path; its folder must exist.
    ///   - synchronize: waits until a file's content is on the disk; gives 0 or the system's error number.
    public init(
        path: String, synchronize: @escaping @Sendable (String) -> CInt = FileFlusher.synchronizeFile
    ) throws(CatalogueError) {
        self.path = path
        flusher = FileFlusher { synchronize(DatabaseFile.writeAheadLogPath(of: path)) }
        do {
            var configuration = Configuration()
            configuration.label = "rooms"
            configuration.busyMode = .timeout(5)
            configuration.foreignKeysEnabled = true
            configuration.maximumReaderCount = 2
            // NORMAL with the write-ahead log survives the end of the process. Only a power cut may lose what was not
            // flushed, and the numbers of lost events are not used again. FULL would wait for the disk at each page
            // turn: a median of 4 to 5 ms instead of 0.1, and 30 to 100 ms for one turn in a hundred, on a busy
            // virtual disk.
            configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
            pool = try DatabaseFile.openPool(
                path, RehearsalRoomTables.migrator, configuration: configuration, survivesPowerCut: false)
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
            configuration.label = "rooms-carrier"
            checkpointConnection = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Moves the write-ahead log into the database if the log is large, or if nothing was written since the last call.
    /// Call this regularly.
    ///
    /// Readers and writers continue meanwhile. The first write after a checkpoint starts the log anew, and SQLite
    /// then waits for the disk, up to a tenth of a second on a busy one. A page turn must not wait for so long, so
    /// this function makes the first write itself.
    public func checkpoint() async throws(CatalogueError) {
        let isDue = logUsageSinceCheckpoint.withLock { log in
            let isDue =
                log.writes > 0
                && (log.isIdle || log.bytes > Self.logBytesBeforeCheckpoint
                    || log.writes > Self.writesBeforeCheckpoint)
            log = isDue ? (0, 0, true) : (log.bytes, log.writes, true)
            return isDue
        }
        guard isDue else { return }
        do {
            try await checkpointConnection.writeWithoutTransaction { db in
                _ = try db.checkpoint(.passive)
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Returns once everything written before the call survives a power cut. Readers and writers continue meanwhile.
    ///
    /// A checkpoint leaves its pages on the disk, so only the write-ahead log must be flushed.
    public func flush() async throws(CatalogueError) {
        switch await flusher.flush() {
        case 0: return
        case ENOSPC, EDQUOT: throw .diskFull(path: path)
        case let code: throw .readOrWriteFailed(path: path, reason: String(cString: strerror(code)))
        }
    }

    // MARK: Rooms

    /// Returns all rooms that were not removed.
    public func rooms() async throws(CatalogueError) -> [StoredRehearsalRoom] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM room WHERE removedAt IS NULL ORDER BY number")
                .map { row in try Self.room(row, db) }
        }
    }

    /// Returns one room, removed or not; nil if there is none.
    public func room(_ id: String) async throws(CatalogueError) -> StoredRehearsalRoom? {
        try await read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM room WHERE id = ?", arguments: [id])
                .map { row in try Self.room(row, db) }
        }
    }

    /// Adds a room.
    /// - Returns: false if the id is in use.
    public func addRoom(
        _ id: String, score: String, state: [UInt8], atMilliseconds now: Int64
    ) async throws(CatalogueError) -> Bool {
        let isNew = try await writeCountingLogUsage { db in
            try db.execute(
                sql: """
                    INSERT INTO room (id, score, state, sequence, createdAt) VALUES (?, ?, ?, 0, ?)
                    ON CONFLICT DO NOTHING
                    """, arguments: [id, score, Data(state), now])
            return db.changesCount > 0
        }
        try await flush()
        return isNew
    }

    /// Removes a room from the list of rooms; its data stays on the disk.
    public func removeRoom(_ id: String, atMilliseconds now: Int64) async throws(CatalogueError) {
        try await writeCountingLogUsage { db in
            try db.execute(sql: "UPDATE room SET removedAt = ? WHERE id = ?", arguments: [now, id])
        }
        try await flush()
    }

    // MARK: Entries

    /// Writes all entries in order; if it throws, none are written.
    /// - Parameter room: the room's id; nil for settings, which belong to no room.
    public func write(_ entries: [RehearsalRoomRecord], room id: String?) async throws(CatalogueError) {
        let bytes = entries.reduce(0) { $0 + $1.byteCount }
        logUsageSinceCheckpoint.withLock { $0.bytes += bytes }
        try await writeCountingLogUsage { db in
            let number =
                try id.flatMap { id in
                    try Int64.fetchOne(
                        db.cachedStatement(sql: "SELECT number FROM room WHERE id = ?"), arguments: [id])
                }
            for entry in entries { try entry.write(to: number, db) }
        }
    }

    /// Returns a room's events from number `first` on, up to but not including number `last` if given.
    public func events(
        ofRoom id: String, from first: Int, before last: Int? = nil
    ) async throws(CatalogueError) -> [[UInt8]] {
        try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT event.json FROM event JOIN room ON room.number = event.room
                    WHERE room.id = ? AND event.sequence >= ? AND event.sequence < ?
                    ORDER BY event.sequence
                    """, arguments: [id, first, last ?? .max]
            ).map(Array.init)
        }
    }

    /// Returns the sessions of a room, the newest last.
    public func sessions(ofRoom id: String) async throws(CatalogueError) -> [StoredRehearsalSession] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT session.* FROM session JOIN room ON room.number = session.room
                    WHERE room.id = ? ORDER BY session.sequence
                    """, arguments: [id]
            ).map { row in
                StoredRehearsalSession(
                    id: row["id"], beganMilliseconds: row["began"], endedMilliseconds: row["ended"],
                    beginningEventSequence: row["sequence"])
            }
        }
    }

    public func scorePositions(ofRoom id: String, session: String) async throws(CatalogueError)
        -> [StoredScorePosition]
    {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT word.at, word.json FROM word JOIN room ON room.number = word.room
                    WHERE room.id = ? AND word.session = ? ORDER BY word.at, word.rowid
                    """, arguments: [id, session]
            ).map { row in StoredScorePosition(atMilliseconds: row["at"], json: Array(row["json"] as Data)) }
        }
    }

    /// Returns a user's page-turning settings for a score, as JSON; nil if there are none.
    public func pageTurningSettings(ofUser user: String, score: String) async throws(CatalogueError)
        -> [UInt8]?
    {
        try await read { db in
            try Data.fetchOne(
                db, sql: "SELECT settings FROM stand WHERE user = ? AND score = ?", arguments: [user, score]
            ).map(Array.init)
        }
    }

    // MARK: Helpers

    private static func room(_ row: Row, _ db: Database) throws -> StoredRehearsalRoom {
        let number: Int64 = row["number"]
        return StoredRehearsalRoom(
            id: row["id"], scoreID: row["score"], stateJSON: Array(row["state"] as Data),
            eventsAfterState: try Data.fetchAll(
                db, sql: "SELECT json FROM event WHERE room = ? AND sequence > ? ORDER BY sequence",
                arguments: [number, row["sequence"] as Int]
            ).map(Array.init),
            openPages: try Row.fetchAll(db, sql: "SELECT * FROM spot WHERE room = ?", arguments: [number])
                .map {
                    let score: String = $0["score"]
                    return StoredRehearsalRoom.OpenPage(
                        user: $0["user"], score: score.isEmpty ? nil : score, part: $0["part"],
                        page: $0["page"], atMilliseconds: $0["at"])
                })
    }

    /// Makes a write to the database and counts it, so that ``checkpoint()`` knows that the log has grown.
    func writeCountingLogUsage<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        logUsageSinceCheckpoint.withLock { log in
            log.writes += 1
            log.isIdle = false
        }
        return try await write(work)
    }
}
