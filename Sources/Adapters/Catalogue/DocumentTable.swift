import Editing
import Foundation
import GRDB

/// A document as it is stored.
public struct StoredDocument: Hashable, Sendable {
    public var id: String
    public var content: [UInt8]
    /// Rises by one with each change.
    public var revision: Int64
}

/// The outcome of saving a document.
public enum DocumentSaving: Hashable, Sendable {
    case saved(revision: Int64)
    /// Somebody else has changed it since the author looked: the present one, nil if it was removed. Nothing is
    /// written.
    case conflict(StoredDocument?)
    /// The person has as many documents as there may be. Nothing is written.
    case tooMany
}

/// A table of documents of which only the whole is replaced; each belongs to one person, and the store does not read
/// it.
///
/// A removed document stays as a row without content, so that the person's other devices learn of it.
struct DocumentTable: Sendable {
    let name: String
    /// The names of the columns; the id is in the column `id`.
    let owner, content, revision: String
    /// The number of removals of a person that are remembered; with 0, rows are deleted.
    var mostRemoved = 0

    typealias Columns = [(name: String, value: (any DatabaseValueConvertible)?)]

    /// Returns a person's documents by id, without those that were removed.
    func all(of person: String, _ db: Database) throws -> [StoredDocument] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, \(content), \(revision) FROM \(name) WHERE \(owner) = ? AND \(content) <> x'' ORDER BY id
                """, arguments: [person]
        ).map { StoredDocument(id: $0[0], content: Array($0[1] as Data), revision: $0[2]) }
    }

    /// Returns the ids of a person's documents that were removed.
    func removed(of person: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM \(name) WHERE \(owner) = ? AND \(content) = x'' ORDER BY id",
            arguments: [person])
    }

    /// Saves a document.
    /// - Parameters:
    ///   - seen: the revision that the author saw; 0 for a new document.
    ///   - most: the most documents of a person.
    ///   - columns: further columns of the row.
    func save(
        _ new: [UInt8], id: String, of person: String, after seen: Int64, most: Int,
        also columns: Columns = [],
        _ db: Database
    ) throws -> DocumentSaving {
        var document = try document(id, of: person, db)
        let isNew = document.content == nil
        switch document.replace(by: new, after: seen) {
        case .isDone: break
        case .conflicts:
            return .conflict(
                document.content.map { StoredDocument(id: id, content: $0, revision: document.revision) })
        case .isMade:
            if isNew, try all(of: person, db).count >= most { return .tooMany }
            try write(new, revision: document.revision, id: id, of: person, also: columns, db)
        }
        return .saved(revision: document.revision)
    }

    /// Removes a document; one that is not there is no error.
    func remove(_ id: String, of person: String, also columns: Columns = [], _ db: Database) throws {
        guard mostRemoved > 0 else {
            return try db.execute(
                sql: "DELETE FROM \(name) WHERE \(owner) = ? AND id = ?", arguments: [person, id])
        }
        let changed = columns.map { ", \($0.name) = ?" }.joined()
        try db.execute(
            sql: """
                UPDATE \(name) SET \(content) = x'', \(revision) = \(revision) + 1\(changed)
                WHERE \(owner) = ? AND id = ? AND \(content) <> x''
                """, arguments: StatementArguments(columns.map { $0.value } + [person, id]))
        try db.execute(
            sql: """
                DELETE FROM \(name) WHERE \(owner) = ?1 AND \(content) = x'' AND id NOT IN (
                    SELECT id FROM \(name) WHERE \(owner) = ?1 AND \(content) = x''
                    ORDER BY changedAt DESC, id LIMIT ?2)
                """, arguments: [person, mostRemoved])
    }

    private func document(_ id: String, of person: String, _ db: Database) throws -> WholeDocument<[UInt8]> {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(content), \(revision) FROM \(name) WHERE \(owner) = ? AND id = ?",
            arguments: [person, id])
        guard let row else { return WholeDocument() }
        let content = Array(row[0] as Data)
        return WholeDocument(content.isEmpty ? nil : content, revision: row[1])
    }

    /// Writes a row as it will be.
    func write(
        _ new: [UInt8], revision next: Int64, id: String, of person: String, also columns: Columns,
        _ db: Database
    ) throws {
        let written: Columns = [(content, Data(new)), (revision, next)] + columns
        let all: Columns = [(owner, person), ("id", id)] + written
        try db.execute(
            sql: """
                INSERT INTO \(name) (\(all.map { $0.name }.joined(separator: ", ")))
                VALUES (\(databaseQuestionMarks(count: all.count)))
                ON CONFLICT DO UPDATE SET \(written.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", "))
                """, arguments: StatementArguments(all.map { $0.value }))
    }
}
