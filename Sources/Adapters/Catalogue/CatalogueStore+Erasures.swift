import Foundation
import GRDB

/// Deletions that the other server has to repeat. The name of a deleted thing is never used again.
public enum ErasureKind: String, Sendable {
    /// An account; the name is its id.
    case account
    /// A take of a student; the name is its folder below the folder of takes.
    case take
    /// The recording of an evening; the name is the time of its first and last sample, as
    /// milliseconds since 1970 with a hyphen between them.
    case recording
}

extension CatalogueStore {
    /// The most erasures of a kind that are remembered; the oldest are forgotten.
    public static let mostErasures = 50_000

    /// Notes that something was deleted, before its files are. Both servers then delete what they have of it.
    public func noteErasure(
        of kind: ErasureKind, named name: String, at now: Date = .now
    ) async throws(CatalogueError) {
        try await write { db in try Self.noteErasure(of: kind, named: name, at: now, db) }
    }

    /// The names of everything of a kind that was erased.
    public func erasures(of kind: ErasureKind) async throws(CatalogueError) -> [String] {
        try await read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM erasure WHERE kind = ? ORDER BY erasedAt, name",
                arguments: [kind.rawValue])
        }
    }

    static func noteErasure(of kind: ErasureKind, named name: String, at now: Date, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO erasure (kind, name, erasedAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            arguments: [kind.rawValue, name, now.millisecondsSince1970])
        try db.execute(
            sql: """
                DELETE FROM erasure WHERE kind = ?1 AND name IN (
                    SELECT name FROM erasure WHERE kind = ?1 ORDER BY erasedAt DESC, name LIMIT -1 OFFSET ?2)
                """, arguments: [kind.rawValue, mostErasures])
    }
}
