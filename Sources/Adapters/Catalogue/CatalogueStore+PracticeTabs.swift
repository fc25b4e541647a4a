import Foundation
import GRDB

/// The tabs that people practise. A tab belongs to one account; its owner may let everybody read it, or named students.
extension CatalogueStore {
    /// The number of removals that are remembered for each account, for devices that were away.
    static let mostRemovedPracticeTabs = 1_000

    private static let columns = """
        id, account, owner, title, version, isShared, changedAt, length(content) AS byteCount
        """

    private static let isReadable = """
        removedAt IS NULL AND (practiceTab.account = ?1 OR isShared OR EXISTS (
            SELECT 1 FROM practiceTabReader WHERE tab = practiceTab.id AND practiceTabReader.account = ?1))
        """

    /// Returns the tabs of an account and those that others share with it, the newest first.
    public func practiceTabs(readableBy account: String) async throws(CatalogueError) -> [StoredPracticeTab] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns) FROM practiceTab WHERE \(Self.isReadable)
                    ORDER BY changedAt DESC, id
                    """, arguments: [account]
            ).map(Self.practiceTab)
        }
    }

    /// Returns a tab with its content; nil if there is none that this account may read.
    public func practiceTab(
        _ id: String, readableBy account: String
    ) async throws(CatalogueError) -> (tab: StoredPracticeTab, content: [UInt8])? {
        try await read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT \(Self.columns), content FROM practiceTab WHERE id = ?2 AND \(Self.isReadable)
                    """, arguments: [account, id]
            ).map { row in (Self.practiceTab(row), Array(row["content"] as Data)) }
        }
    }

    /// Saves a change. If the tab is newer than the version that the change was made from, or belongs to somebody
    /// else, the change becomes a new tab, so that no work is lost.
    ///
    /// The same change sent again, because its answer was lost, changes nothing.
    public func savePracticeTab(
        _ change: PracticeTabChange, within limits: PracticeTabLimits, at now: Date = .now
    ) async throws(CatalogueError) -> SavedPracticeTab {
        try await write { db in
            let content = Data(change.content)
            let known = try Row.fetchOne(
                db,
                sql: "SELECT account, version, isShared, content, removedAt FROM practiceTab WHERE id = ?",
                arguments: [change.id])
            let isOwn = known.map { $0["account"] as String == change.account } ?? true
            let version = known.map { $0["version"] as Int } ?? 0
            if let known, isOwn, known["content"] as Data == content,
                known["isShared"] as Bool == change.isShared
            {
                return .saved(id: change.id, version: version)
            }
            // A tab that was removed elsewhere comes back by being changed here.
            let isRemoved = known.map { $0["removedAt"] as Int64? != nil } ?? false
            let replaces = known != nil && isOwn && (version == change.baseVersion || isRemoved)
            // A copy that was made already, but whose answer was lost, is not made again.
            if known != nil, !replaces,
                let copy = try Row.fetchOne(
                    db, sql: "SELECT id, version FROM practiceTab WHERE account = ? AND content = ?",
                    arguments: [change.account, content])
            {
                return .savedAsCopy(id: copy["id"], version: copy["version"])
            }
            if let full = try Self.refusal(
                of: change, replacing: replaces && !isRemoved ? (known?["content"] as Data?)?.count : nil,
                limits, db)
            {
                return full
            }
            if replaces { return try Self.replaceTab(by: change, version: version + 1, db, now) }
            return try Self.addTab(change, isKnown: known != nil, db, now)
        }
    }

    private static func replaceTab(
        by change: PracticeTabChange, version: Int, _ db: Database, _ now: Date
    ) throws -> SavedPracticeTab {
        try db.execute(
            sql: """
                UPDATE practiceTab SET owner = ?, title = ?, content = ?, version = ?, isShared = ?,
                    changedAt = ?, removedAt = NULL WHERE id = ?
                """,
            arguments: [
                change.owner, change.title, Data(change.content), version, change.isShared,
                now.millisecondsSince1970, change.id,
            ])
        return .saved(id: change.id, version: version)
    }

    /// Adds the tab; as a copy with an id of its own if the id of the change is known already.
    private static func addTab(
        _ change: PracticeTabChange, isKnown: Bool, _ db: Database, _ now: Date
    ) throws -> SavedPracticeTab {
        let id = isKnown ? UUID().uuidString.lowercased() : change.id
        // A tab whose removal is forgotten has a newer version than any device knows.
        let version = isKnown ? 1 : change.baseVersion + 1
        try db.execute(
            sql: """
                INSERT INTO practiceTab (id, account, owner, title, content, version, isShared, changedAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, change.account, change.owner, change.title, Data(change.content), version,
                change.isShared, now.millisecondsSince1970,
            ])
        return isKnown ? .savedAsCopy(id: id, version: version) : .saved(id: id, version: version)
    }

    /// Returns the ids of an account's tabs that were removed.
    public func removedPracticeTabs(of account: String) async throws(CatalogueError) -> [String] {
        try await read { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM practiceTab WHERE account = ? AND removedAt IS NOT NULL ORDER BY id",
                arguments: [account])
        }
    }

    /// Removes a tab, also for its readers; for a reader, takes another account's tab from the own list. The newest
    /// removals of an account are remembered; see ``mostRemovedPracticeTabs``.
    /// - Parameter version: the version that the person saw.
    /// - Returns: false if the tab has changed since then; it stays. True if it is gone, or was gone before.
    public func removePracticeTab(
        _ id: String, of account: String, version: Int, at now: Date = .now
    ) async throws(CatalogueError) -> Bool {
        try await write { db in
            let found = try Int.fetchOne(
                db, sql: "SELECT version FROM practiceTab WHERE id = ? AND account = ? AND removedAt IS NULL",
                arguments: [id, account])
            guard let found else {
                try db.execute(
                    sql: "DELETE FROM practiceTabReader WHERE tab = ? AND account = ?",
                    arguments: [id, account])
                return true
            }
            guard found <= version else { return false }
            try db.execute(sql: "DELETE FROM practiceTabReader WHERE tab = ?", arguments: [id])
            try db.execute(
                sql: """
                    UPDATE practiceTab SET content = x'', title = '', isShared = 0, version = version + 1,
                        removedAt = ?1, changedAt = ?1 WHERE id = ?2
                    """, arguments: [now.millisecondsSince1970, id])
            try db.execute(
                sql: """
                    DELETE FROM practiceTab WHERE account = ?1 AND removedAt IS NOT NULL AND id NOT IN (
                        SELECT id FROM practiceTab WHERE account = ?1 AND removedAt IS NOT NULL
                        ORDER BY removedAt DESC LIMIT ?2)
                    """, arguments: [account, Self.mostRemovedPracticeTabs])
            return true
        }
    }

    private static func refusal(
        of change: PracticeTabChange, replacing replaced: Int?, _ limits: PracticeTabLimits, _ db: Database
    ) throws -> SavedPracticeTab? {
        let added = change.content.count - (replaced ?? 0)
        let own = try Row.fetchOne(
            db,
            sql:
                """
                SELECT count(*) AS tabs, total(length(content)) AS bytes FROM practiceTab
                WHERE account = ? AND removedAt IS NULL
                """,
            arguments: [change.account])
        if replaced == nil, own?["tabs"] as Int? ?? 0 >= limits.tabsOfAccount {
            return .tooManyTabs(limits.tabsOfAccount)
        }
        if added > 0, Int(own?["bytes"] as Double? ?? 0) + added > limits.bytesOfAccount {
            return .accountFull(bytes: limits.bytesOfAccount)
        }
        let all = try Double.fetchOne(db, sql: "SELECT total(length(content)) FROM practiceTab") ?? 0
        return added > 0 && Int(all) + added > limits.totalBytes
            ? .storageFull(bytes: limits.totalBytes) : nil
    }

    private static func practiceTab(_ row: Row) -> StoredPracticeTab {
        StoredPracticeTab(
            id: row["id"], account: row["account"], owner: row["owner"], title: row["title"],
            version: row["version"], isShared: row["isShared"], byteCount: row["byteCount"],
            changedAtMilliseconds: row["changedAt"])
    }
}
