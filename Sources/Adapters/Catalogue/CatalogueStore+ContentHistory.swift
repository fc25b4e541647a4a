import Foundation
import GRDB

/// One past edit of a concert.
public struct ConcertHistoryEntry: Equatable, Sendable {
    public let revision: Int
    public let editedAt: Date
    public let author: String
    public let label: String
    public let step: HistoryStep
    /// The revision that undid this edit; nil if the edit still applies.
    public let undoneBy: Int?
    /// The nodes that the edit changed, each once, in the order of the changes.
    public let changedNodes: [ConcertNodeID]

    /// The kind of a step in a concert's history.
    public enum HistoryStep: String, Codable, Sendable { case edit, undo, redo }
}

extension CatalogueStore {
    /// Returns a concert's newest edits, the newest first.
    /// - Parameter revision: return only edits before this one; nil starts at the newest.
    public func editHistory(
        of id: Int64, before revision: Int? = nil, most: Int = 100
    ) async throws(CatalogueError) -> [ConcertHistoryEntry] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT revision, at, author, label, course, undoneBy, effects FROM contentEdit
                    WHERE concert = ? AND revision < ? ORDER BY revision DESC LIMIT ?
                    """,
                arguments: [id, revision ?? Int.max, most]
            ).map(Self.historyEntry)
        }
    }

    static func historyEntry(_ row: Row) -> ConcertHistoryEntry {
        let effects = (try? Self.decodeEffects(row["effects"])) ?? []
        var seen: Set<ConcertNodeID> = []
        return ConcertHistoryEntry(
            revision: row["revision"], editedAt: Date(milliseconds: row["at"]), author: row["author"],
            label: row["label"], step: .init(rawValue: row["course"]) ?? .edit,
            undoneBy: row["undoneBy"],
            changedNodes: effects.map(\.changedNodeID).filter { seen.insert($0).inserted })
    }

    static func decodeEffects(_ json: String) throws -> [ConcertEditEffect] {
        try JSONDecoder().decode([ConcertEditEffect].self, from: Data(json.utf8))
    }

    /// Undoes the author's newest edit that still applies, or redoes the newest undone one, if the author has made no
    /// edit since then. Other people's edits stay.
    /// - Parameters:
    ///   - step: undo or redo.
    ///   - stuck: the revision of an edit that could not be undone; the edit before it is undone instead. Nil for the
    ///     newest.
    /// - Throws: ``ConcertEditFault/cannotUndo(revision:label:because:)`` if somebody else's later edit depends on this
    ///   edit.
    public func undoOrRedoNewestEdit(
        _ id: Int64, by author: String, as step: ConcertHistoryEntry.HistoryStep, passing stuck: Int? = nil,
        at now: Date = .now, _ checks: ConcertChecks = ConcertChecks()
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        try await changeConcert(id, by: author, at: now, checks) { tree, db in
            guard let old = try Self.newestUndoableEdit(step, of: author, before: stuck, concert: id, db)
            else {
                throw step == .undo ? ConcertEditFault.nothingToUndo : ConcertEditFault.nothingToRedo
            }
            let own = try Set(
                Int.fetchAll(
                    db,
                    sql: "SELECT revision FROM contentEdit WHERE concert = ? AND author = ? AND revision > ?",
                    arguments: [id, author, old.revision]))
            do {
                guard let effects = try? Self.decodeEffects(old.effectsJSON) else {
                    throw ConcertEditFault.historyUnreadable(revision: old.revision)
                }
                let outcome = try Self.runNamingConflictAuthors(concert: id, db) {
                    () throws(ConcertEditFault) in
                    try tree.replayEffects(effects.reversed().map(\.inverse), since: old.revision, own: own)
                }
                try tree.checkEntries(outcome, with: checks.entry)
                return MadeChange(outcome: outcome, label: old.label, step: step, undone: old.revision)
            } catch let cause as ConcertEditFault {
                throw ConcertEditFault.cannotUndo(revision: old.revision, label: old.label, because: cause)
            }
        }
    }

    private struct UndoableEdit: Sendable {
        var revision: Int
        var label: String
        var effectsJSON: String
    }

    private static func newestUndoableEdit(
        _ course: ConcertHistoryEntry.HistoryStep, of author: String, before stuck: Int?, concert: Int64,
        _ db: Database
    ) throws -> UndoableEdit? {
        // For undo: the newest edit or redo that still applies. For redo: the newest undo that still applies, unless
        // the author made another edit after it.
        let sql =
            course == .undo
            ? "course <> 'undo'"
            : """
            course = 'undo' AND NOT EXISTS (SELECT 1 FROM contentEdit AS later WHERE later.concert = e.concert
                AND later.author = e.author AND later.revision > e.revision AND later.course = 'edit')
            """
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT revision, label, effects FROM contentEdit AS e
                WHERE concert = ? AND author = ? AND undoneBy IS NULL AND revision > 1 AND revision < ? AND \(sql)
                ORDER BY revision DESC LIMIT 1
                """,
            arguments: [concert, author, stuck ?? Int.max])
        return row.map {
            UndoableEdit(revision: $0["revision"], label: $0["label"], effectsJSON: $0["effects"])
        }
    }

    /// Runs an edit. If the edit throws conflicts, adds the author of the stored value to each conflict.
    static func runNamingConflictAuthors<Value>(
        concert: Int64, _ db: Database, _ change: () throws(ConcertEditFault) -> Value
    ) throws -> Value {
        do throws(ConcertEditFault) { return try change() } catch {
            guard case .conflicts(let conflicts) = error else { throw error }
            throw ConcertEditFault.conflicts(
                try conflicts.map { conflict in
                    var conflict = conflict
                    conflict.storedValueAuthor = try String.fetchOne(
                        db, sql: "SELECT author FROM contentEdit WHERE concert = ? AND revision = ?",
                        arguments: [concert, conflict.revision])
                    return conflict
                })
        }
    }
}
