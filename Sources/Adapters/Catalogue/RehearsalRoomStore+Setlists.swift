import GRDB

/// Stores the setlists of users. When a change returns, it survives a power cut.
extension RehearsalRoomStore {
    private static let setlists = DocumentTable(
        name: "setlist", owner: "user", content: "json", revision: "revision")

    /// Returns all setlists of a user.
    public func setlists(ofUser user: String) async throws(CatalogueError) -> [StoredDocument] {
        try await read { db in try Self.setlists.all(of: user, db) }
    }

    /// Stores a setlist.
    /// - Parameters:
    ///   - old: the revision that was changed; 0 for a new setlist.
    ///   - most: the most setlists of a user.
    public func storeSetlist(
        _ id: String, ofUser user: String, json: [UInt8], changing old: Int64, most: Int
    ) async throws(CatalogueError) -> DocumentSaving {
        let outcome = try await writeCountingLogUsage { db in
            try Self.setlists.save(json, id: id, of: user, after: old, most: most, db)
        }
        if case .saved = outcome { try await flush() }
        return outcome
    }

    /// Removes a setlist; one that is not there is no error.
    public func removeSetlist(_ id: String, ofUser user: String) async throws(CatalogueError) {
        try await writeCountingLogUsage { db in try Self.setlists.remove(id, of: user, db) }
        try await flush()
    }
}
