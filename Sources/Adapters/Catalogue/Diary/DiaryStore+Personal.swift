import Diary
import Foundation
import GRDB

/// Stores a person's own records: gigs and events seen, ratings, comments. A document belongs to its writer; the store
/// does not read it.
extension DiaryStore {
    /// A person's document with its revision.
    public struct PersonalDocument: Hashable, Sendable {
        public var id: String
        public var document: [UInt8]
        /// Rises by one with each change.
        public var revision: Int64
        /// Milliseconds since 1970, UTC.
        public var changedAt: Int64
    }

    /// The removed documents of an account that are remembered; the oldest are forgotten first.
    static let mostRemoved = 5_000

    /// Returns the documents of an account by id, without those that were removed.
    public func personalDocuments(of account: String) async throws(CatalogueError) -> [PersonalDocument] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT id, document, revision, changedAt FROM personal WHERE account = ? AND document <> x'' ORDER BY id",
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
            let row = try Row.fetchOne(
                db,
                sql: "SELECT revision, document <> x'' AS isThere FROM personal WHERE account = ? AND id = ?",
                arguments: [account, id])
            let (known, isThere) = (row?["revision"] as Int64? ?? 0, row?["isThere"] as Bool? ?? false)
            // One that was removed may be added again.
            guard (isThere ? known : 0) == revision else { return nil }
            let next = known + 1
            try db.execute(
                sql: """
                    INSERT INTO personal (account, id, document, revision, changedAt) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (account, id) DO UPDATE SET document = excluded.document,
                    revision = excluded.revision, changedAt = excluded.changedAt
                    """, arguments: [account, id, Data(document), next, now])
            return next
        }
    }

    public func removePersonalDocuments(of account: String) async throws(CatalogueError) {
        // Without a document nothing is written.
        let isNone = try await read { db in
            try
                !(Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM personal WHERE account = ?)", arguments: [account])
                ?? false)
        }
        guard !isNone else { return }
        try await write { db in
            try db.execute(sql: "DELETE FROM personal WHERE account = ?", arguments: [account])
        }
    }

    /// Removes a document. Its id is kept without content, so that the person's other devices learn of it.
    public func removePersonalDocument(
        _ id: String, of account: String, atMilliseconds now: Int64
    ) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE personal SET document = x'', revision = revision + 1, changedAt = ?
                    WHERE account = ? AND id = ? AND document <> x''
                    """, arguments: [now, account, id])
            try db.execute(
                sql: """
                    DELETE FROM personal WHERE account = ?1 AND document = x'' AND id NOT IN (
                        SELECT id FROM personal WHERE account = ?1 AND document = x''
                        ORDER BY changedAt DESC, id LIMIT \(Self.mostRemoved)
                    )
                    """, arguments: [account])
        }
    }

    /// Returns the ids of the documents of an account that were removed.
    public func removedPersonalDocuments(of account: String) async throws(CatalogueError) -> [String] {
        try await read { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM personal WHERE account = ? AND document = x'' ORDER BY id",
                arguments: [account])
        }
    }
}
