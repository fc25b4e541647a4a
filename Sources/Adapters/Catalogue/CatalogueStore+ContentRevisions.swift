import Foundation
import GRDB

/// One past edit of a concert with everything that the edit changed.
public struct PastConcertEdit: Sendable {
    /// One change that a past edit made.
    public enum Change: Equatable, Sendable {
        case wrote(ConcertNodeID, field: String, from: String?, to: String?)
        case made(ConcertNodeID)
        case removed(ConcertNodeID)
        case moved(ConcertNodeID)

        public var node: ConcertNodeID {
            switch self {
            case .wrote(let id, _, _, _), .made(let id), .removed(let id), .moved(let id): id
            }
        }
    }

    public let historyEntry: ConcertHistoryEntry
    public let changes: [Change]
    /// The concert after this edit.
    public let treeAfter: ConcertTree
    /// The concert before this edit.
    public let treeBefore: ConcertTree
    public let newestRevision: Int
}

extension CatalogueStore {
    /// Returns a past edit, with the concert as it was directly after the edit.
    /// - Complexity: O(edits since then); some milliseconds for a thousand edits.
    public func pastEdit(of id: Int64, revision: Int) async throws(ConcertEditFault) -> PastConcertEdit {
        do {
            return try await pool.read { db in
                guard let newest = try Self.contentTree(of: id, db) else {
                    throw ConcertEditFault.noSuchConcert(id)
                }
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM contentEdit WHERE concert = ? AND revision = ?",
                    arguments: [id, revision])
                guard let row else {
                    throw ConcertEditFault.noSuchRevision(revision, newest: newest.revision)
                }
                let tree = try Self.rewound(newest, to: revision, concert: id, db)
                guard let effects = try? Self.decodeEffects(row["effects"]) else {
                    throw ConcertEditFault.historyUnreadable(revision: revision)
                }
                var before = tree
                before.rewind(effects)
                return PastConcertEdit(
                    historyEntry: Self.historyEntry(row), changes: effects.map(Self.pastChange),
                    treeAfter: tree, treeBefore: before,
                    newestRevision: newest.revision)
            }
        } catch {
            throw (error as? ConcertEditFault) ?? .catalogue(.wrapping(error, path: path))
        }
    }

    /// Restores a concert, or one node with everything below it, to an earlier revision. The restoration is a new edit,
    /// which can be undone.
    /// - Parameter seen: the newest revision that the author has seen.
    /// - Throws: ``ConcertEditFault/editedSince(seen:newest:)`` if somebody edited after that revision.
    public func restoreRevision(
        _ id: Int64, revision: Int, node: ConcertNodeID = .root, seen: Int, by author: String, label: String,
        at now: Date = .now, _ checks: ConcertChecks = ConcertChecks()
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        try await changeConcert(id, by: author, at: now, checks) { tree, db in
            guard (1...tree.revision).contains(revision) else {
                throw ConcertEditFault.noSuchRevision(revision, newest: tree.revision)
            }
            guard seen == tree.revision else {
                throw ConcertEditFault.editedSince(seen: seen, newest: tree.revision)
            }
            let then = try Self.rewound(tree, to: revision, concert: id, db)
            return MadeChange(outcome: try tree.restore(then, below: node), label: label)
        }
    }

    /// Returns a concert's tree at an earlier revision, by reversing the later edits, newest first.
    private static func rewound(
        _ newest: ConcertTree, to revision: Int, concert: Int64, _ db: Database
    ) throws -> ConcertTree {
        var tree = newest
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT revision, effects FROM contentEdit WHERE concert = ? AND revision > ?
                ORDER BY revision DESC
                """,
            arguments: [concert, revision])
        while let row = try rows.next() {
            guard let effects = try? decodeEffects(row["effects"]) else {
                throw ConcertEditFault.historyUnreadable(revision: row["revision"])
            }
            tree.rewind(effects)
        }
        return tree
    }

    private static func pastChange(_ effect: ConcertEditEffect) -> PastConcertEdit.Change {
        switch effect {
        case .field(let id, let name, let from, let to): .wrote(id, field: name, from: from, to: to)
        case .presence(let id, let isThere): isThere ? .made(id) : .removed(id)
        case .place(let id, _, _): .moved(id)
        }
    }
}
