import Foundation
import GRDB

/// A user's setlist as stored on disk.
public struct StoredSetlist: Equatable, Sendable {
    public var json: [UInt8]
    /// Rises by one with each change.
    public var revision: Int
}

/// The result of storing a setlist.
public enum SetlistStoring: Equatable, Sendable {
    case stored(revision: Int)
    /// Its revision is not the one that was changed.
    case changedMeanwhile
    case tooMany
}

extension RehearsalRoomStore {
    /// Returns all setlists of a user.
    public func setlists(ofUser user: String) async throws(CatalogueError) -> [StoredSetlist] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT json, revision FROM setlist WHERE user = ? ORDER BY id", arguments: [user]
            ).map { StoredSetlist(json: Array($0["json"] as Data), revision: $0["revision"]) }
        }
    }

    /// Stores a setlist. When this returns, it survives a power cut.
    /// - Parameters:
    ///   - old: the revision that was changed; 0 for a new setlist.
    ///   - most: the most setlists of a user.
    public func storeSetlist(
        _ id: String, ofUser user: String, json: [UInt8], changing old: Int, most: Int
    ) async throws(CatalogueError) -> SetlistStoring {
        let outcome: SetlistStoring = try await writeCountingLogUsage { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT revision, json FROM setlist WHERE user = ? AND id = ?",
                arguments: [user, id])
            let revision: Int = row?["revision"] ?? 0
            // The answer to the same change may have been lost on its way.
            if let row, Array(row["json"] as Data) == json { return .stored(revision: revision) }
            guard revision == old else { return .changedMeanwhile }
            if row == nil {
                let count =
                    try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM setlist WHERE user = ?", arguments: [user]) ?? 0
                guard count < most else { return .tooMany }
            }
            try db.execute(
                sql: """
                    INSERT INTO setlist (user, id, revision, json) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user, id) DO UPDATE SET revision = excluded.revision, json = excluded.json
                    """, arguments: [user, id, revision + 1, Data(json)])
            return .stored(revision: revision + 1)
        }
        if case .stored = outcome { try await flush() }
        return outcome
    }

    /// Removes a setlist; one that is not there is no error.
    public func removeSetlist(_ id: String, ofUser user: String) async throws(CatalogueError) {
        try await writeCountingLogUsage { db in
            try db.execute(sql: "DELETE FROM setlist WHERE user = ? AND id = ?", arguments: [user, id])
        }
        try await flush()
    }
}
