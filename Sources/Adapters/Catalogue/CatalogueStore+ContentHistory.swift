import Foundation
import GRDB

/// One past edit.
public struct ContentHistoryEntry: Equatable, Sendable {
    public let revision: Int
    public let at: Date
    public let author: String
    public let label: String
    public let course: HistoryStep
    /// The revision that undid this edit; nil if it still applies.
    public let undoneBy: Int?
    /// The nodes that the edit changed, each once, in the order of the changes.
    public let touched: [ContentNodeID]

    public enum HistoryStep: String, Codable, Sendable { case edit, undo, redo }
}

extension CatalogueStore {
    /// The newest edits, newest first.
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
            label: row["label"], course: .init(rawValue: row["course"]) ?? .edit,
            undoneBy: row["undoneBy"], touched: effects.map(\.node).filter { seen.insert($0).inserted })
    }

    static func effects(_ json: String) throws -> [ContentEffect] {
        try JSONDecoder().decode([ContentEffect].self, from: Data(json.utf8))
    }

    /// Undoes the newest edit of an author that still applies. Other people's edits stay.
    /// - Parameters:
    ///   - stuck: an edit that could not be undone: undo the one before it; nil for the newest.
    ///   - fault: as in ``edit(_:_:at:checking:)``.
    /// - Throws: ``ContentFault/stuck(revision:label:because:)`` if somebody else's later edit depends on it.
    public func undo(
        _ id: Int64, by author: String, passing stuck: Int? = nil, at now: Date = .now,
        checking fault: @escaping EntryCheck = { _ in nil }
    ) async throws(ContentFault) -> ContentEditResult {
        try await takeBack(id, by: author, as: .undo, passing: stuck, at: now, checking: fault)
    }

    /// Redoes the newest undone edit of an author, if that author has made no edit since.
    public func redo(
        _ id: Int64, by author: String, passing stuck: Int? = nil, at now: Date = .now,
        checking fault: @escaping EntryCheck = { _ in nil }
    ) async throws(ContentFault) -> ContentEditResult {
        try await takeBack(id, by: author, as: .redo, passing: stuck, at: now, checking: fault)
    }

    private func takeBack(
        _ id: Int64, by author: String, as course: ContentHistoryEntry.HistoryStep, passing stuck: Int?,
        at now: Date, checking fault: @escaping EntryCheck
    ) async throws(ContentFault) -> ContentEditResult {
        try await contentWrite { db in
            guard var tree = try Self.tree(of: id, db) else { throw ContentFault.noSuchConcert(id) }
            guard let old = try Self.newest(course, of: author, before: stuck, concert: id, db) else {
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
                outcome = try Self.naming(concert: id, db) { () throws(ContentFault) in
                    try tree.replay(effects.reversed().map(\.inverse), since: old.revision, own: own)
                }
                try tree.check(outcome, with: fault)
            } catch let cause as ContentFault {
                throw ContentFault.stuck(revision: old.revision, label: old.label, because: cause)
            }
            try Self.store(tree, outcome.touched, outcome.fields, concert: id, db)
            let edit = ContentEdit(base: nil, changes: [], author: author, label: old.label)
            try Self.note(
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

    private static func newest(
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

    static func note(
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

    /// Adds to each conflict the name of the author of the present value.
    static func naming<Value>(
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
