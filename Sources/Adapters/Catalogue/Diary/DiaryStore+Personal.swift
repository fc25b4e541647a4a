import GRDB

/// Stores a person's own records: gigs and events seen, ratings, comments.
extension DiaryStore {
    private static let own = DocumentTable(
        name: "personal", owner: "account", content: "document", revision: "revision", mostRemoved: 5_000)

    /// Returns the documents of an account by id, without those that were removed.
    public func personalDocuments(of account: String) async throws(CatalogueError) -> [StoredDocument] {
        try await read { db in try Self.own.all(of: account, db) }
    }

    /// Writes a document of an account.
    /// - Parameters:
    ///   - revision: the revision that the writer knows, 0 for a new document.
    ///   - most: the most documents of an account.
    public func savePersonalDocument(
        _ document: [UInt8], id: String, of account: String, after revision: Int64, most: Int = .max,
        atMilliseconds now: Int64
    ) async throws(CatalogueError) -> DocumentSaving {
        try await write { db in
            try Self.own.save(
                document, id: id, of: account, after: revision, most: most, also: [("changedAt", now)], db)
        }
    }

    public func removePersonalDocuments(of account: String) async throws(CatalogueError) {
        // Without a document nothing is written.
        let isNone = try await read { db in
            try Self.own.all(of: account, db).isEmpty && Self.own.removed(of: account, db).isEmpty
        }
        guard !isNone else { return }
        try await write { db in
            try db.execute(sql: "DELETE FROM personal WHERE account = ?", arguments: [account])
        }
    }

    public func removePersonalDocument(
        _ id: String, of account: String, atMilliseconds now: Int64
    ) async throws(CatalogueError) {
        try await write { db in try Self.own.remove(id, of: account, also: [("changedAt", now)], db) }
    }

    /// Returns the ids of the documents of an account that were removed.
    public func removedPersonalDocuments(of account: String) async throws(CatalogueError) -> [String] {
        try await read { db in try Self.own.removed(of: account, db) }
    }
}
