import Diary
import Foundation
import GRDB

/// Records that are written together, or not at all.
extension DiaryStore {
    /// Records that are written in one transaction.
    public struct Batch: Sendable {
        public var ensembles: [Ensemble] = []
        public var venues: [Venue] = []
        public var event: DiaryEvent?
        /// Entries; of each the one that the writer read, nil for a new one.
        public var programmes: [(old: ConcertProgramme?, new: ConcertProgramme)] = []
        /// The event as the writer read it; nil for a new one.
        public var oldEvent: DiaryEvent?

        public init() {}
    }

    /// Writes all records of a batch, if those that it replaces are still as the writer read them.
    /// - Returns: false if somebody changed one of them meanwhile; nothing is written then.
    public func save(_ batch: Batch) async throws(CatalogueError) -> Bool {
        try await write { db in
            if let event = batch.event {
                let stored = try Data.fetchOne(
                    db, sql: "SELECT document FROM event WHERE id = ?", arguments: [event.id])
                guard try stored == batch.oldEvent.map(Self.encode) else { return false }
            }
            for (old, new) in batch.programmes {
                let stored = try Data.fetchOne(
                    db, sql: "SELECT document FROM programme WHERE id = ?", arguments: [new.id])
                guard try stored == old.map(Self.encode) else { return false }
            }
            let writer = DiaryWriter(db)
            for ensemble in batch.ensembles { try writer.save(ensemble) }
            for venue in batch.venues { try writer.save(venue) }
            if let event = batch.event { try writer.save(event) }
            for (_, new) in batch.programmes { _ = try writer.save(new) }
            return true
        }
    }

    /// Removes an event; its concerts stay, without it.
    /// - Returns: false if there was none.
    public func removeEvent(_ id: String) async throws(CatalogueError) -> Bool {
        try await write { db in
            let programmes = try Data.fetchAll(
                db,
                sql: """
                    SELECT document FROM programme WHERE number IN (SELECT programme FROM concert WHERE event = ?)
                    """, arguments: [id])
            let writer = DiaryWriter(db)
            for document in programmes {
                var programme = try Self.decode(ConcertProgramme.self, document)
                for place in programme.concerts.indices where programme.concerts[place].event == id {
                    programme.concerts[place].event = nil
                }
                _ = try writer.save(programme)
            }
            try db.execute(sql: "DELETE FROM event WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
    }

    /// Returns all entries with a concert of an event, by the first concert's day.
    public func programmes(ofEvent id: String) async throws(CatalogueError) -> [ConcertProgramme] {
        try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT document FROM programme WHERE number IN (SELECT programme FROM concert WHERE event = ?)
                    ORDER BY (SELECT min(date * 10000 + time) FROM concert WHERE programme = programme.number), id
                    """, arguments: [id]
            ).map { try Self.decode(ConcertProgramme.self, $0) }
        }
    }

    /// Changes a work by reading and writing it as one; a work that is merged into another one stands for that one.
    /// - Returns: the work as written; nil if there is none of this id.
    public func changeWork(
        _ id: String, _ change: @escaping @Sendable (inout MusicalWork) -> Void
    ) async throws(CatalogueError) -> MusicalWork? {
        try await write { db in
            guard var work = try Self.wholeWork(id, db) else { return nil }
            change(&work)
            _ = try DiaryWriter(db).save(work)
            return work
        }
    }

    /// Returns the works that have a thing of the house, by title.
    public func works(
        linkedTo thing: String, _ kind: MusicalWork.Links.Kind
    ) async throws(CatalogueError) -> [MusicalWork] {
        let list =
            switch kind {
            case .model: "models"
            case .slides: "slides"
            case .score: "scores"
            case .tab: "tabs"
            }
        return try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT document FROM work WHERE identity = number AND instr(document, CAST(? AS BLOB)) > 0
                    AND EXISTS (SELECT 1 FROM json_each(CAST(document AS TEXT), '$.links.\(list)') WHERE value = ?)
                    ORDER BY id
                    """, arguments: [thing, thing]
            ).map { try Self.decode(MusicalWork.self, $0) }
        }
    }

    private static func wholeWork(_ id: String, _ db: Database) throws -> MusicalWork? {
        try Data.fetchOne(
            db,
            sql: """
                SELECT whole.document FROM work JOIN work AS whole ON whole.number = work.identity
                WHERE work.id = ?
                """, arguments: [id]
        ).map { try decode(MusicalWork.self, $0) }
    }

    /// Returns the work that an id stands for: itself, or the one that it was merged into.
    public func wholeWork(_ id: String) async throws(CatalogueError) -> MusicalWork? {
        try await read { db in try Self.wholeWork(id, db) }
    }
}
