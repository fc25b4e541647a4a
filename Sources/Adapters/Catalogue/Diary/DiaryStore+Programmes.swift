import Diary
import Foundation
import GRDB

extension DiaryStore {
    /// Returns an entry; nil if there is none.
    public func programme(_ id: String) async throws(CatalogueError) -> ConcertProgramme? {
        try await read { db in
            try Data.fetchOne(db, sql: "SELECT document FROM programme WHERE id = ?", arguments: [id])
                .map { try Self.decode(ConcertProgramme.self, $0) }
        }
    }

    /// Returns several entries in the order asked for; those that do not exist are left out.
    public func programmes(_ ids: [String]) async throws(CatalogueError) -> [ConcertProgramme] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT document FROM programme WHERE id = ?")
            return try ids.compactMap { id in
                try Data.fetchOne(statement, arguments: [id]).map {
                    try Self.decode(ConcertProgramme.self, $0)
                }
            }
        }
    }

    /// Returns the entry that a concert belongs to; nil if there is no such concert.
    public func programme(ofConcert id: String) async throws(CatalogueError) -> ConcertProgramme? {
        try await read { db in
            try Data.fetchOne(
                db,
                sql: """
                    SELECT programme.document FROM concert JOIN programme ON programme.number = concert.programme
                    WHERE concert.id = ?
                    """, arguments: [id]
            ).map { try Self.decode(ConcertProgramme.self, $0) }
        }
    }

    /// Returns the entries with a concert on a date whose ids begin with a text.
    public func programmes(
        on date: CalendarDate, idsBeginningWith prefix: String
    ) async throws(CatalogueError) -> [ConcertProgramme] {
        try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT document FROM programme
                    WHERE number IN (SELECT programme FROM concert WHERE date = ?) AND substr(id, 1, ?) = ?
                    """, arguments: [date.number, prefix.count, prefix]
            ).map { try Self.decode(ConcertProgramme.self, $0) }
        }
    }

    /// Adds an entry, or replaces the one with its id.
    ///
    /// The ensemble must exist. Works, venues and cities that are new are added. An item of a work without an id gets
    /// one made from composer and title.
    /// - Returns: the entry as written.
    /// - Throws: ``CatalogueError/diaryRefused(_:)`` for an entry that cannot be.
    @discardableResult
    public func save(_ programme: ConcertProgramme) async throws(CatalogueError) -> ConcertProgramme {
        try await write { db in
            let writer = DiaryWriter(db)
            return try writer.save(programme).programme
        }
    }

    /// Replaces an entry only if it is still as the caller read it.
    /// - Returns: false if somebody changed or removed it meanwhile; nothing is written then.
    public func replace(_ old: ConcertProgramme, by new: ConcertProgramme) async throws(CatalogueError)
        -> Bool
    {
        try await write { db in
            let stored = try Data.fetchOne(
                db, sql: "SELECT document FROM programme WHERE id = ?", arguments: [old.id])
            guard old.id == new.id, try stored == Self.encode(old) else { return false }
            _ = try DiaryWriter(db).save(new)
            return true
        }
    }

    /// Removes an entry with its concerts.
    /// - Returns: false if there was none.
    @discardableResult
    public func removeProgramme(_ id: String) async throws(CatalogueError) -> Bool {
        try await write { db in try DiaryWriter(db).remove(id) }
    }

    /// Returns true if an entry was removed and has not been added again.
    public func isRemoved(_ id: String) async throws(CatalogueError) -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM removed WHERE id = ?)", arguments: [id]) ?? false
        }
    }
}
