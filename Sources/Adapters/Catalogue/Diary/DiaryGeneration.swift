import Foundation
import GRDB

/// Tells whether the diary has changed, by this process or by another one such as `baton diary import`.
///
/// It has a connection of its own that never writes: SQLite raises the data version of a connection whenever another
/// connection has changed the file (https://www.sqlite.org/pragma.html#pragma_data_version).
struct DiaryGeneration: Sendable {
    private let queue: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "diary-generation"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The number of the present state. Different numbers mean that something was written between them.
    func number() async throws -> Int64 {
        // One statement that reads no table needs no transaction, which would cost ten times as much.
        try await queue.writeWithoutTransaction { db in
            try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        }
    }
}

extension DiaryStore {
    /// A number that changes whenever something is written into the diary, also by another process.
    ///
    /// Anything read after this call is at least as new as the number.
    /// - Returns: nil for a store that was opened for one question.
    public func generation() async throws(CatalogueError) -> Int64? {
        guard let watch else { return nil }
        do { return try await watch.number() } catch { throw CatalogueError.wrapping(error, path: path) }
    }
}
