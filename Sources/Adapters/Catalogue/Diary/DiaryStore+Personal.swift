import Diary
import Foundation
import GRDB

/// What a person keeps for himself: gigs and events seen, ratings, comments. A document belongs to its writer; the store
/// does not read it.
extension DiaryStore {
    public struct PersonalDocument: Hashable, Sendable {
        public var id: String
        public var document: [UInt8]
        /// Rises by one with each change.
        public var revision: Int64
        /// Milliseconds since 1970, UTC.
        public var changedAt: Int64
    }

    /// Returns the documents of an account by id.
    public func personalDocuments(of account: String) async throws(CatalogueError) -> [PersonalDocument] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT id, document, revision, changedAt FROM personal WHERE account = ? ORDER BY id",
                arguments: [account]
            ).map {
                PersonalDocument(
                    id: $0["id"], document: Array($0["document"] as Data), revision: $0["revision"],
                    changedAt: $0["changedAt"])
            }
        }
    }

    /// Writes a document of an account.
    /// - Parameter revision: the revision that the writer knows, 0 for a new document.
    /// - Returns: the new revision; nil if there is another revision already, and nothing is written.
    public func savePersonalDocument(
        _ document: [UInt8], id: String, of account: String, after revision: Int64, atMilliseconds now: Int64
    ) async throws(CatalogueError) -> Int64? {
        try await write { db in
            let stored = try Int64.fetchOne(
                db, sql: "SELECT revision FROM personal WHERE account = ? AND id = ?",
                arguments: [account, id])
            guard stored ?? 0 == revision else { return nil }
            try db.execute(
                sql: """
                    INSERT INTO personal (account, id, document, revision, changedAt) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (account, id) DO UPDATE SET document = excluded.document,
                    revision = excluded.revision, changedAt = excluded.changedAt
                    """, arguments: [account, id, Data(document), revision + 1, now])
            return revision + 1
        }
    }

    public func removePersonalDocuments(of account: String) async throws(CatalogueError) {
        // Without a document nothing is written.
        guard try await !personalDocuments(of: account).isEmpty else { return }
        try await write { db in
            try db.execute(sql: "DELETE FROM personal WHERE account = ?", arguments: [account])
        }
    }

    public func removePersonalDocument(_ id: String, of account: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM personal WHERE account = ? AND id = ?", arguments: [account, id])
        }
    }
}
