import Foundation
import GRDB

/// Checks a database file before SQLite can change anything.
///
/// SQLite tidies up silently: it deletes the write-ahead log next to an empty or missing database, and it writes the
/// log into a damaged database when it closes the database. A database that this check refuses is left unchanged to the
/// last byte.
enum DatabaseFile {
    /// Returns the path of SQLite's write-ahead log, which holds changes that are not in the database file yet.
    static func writeAheadLogPath(of path: String) -> String { path + "-wal" }

    /// Checks that the file is a sound database of this program.
    /// - Returns: false if there is no file yet.
    /// - Throws: ``CatalogueError`` for anything but a sound database that this version or an older one wrote.
    /// - Complexity: reads the whole file once; some milliseconds for a few megabytes.
    static func checkSoundness(_ path: String, _ migrator: DatabaseMigrator) throws -> Bool {
        guard var length = try fileSize(path) else {
            guard try fileSize(writeAheadLogPath(of: path)) ?? 0 == 0 else {
                throw CatalogueError.writeLogWithoutDatabase(path: path)
            }
            return false
        }
        // Another process may be making the file right now, which takes some milliseconds.
        for _ in 0..<5 where length == 0 {
            usleep(40_000)
            length = try fileSize(path) ?? 0
        }
        guard length > 0 else {
            throw CatalogueError.fileEmptied(
                path: path, hasWriteLog: try fileSize(writeAheadLogPath(of: path)) ?? 0 > 0)
        }
        guard try firstBytes(of: path) == signature else { throw CatalogueError.notADatabase(path: path) }
        // A read-only connection neither applies the write-ahead log nor deletes it, not even when it is closed.
        var configuration = Configuration()
        configuration.label = "check"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in try inspect(db, path: path, migrator) }
        return true
    }

    /// Opens a database after ``checkSoundness(_:_:)``, makes it if there is none, and brings its tables up to date.
    /// - Parameter survivesPowerCut: false if a power cut may lose the last changes. The end of the process never
    ///   loses any.
    static func openPool(
        _ path: String, _ migrator: DatabaseMigrator, configuration: Configuration, survivesPowerCut: Bool
    ) throws -> DatabasePool {
        let wasThere = try checkSoundness(path, migrator)
        var isMade = false
        // If opening fails before anything was written, the empty file is removed: the next start would refuse it.
        defer { if !wasThere, !isMade { removeIfEmpty(path) } }
        try makeFile(path)
        let pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB sets NORMAL, with which a power cut may lose the last changes.
        if survivesPowerCut {
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        }
        try bringUpToDate(pool, migrator)
        isMade = true
        return pool
    }

    /// Runs the migration steps that are missing. Another process may run them at the same moment: a step that fails
    /// because it was done meanwhile is not run again.
    private static func bringUpToDate(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
        var applied = try pool.read(migrator.appliedIdentifiers)
        while true {
            do { return try migrator.migrate(pool) } catch {
                let now = try pool.read(migrator.appliedIdentifiers)
                guard now != applied else { throw error }
                applied = now
            }
        }
    }

    /// Makes the database file, readable for its owner only. This happens before SQLite opens it, because SQLite gives
    /// its side files the same permissions.
    static func makeFile(_ path: String) throws(CatalogueError) {
        let handle = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard handle >= 0 else {
            throw switch errno {
            case EROFS, EACCES, EPERM: .readOnly(path: path)
            case ENOSPC, EDQUOT: .diskFull(path: path)
            case let code: .cannotOpen(path: path, reason: String(cString: strerror(code)))
            }
        }
        close(handle)
    }

    /// Removes the file that ``makeFile(_:)`` made, if nothing was written to it.
    private static func removeIfEmpty(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(path) }
    }

    private static func inspect(_ db: Database, path: String, _ migrator: DatabaseMigrator) throws {
        if let damage = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), damage != "ok" {
            throw CatalogueError.damaged(path: path, reason: damage)
        }
        if try migrator.hasBeenSuperseded(db) {
            let applied = try migrator.appliedIdentifiers(db)
            throw CatalogueError.writtenByNewerVersion(
                path: path, unknown: applied.subtracting(migrator.migrations).sorted())
        }
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if try tables > 0 && migrator.appliedIdentifiers(db).isEmpty && !db.tableExists("grdb_migrations") {
            throw CatalogueError.otherProgramsDatabase(path: path)
        }
    }

    private static let signature = Array("SQLite format 3\0".utf8)

    /// Returns the size of a file in bytes; nil if there is no file.
    private static func fileSize(_ path: String) throws(CatalogueError) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else {
                throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
            }
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int64(status.st_size)
        case S_IFDIR: throw .notAFile(path: path, what: "a folder")
        case S_IFLNK: throw .notAFile(path: path, what: "a link to elsewhere")
        default: throw .notAFile(path: path, what: "no plain file")
        }
    }

    private static func firstBytes(of path: String) throws(CatalogueError) -> [UInt8] {
        let handle = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard handle >= 0 else {
            throw errno == EACCES || errno == EPERM
                ? .readOnly(path: path) : .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(handle) }
        var bytes = [UInt8](repeating: 0, count: signature.count)
        let count = read(handle, &bytes, bytes.count)
        guard count >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }
}
