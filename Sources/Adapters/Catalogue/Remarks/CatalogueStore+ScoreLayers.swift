import Foundation
import GRDB
import Rehearsal

/// The layers of scores that have rows: those of sections, and those that users have taken.
extension CatalogueStore {
    /// Returns the accounts that were given a score and may sign in, by name.
    /// - Parameter includesLibrarians: true to list librarians too, who have every score.
    public func players(of score: Score.ID, includesLibrarians: Bool) async throws(CatalogueError)
        -> [ScorePlayer]
    {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name FROM account WHERE disabledAt IS NULL AND (
                        (? AND role IN ('editor', 'administrator'))
                        OR EXISTS (SELECT 1 FROM bundle WHERE bundle.account = account.id AND bundle.score = ?))
                    ORDER BY nameKey
                    """, arguments: [includesLibrarians, score.description]
            ).map { ScorePlayer(id: $0["id"], name: $0["name"]) }
        }
    }

    /// Makes a layer of a section, or changes its name, parts and writers. Who made it stays its owner.
    /// - Throws: ``RoomRefusal`` within the result for an id that is taken, too many layers, or parts that this user
    ///   does not lead.
    public func putSectionLayer(
        _ wanted: ScoreLayer, in score: Score.ID, by user: User.ID, isLibrarian: Bool, at now: Date = .now
    ) async throws(CatalogueError) -> Result<ScoreLayer, RoomRefusal> {
        try await deciding { db in
            let (id, name) = (wanted.id.description, score.description)
            let keeper = try Self.keeper(user, isLibrarian, of: name, db)
            let known = try Self.layer(wanted.id, of: name, db, ScoreReader(user))
            // The id of an own layer is its user's, that of a room's is derived: nobody else's layer may have them.
            let isUsers =
                try Int.fetchOne(db, sql: "SELECT 1 FROM account WHERE id = ?", arguments: [id]) != nil
            guard !isUsers, wanted.id != ScoreLayer.ownID(of: user), !wanted.id.isDerived else {
                throw RoomRefusal(.notYours, "This id is taken by another object; make a new one.")
            }
            let layer = wanted.owned(by: known?.owner ?? user)
            try keeper.checkPutting(layer, over: known, Self.sectionLayerCounts(of: name, by: user, db))
            try Self.store(layer, in: name, db, now)
            return layer
        }
    }

    private static func sectionLayerCounts(of score: String, by user: User.ID, _ db: Database) throws
        -> (all: Int, own: Int)
    {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*) AS "all", total(owner = ?) AS own FROM scoreLayer WHERE score = ? AND kind = 'section'
                """, arguments: [user.description, score])
        return (row?["all"] ?? 0, Int(row?["own"] as Double? ?? 0))
    }

    /// Removes a layer with its remarks.
    public func removeScoreLayer(
        _ id: ScoreLayer.ID, of score: Score.ID, by user: User.ID, isLibrarian: Bool
    ) async throws(CatalogueError) -> Result<ScoreLayer, RoomRefusal> {
        try await deciding { db in
            let name = score.description
            let layer = try Self.layer(id, of: name, db, ScoreReader(user))
            try Self.keeper(user, isLibrarian, of: name, db).checkRemoving(layer)
            guard let layer else { throw RoomRefusal.noScoreLayer }
            for sql in [
                "DELETE FROM scoreLayer WHERE score = ? AND id = ?",
                "DELETE FROM scoreRemark WHERE score = ? AND layer = ?",
                "DELETE FROM hiddenScoreLayer WHERE score = ? AND layer = ?",
            ] {
                try db.execute(sql: sql, arguments: [name, id.description])
            }
            return layer
        }
    }

    /// Adds a layer that only its owner sees, with remarks.
    public func addGivenLayer(
        _ layer: ScoreLayer, with remarks: [Remark], in score: Score.ID, at now: Date = .now
    ) async throws(CatalogueError) -> Result<ScoreLayer, RoomRefusal> {
        try await deciding { db in
            try Self.addGivenLayer(layer, remarks, in: score.description, db, now)
            return layer
        }
    }

    static func addGivenLayer(
        _ layer: ScoreLayer, _ remarks: [Remark], in score: String, _ db: Database, _ now: Date
    ) throws {
        guard try Self.layer(layer.id, of: score, db, ScoreReader(layer.owner)) == nil else {
            throw RoomRefusal(.notYours, "This id is taken by another object; make a new one.")
        }
        let count =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM scoreLayer WHERE owner = ? AND score = ? AND kind = 'given'",
                arguments: [layer.owner.description, score]) ?? 0
        guard count < ScoreRemarkLimits.mostGivenLayers else {
            throw RoomRefusal.scoreFull(
                "layers that you have taken or imported", most: ScoreRemarkLimits.mostGivenLayers)
        }
        var revision = try ScoreEventTransaction.newestRevision(of: score, db, now)
        try store(layer, in: score, db, now)
        for remark in remarks {
            revision += 1
            try ScoreEventTransaction.store(remark, origin: nil, revision: revision, in: score, db)
        }
    }

    /// Copies the remarks of a section's layer into other parts, to the same places of the same measures. The copies
    /// are on the same layer, which then is about these parts too.
    ///
    /// Copies of an earlier call are brought up to date: moved with their remark, and erased with it. A copy that its
    /// author has changed since stands for itself.
    /// - Parameter score: with the places of the measures.
    public func spreadLayer(
        _ id: ScoreLayer.ID, of score: Score, toParts parts: [Int], by user: User.ID, isLibrarian: Bool,
        at now: Date = .now
    ) async throws(CatalogueError) -> Result<LayerSpreadOutcome, RoomRefusal> {
        try await deciding { db in
            let name = score.id.description
            guard var layer = try Self.layer(id, of: name, db, ScoreReader(user)) else {
                throw RoomRefusal.noScoreLayer
            }
            try Self.keeper(user, isLibrarian, of: name, db).checkSpreading(layer, toParts: parts)
            if !layer.parts.isEmpty {
                layer.parts = Set(layer.parts + parts).sorted()
                try Self.store(layer, in: name, db, now)
            }
            return try Self.spread(layer, of: score, toParts: parts, db, now)
        }
    }

    private static func spread(
        _ layer: ScoreLayer, of score: Score, toParts parts: [Int], _ db: Database, _ now: Date
    ) throws -> LayerSpreadOutcome {
        let name = score.id.description
        let standing = try StandingRemarks(on: layer.id.description, of: score, db)
        let transfer = RemarkTransfer(score)
        var outcome = LayerSpreadOutcome()
        var revision = try ScoreEventTransaction.newestRevision(of: name, db, now)
        var free = ScoreRemarkLimits.mostRemarksOnLayer - standing.remarks.count
        for source in standing.sources.sorted(by: { $0.id < $1.id }) {
            for part in Set(parts).sorted() where part != source.part {
                let id = RemarkTransfer.copyID(of: source.id, inPart: part)
                do {
                    let copy = try transfer.copy(source, toPart: part, id: id)
                    let old = standing.remarks[id.description]
                    if let old, !old.isCopy {
                        outcome.keptChanged += 1
                        continue
                    }
                    outcome.placed += 1
                    if let old, old.content == (try encode(copy)) { continue }
                    if old == nil { free -= 1 }
                    guard free >= 0 else {
                        throw RoomRefusal.scoreFull(
                            "remarks on this layer", most: ScoreRemarkLimits.mostRemarksOnLayer)
                    }
                    revision += 1
                    try ScoreEventTransaction.store(
                        copy, origin: source.id.description, revision: revision, in: name, db)
                } catch let obstacle as RemarkTransfer.Obstacle {
                    outcome.unplaced.append(.init(remark: source, part: part, sentence: obstacle.sentence))
                }
            }
        }
        for copy in standing.copiesWithoutSource {
            revision += 1
            try ScoreEventTransaction.erase(copy, revision: revision, in: name, db)
        }
        return outcome
    }

    /// The remarks of a layer before it is spread.
    private struct StandingRemarks {
        /// By the remark's id: its content, and whether it is a copy of another remark.
        private(set) var remarks: [String: (content: String, isCopy: Bool)] = [:]
        /// The remarks to be copied.
        private(set) var sources: [Remark] = []
        /// The copies whose remark is erased, or is itself a changed copy.
        private(set) var copiesWithoutSource: [Remark] = []

        init(on layer: String, of score: Score, _ db: Database) throws {
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT id, content, origin, isErased FROM scoreRemark WHERE score = ? AND layer = ?",
                arguments: [score.id.description, layer]
            ).filter { !($0["isErased"] as Bool) }
            for row in rows {
                let isCopy = row["origin"] as String? != nil
                remarks[row["id"]] = (row["content"], isCopy)
                if !isCopy, let remark = decode(Remark.self, row["content"]) { sources.append(remark) }
            }
            removeChangedCopies(partCount: score.parts.count)
            let sourceIDs = Set(sources.map(\.id))
            for row in rows {
                guard let origin = row["origin"] as String?,
                    Remark.ID(origin).map(sourceIDs.contains) != true,
                    let copy = decode(Remark.self, row["content"])
                else { continue }
                copiesWithoutSource.append(copy)
            }
        }

        /// A copy whose author has changed it stands for itself: it is neither moved nor copied on.
        private mutating func removeChangedCopies(partCount: Int) {
            let standingIDs = Set(sources.map(\.id))
            let copyIDs = sources.flatMap { source in
                (0..<partCount).map { RemarkTransfer.copyID(of: source.id, inPart: $0) }
            }
            let changed = standingIDs.intersection(copyIDs)
            sources.removeAll { changed.contains($0.id) }
        }
    }

    private static func store(_ layer: ScoreLayer, in score: String, _ db: Database, _ now: Date) throws {
        try db.execute(
            sql: """
                INSERT INTO scoreLayer (score, id, kind, owner, content, createdAt) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (score, id) DO UPDATE SET content = excluded.content
                """,
            arguments: [
                score, layer.id.description, layer.kind.rawValue, layer.owner.description, try encode(layer),
                now.millisecondsSince1970,
            ])
    }

    /// Runs a transaction that may refuse; a refusal undoes what it wrote.
    func deciding<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(CatalogueError) -> Result<Value, RoomRefusal> {
        try await write { db in
            var refusal: RoomRefusal?
            var value: Value?
            try db.inSavepoint {
                do {
                    value = try work(db)
                    return .commit
                } catch let refused as RoomRefusal {
                    refusal = refused
                    return .rollback
                }
            }
            if let refusal { return .failure(refusal) }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return .success(value)
        }
    }
}
