import Foundation
import GRDB
import Rehearsal

extension CatalogueStore {
    /// Applies events of one user in their order. Each is applied once, however often it comes; a refused one changes
    /// nothing and does not affect the others.
    public func applyScoreEvents(
        _ events: [ScoreEvent], in score: Score.ID, by writer: ScoreWriter, at now: Date = .now
    ) async throws(CatalogueError) -> ScoreEventOutcome {
        try await write { db in
            var transaction = try ScoreEventTransaction(db, score, writer, now)
            for event in events { try transaction.apply(event) }
            try transaction.forgetOldest()
            return transaction.outcome
        }
    }
}

extension CatalogueStore {
    /// Adds remarks that a room has kept, or erased, to those of their score. What the score knows already stays as it
    /// is, so that carrying again changes nothing. Limits are not checked: nothing may be lost.
    public func carryRemarks(
        _ remarks: [ScoreWriter.KnownRemark], to score: Score.ID, at now: Date = .now
    ) async throws(CatalogueError) {
        guard !remarks.isEmpty else { return }
        try await write { db in
            let name = score.description
            var revision = try ScoreEventTransaction.newestRevision(of: name, db, now)
            for carried in remarks {
                let remark = carried.remark
                let isKnown =
                    try Int.fetchOne(
                        db, sql: "SELECT 1 FROM scoreRemark WHERE score = ? AND layer = ? AND id = ?",
                        arguments: [name, remark.layer.description, remark.id.description]) != nil
                guard !isKnown else { continue }
                revision += 1
                try ScoreEventTransaction.store(remark, origin: nil, revision: revision, in: name, db)
                guard carried.isErased else { continue }
                try ScoreEventTransaction.erase(remark, revision: revision, in: name, db)
            }
        }
    }
}

/// Applies events within one transaction of the database.
struct ScoreEventTransaction {
    let db: Database
    let score: String
    let writer: ScoreWriter
    private(set) var outcome = ScoreEventOutcome()
    private var revision: Int64
    private var authorCount: Int
    private var layerCounts: [String: Int] = [:]
    private var layersErasedOn: Set<String> = []

    private var account: String { writer.user.description }

    /// - Parameter now: revisions rise at least to it, so that a server that took over gives no number twice.
    init(_ db: Database, _ score: Score.ID, _ writer: ScoreWriter, _ now: Date) throws {
        (self.db, self.score) = (db, score.description)
        var writer = writer
        writer.ledParts = try CatalogueStore.partsLed(by: writer.user, in: score.description, db)
        self.writer = writer
        revision = try Self.newestRevision(of: score.description, db, now)
        authorCount =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM scoreRemark WHERE author = ? AND score = ? AND NOT isErased",
                arguments: [writer.user.description, score.description]) ?? 0
    }

    static func newestRevision(of score: String, _ db: Database, _ now: Date) throws -> Int64 {
        let newest =
            try Int64.fetchOne(
                db, sql: "SELECT max(revision) FROM scoreRemark WHERE score = ?", arguments: [score]) ?? 0
        return max(newest, now.millisecondsSince1970)
    }

    mutating func apply(_ event: ScoreEvent) throws {
        let isKnown =
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM scoreEvent WHERE account = ? AND score = ? AND id = ?",
                arguments: [account, score, event.id.description]) != nil
        guard !isKnown else { return outcome.answers.append(.accepted(event.id)) }
        do {
            try carryOut(event.act)
        } catch let refusal as RoomRefusal {
            return outcome.answers.append(.refused(event.id, refusal))
        }
        revision += 1
        try db.execute(
            sql: "INSERT INTO scoreEvent (account, score, id, number) VALUES (?, ?, ?, ?)",
            arguments: [account, score, event.id.description, revision])
        outcome.answers.append(.accepted(event.id))
    }

    private mutating func carryOut(_ act: ScoreAct) throws {
        switch act {
        case .placeRemark(let remark):
            let layer = try layer(remark.layer)
            let known = try known(remark.id, on: remark.layer)?.known
            if try writer.places(remark, on: layer, known: known, counts(of: remark.layer)) {
                try store(filed(remark, on: layer, known), isNew: true, layer)
            }
        case .restoreRemark(let remark):
            let layer = try layer(remark.layer)
            let known = try known(remark.id, on: remark.layer)?.known
            if try writer.restores(remark, on: layer, known: known, counts(of: remark.layer)) {
                try store(filed(remark, on: layer, known), isNew: true, layer)
            }
        case .editRemark(let edit):
            let (known, layer) = try find(edit.remark)
            try store(try writer.edited(known, on: layer, by: edit), isNew: false, layer)
            note(.editRemark(edit), layer)
        case .eraseRemark(let id):
            let (known, layer) = try find(id)
            try writer.checkErasing(known, on: layer)
            if let remark = known?.remark { try erase(remark, layer) }
            note(.eraseRemark(id), layer)
        case .setLayerHidden(let id, let isHidden): try setHidden(id, isHidden)
        case .putBookmark(let bookmark): try put(bookmark)
        case .removeBookmark(let id):
            try db.execute(
                sql: "DELETE FROM scoreBookmark WHERE account = ? AND score = ? AND id = ?",
                arguments: [account, score, id.description])
        }
    }

    // MARK: Remarks

    private func layer(_ id: ScoreLayer.ID) throws -> ScoreLayer? {
        try CatalogueStore.layer(id, of: score, db, writer.reader)
    }

    /// A remark as it is stored, with the session in which it was written for everybody.
    private mutating func filed(_ remark: Remark, on layer: ScoreLayer?, _ known: ScoreWriter.KnownRemark?)
        -> Remark
    {
        let stored = remark.moved(to: remark.layer, of: nil, session: known?.remark.session ?? layer?.session)
        note(.placeRemark(stored), layer)
        return stored
    }

    /// Notes what a room's stands are to be told.
    private mutating func note(_ act: AcceptedAct, _ layer: ScoreLayer?) {
        if let layer, layer.kind == .everybody { outcome.roomActs.append((layer.id, act)) }
    }

    private func known(_ id: Remark.ID, on layer: ScoreLayer.ID) throws
        -> (known: ScoreWriter.KnownRemark, isErased: Bool)?
    {
        let row = try Row.fetchOne(
            db, sql: "SELECT content, isErased FROM scoreRemark WHERE score = ? AND layer = ? AND id = ?",
            arguments: [score, layer.description, id.description])
        guard let row, let remark = CatalogueStore.decode(Remark.self, row["content"]) else { return nil }
        let isErased: Bool = row["isErased"]
        return (ScoreWriter.KnownRemark(remark, isErased: isErased), isErased)
    }

    /// Finds a remark on the layers that the writer sees; others do not exist for the writer.
    private func find(_ id: Remark.ID) throws -> (ScoreWriter.KnownRemark?, ScoreLayer?) {
        for layer in try CatalogueStore.visibleLayers(of: score, to: writer.reader, db) {
            if let found = try known(id, on: layer.id) { return (found.known, layer) }
        }
        return (nil, nil)
    }

    private mutating func counts(of layer: ScoreLayer.ID) throws -> ScoreWriter.Counts {
        let name = layer.description
        if layerCounts[name] == nil {
            layerCounts[name] = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM scoreRemark WHERE score = ? AND layer = ? AND NOT isErased",
                arguments: [score, name])
        }
        return ScoreWriter.Counts(ofLayer: layerCounts[name] ?? 0, ofAuthor: authorCount)
    }

    private mutating func store(_ remark: Remark, isNew: Bool, _ layer: ScoreLayer?) throws {
        revision += 1
        try Self.store(remark, origin: nil, revision: revision, in: score, db)
        if isNew {
            layerCounts[remark.layer.description, default: 0] += 1
            if remark.author == writer.user { authorCount += 1 }
        }
        noteReaders(of: layer)
    }

    private mutating func noteReaders(of layer: ScoreLayer?) {
        if layer?.kind == .section || layer?.kind == .everybody { outcome.isSeenByOthers = true }
    }

    /// Writes a remark's row.
    /// - Parameter origin: the remark of which this is a copy that follows it; nil for one that stands for itself.
    static func store(_ remark: Remark, origin: String?, revision: Int64, in score: String, _ db: Database)
        throws
    {
        try db.execute(
            sql: """
                INSERT INTO scoreRemark (score, layer, id, author, content, words, origin, revision, isErased)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
                ON CONFLICT (score, layer, id) DO UPDATE SET content = excluded.content, words = excluded.words,
                    origin = excluded.origin, revision = excluded.revision, isErased = 0
                """,
            arguments: [
                score, remark.layer.description, remark.id.description, remark.author.description,
                try CatalogueStore.encode(remark), CatalogueStore.searchWords(of: remark), origin, revision,
            ])
    }

    private mutating func erase(_ remark: Remark, _ layer: ScoreLayer?) throws {
        revision += 1
        try Self.erase(remark, revision: revision, in: score, db)
        layerCounts[remark.layer.description]? -= 1
        if remark.author == writer.user { authorCount -= 1 }
        layersErasedOn.insert(remark.layer.description)
        noteReaders(of: layer)
    }

    /// Empties a remark's row. Its author stays, who alone may bring it back.
    static func erase(_ remark: Remark, revision: Int64, in score: String, _ db: Database) throws {
        var empty = remark
        empty.shape = .stamp(.attention)
        empty.paper = nil
        try db.execute(
            sql: """
                UPDATE scoreRemark SET content = ?, words = NULL, revision = ?, isErased = 1
                WHERE score = ? AND layer = ? AND id = ?
                """,
            arguments: [
                try CatalogueStore.encode(empty), revision, score, remark.layer.description,
                remark.id.description,
            ])
    }

    // MARK: What is the reader's alone

    private func setHidden(_ id: ScoreLayer.ID, _ isHidden: Bool) throws {
        guard isHidden else {
            return try db.execute(
                sql: "DELETE FROM hiddenScoreLayer WHERE account = ? AND score = ? AND layer = ?",
                arguments: [account, score, id.description])
        }
        guard try layer(id)?.isVisible(to: writer.user) == true else { throw RoomRefusal.noScoreLayer }
        try db.execute(
            sql: "INSERT OR IGNORE INTO hiddenScoreLayer (account, score, layer) VALUES (?, ?, ?)",
            arguments: [account, score, id.description])
    }

    private func put(_ bookmark: ScoreBookmark) throws {
        try writer.check(bookmark)
        let others =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM scoreBookmark WHERE account = ? AND score = ? AND id <> ?",
                arguments: [account, score, bookmark.id.description]) ?? 0
        guard others < ScoreRemarkLimits.mostBookmarks else {
            throw RoomRefusal.scoreFull("bookmarks of yours", most: ScoreRemarkLimits.mostBookmarks)
        }
        try db.execute(
            sql: """
                INSERT INTO scoreBookmark (account, score, id, content, words) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (account, score, id) DO UPDATE SET content = excluded.content, words = excluded.words
                """,
            arguments: [
                account, score, bookmark.id.description, try CatalogueStore.encode(bookmark),
                CatalogueStore.searchWords(bookmark.name) ?? "",
            ])
    }

    // MARK: Bounds

    /// Forgets the oldest ids of events and the oldest erased remarks beyond their limits.
    func forgetOldest() throws {
        try db.execute(
            sql: """
                DELETE FROM scoreEvent WHERE account = ?1 AND score = ?2 AND number <= (
                    SELECT number FROM scoreEvent WHERE account = ?1 AND score = ?2
                    ORDER BY number DESC LIMIT 1 OFFSET ?3)
                """, arguments: [account, score, ScoreRemarkLimits.rememberedEventIDs])
        for layer in layersErasedOn {
            try db.execute(
                sql: """
                    DELETE FROM scoreRemark WHERE score = ?1 AND layer = ?2 AND isErased AND revision <= (
                        SELECT revision FROM scoreRemark WHERE score = ?1 AND layer = ?2 AND isErased
                        ORDER BY revision DESC LIMIT 1 OFFSET ?3)
                    """, arguments: [score, layer, ScoreRemarkLimits.mostErasedRemembered])
        }
    }
}
