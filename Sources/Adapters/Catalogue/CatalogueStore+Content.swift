import Foundation
import GRDB

/// A concert as it appears in the list of concerts.
public struct ConcertSummary: Equatable, Sendable {
    public let id: Int64
    public let title: String
    public let revision: Int
    public let created: Date
    /// True for the one concert that the audience sees.
    public let isPublic: Bool
}

/// The result of an edit to a concert.
public struct ConcertEditResult: Equatable, Sendable {
    /// The concert's content at its newest revision.
    public let newestTree: ConcertTree
    /// True if the edit changed something and made a revision.
    public let hasChanged: Bool
}

extension CatalogueStore {
    /// Counts the slides of all concerts that were not removed, and the bytes of their texts.
    /// - Cost: reads all slides; some milliseconds for 10,000.
    public func slideCountAndBytes() async throws(CatalogueError) -> (count: Int, bytes: Int) {
        try await read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(DISTINCT contentNode.concert || '/' || contentNode.id) AS slides,
                        coalesce(sum(length(CAST(contentField.value AS BLOB))), 0) AS bytes
                    FROM contentNode JOIN concert ON concert.id = contentNode.concert
                    LEFT JOIN contentField ON contentField.concert = contentNode.concert
                        AND contentField.node = contentNode.id
                    WHERE contentNode.kind = 'slide' AND contentNode.removed IS NULL AND concert.removedAt IS NULL
                    """)
            return (row?["slides"] ?? 0, row?["bytes"] ?? 0)
        }
    }

    /// Returns all concerts that were not removed, the oldest first.
    public func concerts() async throws(CatalogueError) -> [ConcertSummary] {
        try await read { db in
            let served = try Self.publicConcertID(db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT concert.*, contentField.value AS title FROM concert
                    LEFT JOIN contentField ON contentField.concert = concert.id
                        AND contentField.node = ? AND contentField.name = 'title'
                    WHERE removedAt IS NULL ORDER BY concert.id
                    """,
                arguments: [ConcertNodeID.root.rawValue]
            ).map { row in
                ConcertSummary(
                    id: row["id"], title: row["title"] ?? "", revision: row["revision"],
                    created: Date(milliseconds: row["createdAt"]), isPublic: row["id"] == served)
            }
        }
    }

    /// Makes a concert from a list of changes.
    /// - Parameter servesFirst: true to show the concert to the audience at once if it is the only one.
    /// - Throws: ``ConcertEditFault``; then no concert was made.
    public func makeConcert(
        _ changes: [ConcertChange], author: String, label: String, servesFirst: Bool = false,
        at now: Date = .now, _ checks: ConcertChecks = ConcertChecks()
    ) async throws(ConcertEditFault) -> Int64 {
        var new = ConcertTree()
        var outcome = try new.applyEdit(
            ConcertEdit(baseRevision: nil, changes: changes, author: author, label: label))
        try new.checkEntries(outcome, with: checks.entry)
        outcome.nodesToSave.insert(.root)
        let (tree, made) = (new, MadeChange(outcome: outcome, label: label))
        return try await runContentTransaction { db in
            try db.execute(
                sql: "INSERT INTO concert (revision, createdAt) VALUES (?, ?)",
                arguments: [tree.revision, now.millisecondsSince1970])
            let id = db.lastInsertedRowID
            try Self.save(tree, made, by: author, concert: id, at: now, db)
            let isOnly =
                try Int.fetchOne(db, sql: "SELECT count(*) FROM concert WHERE removedAt IS NULL") == 1
            if servesFirst, isOnly {
                try db.execute(
                    sql: "INSERT INTO servedConcert (one, concert) VALUES (1, ?) ON CONFLICT DO NOTHING",
                    arguments: [id])
            }
            return id
        }
    }

    /// Removes a concert from the list of concerts; its history stays in the database. The concert that the audience
    /// sees cannot be removed.
    public func removeConcert(_ id: Int64, at now: Date = .now) async throws(ConcertEditFault) {
        try await runContentTransaction { db in
            guard try Self.concertRevision(of: id, db) != nil, try Self.publicConcertID(db) != id else {
                throw ConcertEditFault.noSuchConcert(id)
            }
            try db.execute(
                sql: "UPDATE concert SET removedAt = ? WHERE id = ?",
                arguments: [now.millisecondsSince1970, id])
        }
    }

    /// Chooses the concert that the audience sees.
    public func makeConcertPublic(_ id: Int64) async throws(ConcertEditFault) {
        try await runContentTransaction { db in
            guard try Self.concertRevision(of: id, db) != nil else {
                throw ConcertEditFault.noSuchConcert(id)
            }
            try db.execute(
                sql: """
                    INSERT INTO servedConcert (one, concert) VALUES (1, ?)
                    ON CONFLICT (one) DO UPDATE SET concert = excluded.concert
                    """,
                arguments: [id])
        }
    }

    /// Shows no concert to the audience.
    public func makeNoConcertPublic() async throws(ConcertEditFault) {
        try await runContentTransaction { db in try db.execute(sql: "DELETE FROM servedConcert") }
    }

    /// Returns the concert that the audience sees, and its newest revision; nil if there is no such concert. Quick.
    public func publicConcertRevision() async throws(CatalogueError) -> (concert: Int64, revision: Int)? {
        try await read { db in
            guard let id = try Self.publicConcertID(db), let revision = try Self.concertRevision(of: id, db)
            else {
                return nil
            }
            return (id, revision)
        }
    }

    /// Returns a text that changes whenever a score or the content of a concert does.
    public func contentAndScoresRevision() async throws(CatalogueError) -> String {
        try await read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) || '.' || coalesce(sum(revision), 0) FROM score WHERE removedAt IS NULL)
                        || '/' || (SELECT count(*) || '.' || coalesce(max(at), 0) FROM contentEdit)
                        || '/' || (SELECT count(*) FROM concert WHERE removedAt IS NULL)
                        || '/' || coalesce((SELECT concert FROM servedConcert), '')
                    """) ?? ""
        }
    }

    /// Returns the whole content of a concert at its newest revision.
    /// - Complexity: O(nodes); some milliseconds for a thousand slides.
    public func concertContent(of id: Int64) async throws(ConcertEditFault) -> ConcertTree {
        let tree: ConcertTree?
        do throws(CatalogueError) { tree = try await read { db in try Self.contentTree(of: id, db) } } catch {
            throw .catalogue(error)
        }
        guard let tree else { throw .noSuchConcert(id) }
        return tree
    }

    /// Makes an edit as a whole, or not at all. The edit is on the disk when this returns.
    /// - Throws: ``ConcertEditFault/conflicts(_:)`` if somebody else changed the same fields or nodes in the meantime.
    public func editConcert(
        _ id: Int64, _ edit: ConcertEdit, at now: Date = .now, _ checks: ConcertChecks = ConcertChecks()
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        try await changeConcert(id, by: edit.author, at: now, checks) { tree, db in
            let outcome = try Self.runNamingConflictAuthors(concert: id, db) { () throws(ConcertEditFault) in
                try tree.applyEdit(edit)
            }
            return MadeChange(outcome: outcome, label: edit.label)
        }
    }

    /// A change of a concert that is to be recorded.
    struct MadeChange {
        var outcome: ConcertTree.EditOutcome
        var label: String
        var step = ConcertHistoryEntry.HistoryStep.edit
        /// The revision that this undoes or redoes; nil for a new edit.
        var undone: Int?
    }

    /// Changes a concert in one transaction, and records the change.
    func changeConcert(
        _ id: Int64, by author: String, at now: Date, _ checks: ConcertChecks,
        _ change: @escaping @Sendable (inout ConcertTree, Database) throws -> MadeChange
    ) async throws(ConcertEditFault) -> ConcertEditResult {
        try await runContentTransaction { db in
            guard let before = try Self.contentTree(of: id, db) else {
                throw ConcertEditFault.noSuchConcert(id)
            }
            var tree = before
            let made = try change(&tree, db)
            try tree.checkEntries(made.outcome, with: checks.entry)
            guard !made.outcome.effects.isEmpty || made.undone != nil else {
                return ConcertEditResult(newestTree: tree, hasChanged: false)
            }
            if let refusal = checks.whole(id, before, tree) { throw refusal }
            try Self.save(tree, made, by: author, concert: id, at: now, db)
            return ConcertEditResult(newestTree: tree, hasChanged: true)
        }
    }

    /// Writes what a change has left of the tree, and the change itself.
    private static func save(
        _ tree: ConcertTree, _ made: MadeChange, by author: String, concert: Int64, at now: Date,
        _ db: Database
    ) throws {
        try saveTree(tree, made.outcome.nodesToSave, made.outcome.writtenFields, concert: concert, db)
        let effects = String(decoding: try JSONEncoder().encode(made.outcome.effects), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO contentEdit (concert, revision, at, author, label, course, effects)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                concert, tree.revision, now.millisecondsSince1970, author, made.label, made.step.rawValue,
                effects,
            ])
        guard let undone = made.undone else { return }
        try db.execute(
            sql: "UPDATE contentEdit SET undoneBy = ? WHERE concert = ? AND revision = ?",
            arguments: [tree.revision, concert, undone])
    }
}

extension CatalogueStore {
    /// Runs `work` in one database transaction; if `work` throws, nothing is written.
    func runContentTransaction<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(ConcertEditFault) -> Value {
        do {
            return try await pool.write(work)
        } catch {
            throw (error as? ConcertEditFault) ?? .catalogue(.wrapping(error, path: path))
        }
    }

    static func publicConcertID(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT concert FROM servedConcert")
    }

    static func concertRevision(of id: Int64, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT revision FROM concert WHERE id = ? AND removedAt IS NULL", arguments: [id])
    }

    static func contentTree(of id: Int64, _ db: Database) throws -> ConcertTree? {
        guard let revision = try concertRevision(of: id, db) else { return nil }
        var nodes: [ConcertNodeID: ConcertNode] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, kind, parent, rank, placed, removed FROM contentNode WHERE concert = ?",
            arguments: [id])
        while let row = try rows.next() {
            let name = ConcertNodeID(unchecked: row[0])
            guard let kind = ConcertNodeKind(rawValue: row[1]) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a node is of an unknown kind")
            }
            var node = ConcertNode(
                id: name, kind: kind, parent: ConcertNodeID(unchecked: row[2]), rank: row[3], placed: row[4])
            node.removed = row[5]
            nodes[name] = node
        }
        let fields = try Row.fetchCursor(
            db, sql: "SELECT node, name, value, revision FROM contentField WHERE concert = ?",
            arguments: [id])
        while let row = try fields.next() {
            let (node, name): (String, String) = (row[0], row[1])
            nodes[ConcertNodeID(unchecked: node)]?.fields[name] = row[2]
            nodes[ConcertNodeID(unchecked: node)]?.revisions[name] = row[3]
        }
        return ConcertTree(revision: revision, nodes: nodes)
    }

    static func saveTree(
        _ tree: ConcertTree, _ nodes: Set<ConcertNodeID>, _ fields: [ConcertTree.FieldKey], concert: Int64,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE concert SET revision = ? WHERE id = ?", arguments: [tree.revision, concert])
        let place = try db.makeStatement(
            sql: """
                INSERT INTO contentNode (concert, id, kind, parent, rank, placed, removed)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (concert, id) DO UPDATE SET parent = excluded.parent, rank = excluded.rank,
                    placed = excluded.placed, removed = excluded.removed
                """)
        for id in nodes {
            guard let node = tree.nodes[id] else { continue }
            try place.execute(arguments: [
                concert, id.rawValue, node.kind.rawValue, node.parent.rawValue, node.rank, node.placed,
                node.removed,
            ])
        }
        let write = try db.makeStatement(
            sql: """
                INSERT INTO contentField (concert, node, name, value, revision) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (concert, node, name) DO UPDATE SET value = excluded.value,
                    revision = excluded.revision
                """)
        for field in fields {
            guard let node = tree.nodes[field.node] else { continue }
            try write.execute(arguments: [
                concert, field.node.rawValue, field.name, node.fields[field.name], node.revisions[field.name],
            ])
        }
    }
}
