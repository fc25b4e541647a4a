import Editing
import Foundation
import GRDB

/// The tabs that people practise. A tab belongs to one account; its owner may let everybody read it, or named students.
extension CatalogueStore {
    private static let tabs = DocumentTable(
        name: "practiceTab", owner: "account", content: "content", revision: "version", mostRemoved: 1_000)

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
            let known = try Row.fetchOne(
                db, sql: "SELECT account, version, isShared, content FROM practiceTab WHERE id = ?",
                arguments: [change.id])
            let isOwn = known.map { $0["account"] as String == change.account } ?? true
            // A tab whose removal is forgotten has a newer version than any device knows.
            var tab = known.map(TabState.document) ?? WholeDocument(revision: Int64(change.baseVersion))
            let replaced = tab.content?.content.count
            // A tab that was removed elsewhere comes back by being changed here.
            let seen = tab.content == nil ? 0 : Int64(change.baseVersion)
            switch isOwn ? tab.replace(by: TabState(change), after: seen) : .conflicts {
            case .isDone: return .saved(id: change.id, version: Int(tab.revision))
            case .isMade:
                if let full = try Self.refusal(of: change, replacing: replaced, limits, db) { return full }
                try Self.write(change, id: change.id, version: tab.revision, db, now)
                return .saved(id: change.id, version: Int(tab.revision))
            case .conflicts:
                // A copy that was made already, but whose answer was lost, is not made again.
                if let copy = try Row.fetchOne(
                    db, sql: "SELECT id, version FROM practiceTab WHERE account = ? AND content = ?",
                    arguments: [change.account, Data(change.content)])
                {
                    return .savedAsCopy(id: copy["id"], version: copy["version"])
                }
                if let full = try Self.refusal(of: change, replacing: nil, limits, db) { return full }
                let id = UUID().uuidString.lowercased()
                try Self.write(change, id: id, version: 1, db, now)
                return .savedAsCopy(id: id, version: 1)
            }
        }
    }

    /// The fields of a tab that a person changes.
    private struct TabState: Equatable {
        var content: [UInt8]
        var isShared: Bool

        init(_ change: PracticeTabChange) { (content, isShared) = (change.content, change.isShared) }

        private init(row: Row) { (content, isShared) = (Array(row["content"] as Data), row["isShared"]) }

        static func document(_ row: Row) -> WholeDocument<TabState> {
            let state = TabState(row: row)
            return WholeDocument(state.content.isEmpty ? nil : state, revision: row["version"])
        }
    }

    private static func write(
        _ change: PracticeTabChange, id: String, version: Int64, _ db: Database, _ now: Date
    ) throws {
        try tabs.write(
            change.content, revision: version, id: id, of: change.account,
            also: [
                ("owner", change.owner), ("title", change.title), ("isShared", change.isShared),
                ("changedAt", now.millisecondsSince1970), ("removedAt", nil),
            ], db)
    }

    /// Returns the ids of an account's tabs that were removed.
    public func removedPracticeTabs(of account: String) async throws(CatalogueError) -> [String] {
        try await read { db in try Self.tabs.removed(of: account, db) }
    }

    /// Removes a tab, also for its readers; for a reader, takes another account's tab from the own list. The newest
    /// removals of an account are remembered.
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
            let now = now.millisecondsSince1970
            try Self.tabs.remove(
                id, of: account,
                also: [("title", ""), ("isShared", false), ("removedAt", now), ("changedAt", now)], db)
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
