import Foundation
import GRDB

/// One past edit of a concert.
public struct ContentHistoryEntry: Equatable, Sendable {
    public let revision: Int
    public let at: Date
    public let author: String
    public let label: String
    public let step: HistoryStep
    /// The revision that undid this edit; nil if the edit still applies.
    public let undoneBy: Int?
    /// The nodes that the edit changed, each once, in the order of the changes.
    public let touched: [ContentNodeID]

    public enum HistoryStep: String, Codable, Sendable { case edit, undo, redo }
}

extension CatalogueStore {
    /// Returns a concert's newest edits, the newest first.
    /// - Parameter revision: return only edits before this one; nil starts at the newest.
    public func history(
        of id: Int64, before revision: Int? = nil, most: Int = 100
    ) async throws(CatalogueError) -> [ContentHistoryEntry] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT revision, at, author, label, course, undoneBy, effects FROM contentEdit
                    WHERE concert = ? AND revision < ? ORDER BY revision DESC LIMIT ?
                    """,
                arguments: [id, revision ?? Int.max, most]
            ).map(Self.entry)
        }
    }

    static func entry(_ row: Row) -> ContentHistoryEntry {
        let effects = (try? Self.effects(row["effects"])) ?? []
        var seen: Set<ContentNodeID> = []
        return ContentHistoryEntry(
            revision: row["revision"], at: Date(milliseconds: row["at"]), author: row["author"],
            label: row["label"], step: .init(rawValue: row["course"]) ?? .edit,
            undoneBy: row["undoneBy"], touched: effects.map(\.node).filter { seen.insert($0).inserted })
    }

    static func effects(_ json: String) throws -> [ContentEffect] {
        try JSONDecoder().decode([ContentEffect].self, from: Data(json.utf8))
    }

    /// Undoes the author's newest edit that still applies. Other people's edits stay.
    /// - Parameters:
    ///   - stuck: the revision of an edit that could not be undone; the edit before it is undone instead. Nil for the
    ///     newest.
    ///   - fault: as in ``edit(_:_:at:checking:)``.
    /// - Throws: ``ContentFault/cannotUndo(revision:label:because:)`` if somebody else's later edit depends on this
    ///   edit.
    public func undo(
        _ id: Int64, by author: String, passing stuck: Int? = nil, at now: Date = .now,
        checking fault: @escaping EntryCheck = { _ in nil }
    ) async throws(ContentFault) -> ContentEditResult {
        try await undoOrRedo(id, by: author, as: .undo, passing: stuck, at: now, checking: fault)
    }

    /// Redoes the author's newest undone edit, if the author has made no edit since then.
    public func redo(
        _ id: Int64, by author: String, passing stuck: Int? = nil, at now: Date = .now,
        checking fault: @escaping EntryCheck = { _ in nil }
    ) async throws(ContentFault) -> ContentEditResult {
        try await undoOrRedo(id, by: author, as: .redo, passing: stuck, at: now, checking: fault)
    }

    private func undoOrRedo(
        _ id: Int64, by author: String, as course: ContentHistoryEntry.HistoryStep, passing stuck: Int?,
        at now: Date, checking fault: @escaping EntryCheck
    ) async throws(ContentFault) -> ContentEditResult {
        try await writeContent { db in
            guard var tree = try Self.tree(of: id, db) else { throw ContentFault.noSuchConcert(id) }
            guard let old = try Self.newestUndoableEdit(course, of: author, before: stuck, concert: id, db)
            else {
                throw course == .undo ? ContentFault.nothingToUndo : ContentFault.nothingToRedo
            }
            let own = try Set(
                Int.fetchAll(
                    db,
                    sql: "SELECT revision FROM contentEdit WHERE concert = ? AND author = ? AND revision > ?",
                    arguments: [id, author, old.revision]))
            let outcome: ContentTree.Outcome
            do {
                guard let effects = try? Self.effects(old.effects) else {
                    throw ContentFault.historyUnreadable(revision: old.revision)
                }
                outcome = try Self.namingConflictAuthors(concert: id, db) { () throws(ContentFault) in
                    try tree.replay(effects.reversed().map(\.inverse), since: old.revision, own: own)
                }
                try tree.checkEntries(outcome, with: fault)
            } catch let cause as ContentFault {
                throw ContentFault.cannotUndo(revision: old.revision, label: old.label, because: cause)
            }
            try Self.saveTree(tree, outcome.touched, outcome.fields, concert: id, db)
            let edit = ContentEdit(base: nil, changes: [], author: author, label: old.label)
            try Self.recordEdit(
                edit, course, outcome.effects, revision: tree.revision, concert: id, at: now, db)
            try db.execute(
                sql: "UPDATE contentEdit SET undoneBy = ? WHERE concert = ? AND revision = ?",
                arguments: [tree.revision, id, old.revision])
            return ContentEditResult(tree: tree, hasChanged: true)
        }
    }

    private struct UndoableEdit: Sendable {
        var revision: Int
        var label: String
        var effects: String
    }

    private static func newestUndoableEdit(
        _ course: ContentHistoryEntry.HistoryStep, of author: String, before stuck: Int?, concert: Int64,
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
        return row.map { UndoableEdit(revision: $0["revision"], label: $0["label"], effects: $0["effects"]) }
    }

    static func recordEdit(
        _ edit: ContentEdit, _ course: ContentHistoryEntry.HistoryStep, _ effects: [ContentEffect],
        revision: Int,
        concert: Int64, at now: Date, _ db: Database
    ) throws {
        let json = String(decoding: try JSONEncoder().encode(effects), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO contentEdit (concert, revision, at, author, label, course, effects)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                concert, revision, now.milliseconds, edit.author, edit.label, course.rawValue, json,
            ])
    }

    /// Runs an edit. If the edit throws conflicts, adds to each the name of the author who wrote the present value.
    static func namingConflictAuthors<Value>(
        concert: Int64, _ db: Database, _ change: () throws(ContentFault) -> Value
    ) throws -> Value {
        do throws(ContentFault) { return try change() } catch {
            guard case .conflicts(let conflicts) = error else { throw error }
            throw ContentFault.conflicts(
                try conflicts.map { conflict in
                    var conflict = conflict
                    conflict.author = try String.fetchOne(
                        db, sql: "SELECT author FROM contentEdit WHERE concert = ? AND revision = ?",
                        arguments: [concert, conflict.revision])
                    return conflict
                })
        }
    }
}
