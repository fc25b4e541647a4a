import Diary
import Foundation
import GRDB

/// Stores the diary on disk, in a file of its own: `diary.sqlite`.
///
/// Allows any number of readers and one writer at a time, in this and in other processes (for example `baton diary`
/// while a server runs). A change is on the disk when its call returns. No call blocks the caller's thread.
public final class DiaryStore: StoredDatabase {
    public static let fileName = "diary.sqlite"

    public let path: String
    let databaseWriter: any DatabaseWriter
    /// Nil for a store that was opened for one question.
    let watch: DiaryGeneration?

    /// Opens the diary's file, makes the file if there is none, and brings its tables up to date.
    ///
    /// Cost: reads the whole file once to find damage.
    /// - Parameter path: the file's path; its folder must exist.
    public init(path: String) throws(CatalogueError) {
        self.path = path
        do {
            databaseWriter = try DatabaseFile.openPool(
                path, DiaryTables.migrator, configuration: Self.configuration, survivesPowerCut: true)
            watch = try DiaryGeneration(path: path)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Opens the diary for one question: the file is not searched for damage, which would take longer than the answer.
    /// - Throws: ``CatalogueError`` also if there is no file, or if another version wrote it.
    public init(existing path: String) throws(CatalogueError) {
        self.path = path
        watch = nil
        do {
            var configuration = Self.configuration
            configuration.maximumReaderCount = 1
            guard FileManager.default.fileExists(atPath: path) else {
                throw CatalogueError.cannotOpen(path: path, reason: "there is no such file")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isCurrent = try queue.read { db in
                try db.tableExists("grdb_migrations") && DiaryTables.migrator.hasCompletedMigrations(db)
                    && !DiaryTables.migrator.hasBeenSuperseded(db)
            }
            guard isCurrent else {
                throw CatalogueError.writtenByNewerVersion(path: path, unknown: ["other tables"])
            }
            databaseWriter = queue
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Seconds for which a writer waits for another: an import writes everything in one transaction, which takes some
    /// seconds.
    static let busySeconds = 30

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "diary"
        configuration.busyMode = .timeout(TimeInterval(busySeconds))
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 4
        return configuration
    }

    /// Writes a document as JSON with its keys in order, so that equal documents have equal bytes.
    static func encode(_ document: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }

    static func decode<Document: Decodable>(_ type: Document.Type, _ data: Data) throws -> Document {
        try JSONDecoder().decode(type, from: data)
    }
}
