import Foundation
import GRDB

/// The catalogue on disk: one SQLite file for accounts, content and scores.
///
/// Allows any number of readers and one writer at a time, in this and in other processes (for example `baton user`
/// while a server runs). A change is on the disk when its call returns. No call blocks the caller's thread.
public final class CatalogueStore: StoredDatabase {
    public let path: String
    let pool: DatabasePool
    var databaseWriter: any DatabaseWriter { pool }
    let signInClock: SignInClock

    /// Opens the catalogue's file, makes the file if there is none, and brings its tables up to date.
    ///
    /// Cost: reads the whole file once to find damage; some milliseconds for a few megabytes.
    /// - Parameters:
    ///   - path: the file's path; its folder must exist.
    ///   - wall: returns the machine's wall-clock time; tests replace it.
    public init(path: String, wall: @escaping @Sendable () -> Date = { Date() }) throws(CatalogueError) {
        self.path = path
        do {
            pool = try DatabaseFile.openPool(
                path, Migrations.all, configuration: Self.configuration, survivesPowerCut: true)
            signInClock = try SignInClock.makeContinuingClock(pool, wall: wall)
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
}
