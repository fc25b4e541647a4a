import GRDB

/// A database whose errors name its file. No call blocks the caller's thread.
protocol StoredDatabase: Sendable {
    var path: String { get }
    var databaseWriter: any DatabaseWriter { get }
}

extension StoredDatabase {
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await databaseWriter.read(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    /// Runs `work` in one database transaction; if `work` throws, nothing is written.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Value {
        do {
            return try await databaseWriter.write(work)
        } catch {
            throw CatalogueError.wrapping(error, path: path)
        }
    }
}
