import Foundation
import GRDB

/// A database file as it lies on the disk, looked at before SQLite may change anything.
///
/// SQLite tidies up in silence: beside an empty or missing database it deletes the log of writes, and when it closes
/// a damaged one it writes that log into it. Whoever refuses a database after this check has changed no byte of it.
enum DatabaseFile {
    /// Where SQLite keeps what was written and not carried over yet.
    static func writeLog(of path: String) -> String { path + "-wal" }

    /// - Returns: false where there is no file yet.
    /// - Throws: ``CatalogueError`` for everything that is not a sound database of this program or an older one.
    /// - Complexity: reads the whole file once; some milliseconds for a few megabytes.
    static func check(_ path: String, _ migrator: DatabaseMigrator) throws -> Bool {
        guard var length = try size(path) else {
            guard try size(writeLog(of: path)) ?? 0 == 0 else {
                throw CatalogueError.onlyWriteLog(path: path)
            }
            return false
        }
        // Another process may be making it at this very moment; that takes some milliseconds.
        for _ in 0..<5 where length == 0 {
            usleep(40_000)
            length = try size(path) ?? 0
        }
        guard length > 0 else {
            throw CatalogueError.emptied(path: path, hasWriteLog: try size(writeLog(of: path)) ?? 0 > 0)
        }
        guard try beginning(of: path) == signature else { throw CatalogueError.notADatabase(path: path) }
        // A connection that may only read carries no log over and deletes none, also when it is closed.
        var configuration = Configuration()
        configuration.label = "check"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in try CatalogueStore.inspect(db, path: path, migrator) }
        return true
    }

    private static let signature = Array("SQLite format 3\0".utf8)

    /// - Returns: nil where nothing is there.
    private static func size(_ path: String) throws(CatalogueError) -> Int64? {
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

    private static func beginning(of path: String) throws(CatalogueError) -> [UInt8] {
        let handle = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
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
