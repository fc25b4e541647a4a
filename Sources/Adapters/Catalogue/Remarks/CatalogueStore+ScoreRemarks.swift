import Diary
import Foundation
import GRDB
import Rehearsal

/// The remarks of scores: what a user sees of them.
extension CatalogueStore {
    /// The most remarks in one piece of an answer.
    static let mostRemarksInPage = 2_000

    /// Returns what a user sees of a score's remarks.
    /// - Parameter revision: the revision that the user has; 0 for everything.
    public func scoreRemarks(
        of score: Score.ID, seenBy reader: ScoreReader, after revision: Int64
    ) async throws(CatalogueError) -> ScoreRemarkPage {
        try await read { db in
            let (id, user, account) = (score.description, reader.user, reader.user.description)
            let layers = try Self.visibleLayers(of: id, to: reader, db)
            let names = layers.map(\.id.description)
            let marks = databaseQuestionMarks(count: names.count)
            // Erased remarks are nothing to somebody who has none yet.
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT layer, id, content, revision, isErased FROM scoreRemark
                    WHERE score = ? AND revision > ? AND layer IN (\(marks)) AND (NOT isErased OR ?)
                    ORDER BY revision LIMIT ?
                    """,
                arguments: [id, revision] + StatementArguments(names)
                    + [revision > 0, Self.mostRemarksInPage + 1])
            var page = ScoreRemarkPage(
                layers: layers, ledParts: try Self.partsLed(by: user, in: id, db).sorted(),
                hidden: try String.fetchAll(
                    db, sql: "SELECT layer FROM hiddenScoreLayer WHERE account = ? AND score = ?",
                    arguments: [account, id]),
                bookmarksJSON: try String.fetchAll(
                    db,
                    sql: "SELECT content FROM scoreBookmark WHERE account = ? AND score = ? ORDER BY rowid",
                    arguments: [account, id]),
                remarksJSON: [], revisions: [],
                names: try Self.authorNames(onLayers: names, of: id, except: account, db), erased: [],
                revision: revision,
                isAll: rows.count <= Self.mostRemarksInPage, check: [])
            for row in rows.prefix(Self.mostRemarksInPage) {
                page.revision = row["revision"]
                if row["isErased"] {
                    page.erased.append(.init(layer: row["layer"], id: row["id"]))
                } else {
                    page.remarksJSON.append(row["content"])
                    page.revisions.append(page.revision)
                }
            }
            let sums = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) AS remarks, total(revision % 1000003) AS sum FROM scoreRemark
                    WHERE score = ? AND NOT isErased AND layer IN (\(marks))
                    """, arguments: [id] + StatementArguments(names))
            page.check = [sums?["remarks"] ?? 0, Int64(sums?["sum"] as Double? ?? 0) % 1_000_003]
            return page
        }
    }

    /// Returns the standing remarks of a user's own layer in a score.
    public func ownRemarks(of user: User.ID, in score: Score.ID) async throws(CatalogueError) -> [Remark] {
        try await remarks(onLayer: ScoreLayer.ownID(of: user), of: score, seenBy: ScoreReader(user)) ?? []
    }

    /// Returns the standing remarks of a layer; nil if this user does not see such a layer.
    public func remarks(
        onLayer layer: ScoreLayer.ID, of score: Score.ID, seenBy reader: ScoreReader
    ) async throws(CatalogueError) -> [Remark]? {
        try await read { db in
            guard try Self.layer(layer, of: score.description, db, reader)?.isVisible(to: reader.user) == true
            else {
                return nil
            }
            return try Self.standingRemarks(onLayer: layer.description, of: score.description, db)
        }
    }

    /// Returns the layers that a user sees in a score and has not hidden, the own one first.
    public func shownLayers(of score: Score.ID, to reader: ScoreReader) async throws(CatalogueError)
        -> [ScoreLayer.ID]
    {
        try await read { db in
            let hidden = try String.fetchSet(
                db, sql: "SELECT layer FROM hiddenScoreLayer WHERE account = ? AND score = ?",
                arguments: [reader.user.description, score.description])
            return try Self.visibleLayers(of: score.description, to: reader, db).map(\.id).filter {
                !hidden.contains($0.description)
            }
        }
    }

    /// Returns a layer that a user sees; nil if there is none.
    public func scoreLayer(
        _ id: ScoreLayer.ID, of score: Score.ID, seenBy reader: ScoreReader
    ) async throws(CatalogueError) -> ScoreLayer? {
        try await read { db in
            let layer = try Self.layer(id, of: score.description, db, reader)
            return layer?.isVisible(to: reader.user) == true ? layer : nil
        }
    }

    /// The bytes of all remarks, sets and bookmarks on the server.
    /// - Cost: reads all rows; call it seldom.
    public func scoreRemarkByteCount() async throws(CatalogueError) -> Int {
        try await read { db in
            let remarks = try Double.fetchOne(db, sql: "SELECT total(length(content)) FROM scoreRemark") ?? 0
            let gifts = try Double.fetchOne(db, sql: "SELECT total(length(content)) FROM remarkGift") ?? 0
            return Int(remarks + gifts)
        }
    }

    /// The bytes that a user's remarks take: on the own layers, on layers of sections without the copies that a
    /// librarian made, on the layers that the user has taken or imported, and in sets on the way to others.
    /// - Cost: reads the user's rows; call it seldom.
    public func scoreRemarkByteCount(of user: User.ID) async throws(CatalogueError) -> Int {
        try await read { db in
            let parts = [
                """
                SELECT total(length(content)) FROM scoreRemark WHERE author = ? AND origin IS NULL
                    AND NOT EXISTS (SELECT 1 FROM scoreLayer WHERE scoreLayer.score = scoreRemark.score
                        AND scoreLayer.id = scoreRemark.layer AND kind = 'given')
                """,
                """
                SELECT total(length(scoreRemark.content)) FROM scoreLayer JOIN scoreRemark
                    ON scoreRemark.score = scoreLayer.score AND scoreRemark.layer = scoreLayer.id
                    WHERE owner = ? AND kind = 'given'
                """,
                "SELECT total(length(content)) FROM remarkGift WHERE giver = ?",
            ]
            return try parts.reduce(0) { sum, sql in
                try sum + Int(Double.fetchOne(db, sql: sql, arguments: [user.description]) ?? 0)
            }
        }
    }

    // MARK: Within a transaction

    private static func authorNames(
        onLayers layers: [String], of score: String, except account: String, _ db: Database
    ) throws -> [String: String] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, name FROM account WHERE id <> ? AND id IN (SELECT author FROM scoreRemark
                    WHERE score = ? AND layer IN (\(databaseQuestionMarks(count: layers.count))))
                """, arguments: [account, score] + StatementArguments(layers))
        return Dictionary(rows.map { ($0["id"], $0["name"]) }, uniquingKeysWith: { first, _ in first })
    }

    static func visibleLayers(of score: String, to reader: ScoreReader, _ db: Database) throws -> [ScoreLayer]
    {
        let stored = try String.fetchAll(
            db,
            sql: """
                SELECT content FROM scoreLayer WHERE score = ? AND (kind = 'section' OR owner = ?)
                ORDER BY createdAt, id
                """, arguments: [score, reader.user.description]
        ).compactMap { decode(ScoreLayer.self, $0) }
        return [.own(of: reader.user)] + reader.roomLayers + stored
    }

    /// Finds a layer by its id. The reader's own layer, and those of rooms, need no row.
    static func layer(_ id: ScoreLayer.ID, of score: String, _ db: Database, _ reader: ScoreReader) throws
        -> ScoreLayer?
    {
        if id == ScoreLayer.ownID(of: reader.user) { return .own(of: reader.user) }
        if let ofRoom = reader.roomLayers.first(where: { $0.id == id }) { return ofRoom }
        return try String.fetchOne(
            db, sql: "SELECT content FROM scoreLayer WHERE score = ? AND id = ?",
            arguments: [score, id.description]
        ).flatMap { decode(ScoreLayer.self, $0) }
    }

    static func standingRemarks(onLayer layer: String, of score: String, _ db: Database) throws -> [Remark] {
        try String.fetchAll(
            db,
            sql:
                "SELECT content FROM scoreRemark WHERE score = ? AND layer = ? AND NOT isErased ORDER BY revision",
            arguments: [score, layer]
        ).compactMap { decode(Remark.self, $0) }
    }

    /// The words of a text in the form in which they are looked for; nil if there are none.
    static func searchWords(_ text: String) -> String? {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    static func searchWords(of remark: Remark) -> String? {
        if case .text(let text) = remark.shape { searchWords(text.text) } else { nil }
    }

    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
