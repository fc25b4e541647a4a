import Foundation
import GRDB

/// The catalogue on disk: one SQLite file for everything except show logs.
///
/// Allows any number of readers and one writer at a time, in this and in other processes (for example `baton user`
/// during a running server). A change is on the disk when its call returns. No call blocks the caller's thread.
public final class CatalogueStore: Sendable {
    public let path: String
    let pool: DatabasePool
    let signInClock: SignInClock

    /// Opens the catalogue, makes it if there is none, and brings its tables up to date.
    ///
    /// Cost: reads the whole file once to find damage; some milliseconds for a few megabytes.
    /// - Parameters:
    ///   - path: the file's path; its folder must exist.
    ///   - wall: returns the machine's time; tests replace it.
    public init(path: String, wall: @escaping @Sendable () -> Date = { Date() }) throws(CatalogueError) {
        self.path = path
        do {
            let wasThere = try DatabaseFile.check(path, Migrations.all)
            var isMade = false
            // If opening fails before anything was written, the empty file is removed: the next start would refuse
            // it.
            defer { if !wasThere, !isMade { CatalogueStore.removeIfEmpty(path) } }
            try Self.makeFile(path)
            pool = try DatabasePool(path: path, configuration: Self.configuration)
            // The pool sets NORMAL, with which a power cut could lose the last changes.
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            try Migrations.all.migrate(pool)
            isMade = true
            signInClock = try SignInClock.open(pool, wall: wall)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await pool.read(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Runs `work` in one transaction; if it throws, nothing is written.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await pool.write(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "catalogue"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 4
        return configuration
    }

    /// Makes the file readable for its owner only, before SQLite makes it: SQLite's side files take over its
    /// permissions.
    static func makeFile(_ path: String) throws(CatalogueError) {
        let handle = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard handle >= 0 else {
            throw switch errno {
            case EROFS, EACCES, EPERM: .readOnly(path: path)
            case ENOSPC, EDQUOT: .diskFull(path: path)
            case let code: .cannotOpen(path: path, reason: String(cString: strerror(code)))
            }
        }
        close(handle)
    }

    /// Removes a file that ``makeFile(_:)`` made if nothing was written to it.
    static func removeIfEmpty(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(path) }
    }

    static func inspect(_ db: Database, path: String, _ migrator: DatabaseMigrator) throws {
        if let damage = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), damage != "ok" {
            throw CatalogueError.broken(path: path, reason: damage)
        }
        if try migrator.hasBeenSuperseded(db) {
            let applied = try migrator.appliedIdentifiers(db)
            throw CatalogueError.newer(path: path, unknown: applied.subtracting(migrator.migrations).sorted())
        }
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if try tables > 0 && migrator.appliedIdentifiers(db).isEmpty && !db.tableExists("grdb_migrations") {
            throw CatalogueError.foreign(path: path)
        }
    }
}
