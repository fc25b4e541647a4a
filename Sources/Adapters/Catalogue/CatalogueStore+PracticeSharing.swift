import Foundation
import GRDB

/// A person whom the owner of a tab lets read it.
public struct PracticeTabReader: Equatable, Sendable {
    /// The name as the owner wrote it.
    public let name: String
    /// True once a device of the person has the tab.
    public let hasArrived: Bool
}

/// The result of sharing a tab with a person.
public enum PracticeTabSharing: Equatable, Sendable {
    case shared
    case noSuchTab
    /// The name is the owner's own.
    case ownName
    case tooManyReaders(Int)
}

/// Another person as somebody who practises sees them.
public struct PracticePartner: Equatable, Sendable {
    public let id: String
    public let name: String
}

/// A take whose report a student lets another person see.
public struct SharedTake: Equatable, Sendable {
    public let student: PracticePartner
    public let take: String
}

/// Sharing between teachers and students: tabs of the teacher, reports on takes of the student. A person who shares a
/// tab with a named account is that account's teacher.
extension CatalogueStore {
    public static let mostReadersOfTab = 60
    /// The number of shared takes in the list of a teacher; the ones shared last.
    static let mostSharedTakes = 1_000

    /// Lets a person read a tab of the owner. The result is the same whether or not there is an account of this name,
    /// so that nobody learns by it who has one.
    public func sharePracticeTab(
        _ id: String, of owner: String, with text: String
    ) async throws(CatalogueError) -> PracticeTabSharing {
        let name = try AccountName(text)
        return try await write { db in
            guard try Self.owns(id, owner, db) else { return .noSuchTab }
            let account = try String.fetchOne(
                db, sql: "SELECT id FROM account WHERE nameKey = ?", arguments: [name.comparisonKey])
            guard account != owner else { return .ownName }
            let others = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM practiceTabReader WHERE tab = ? AND nameKey <> ?",
                arguments: [id, name.comparisonKey])
            guard others ?? 0 < Self.mostReadersOfTab else { return .tooManyReaders(Self.mostReadersOfTab) }
            try db.execute(
                sql: """
                    INSERT INTO practiceTabReader (tab, nameKey, name, account) VALUES (?, ?, ?, ?)
                    ON CONFLICT (tab, nameKey) DO UPDATE SET account = excluded.account
                    """, arguments: [id, name.comparisonKey, name.displayName, account])
            return .shared
        }
    }

    /// Returns the persons whom the owner lets read a tab, in the order of their names; nil if the account has no such
    /// tab.
    public func readers(
        ofPracticeTab id: String, of owner: String
    ) async throws(CatalogueError) -> [PracticeTabReader]? {
        try await read { db in
            guard try Self.owns(id, owner, db) else { return nil }
            return try Row.fetchAll(
                db, sql: "SELECT name, arrivedAt FROM practiceTabReader WHERE tab = ? ORDER BY nameKey",
                arguments: [id]
            ).map { PracticeTabReader(name: $0["name"], hasArrived: $0["arrivedAt"] as Int64? != nil) }
        }
    }

    /// Ends the sharing of a tab with a person.
    /// - Returns: false if the account has no such tab.
    public func endSharing(
        ofPracticeTab id: String, of owner: String, with name: String
    ) async throws(CatalogueError) -> Bool {
        try await write { db in
            guard try Self.owns(id, owner, db) else { return false }
            try db.execute(
                sql: "DELETE FROM practiceTabReader WHERE tab = ? AND nameKey = ?",
                arguments: [id, AccountName.makeComparisonKey(name)])
            return true
        }
    }

    /// Notes that a device of a reader has a tab.
    public func noteArrival(
        ofPracticeTab id: String, at reader: String, now: Date = .now
    ) async throws(CatalogueError) {
        let isNew = try await read { db in
            try Bool.fetchOne(
                db,
                sql: "SELECT 1 FROM practiceTabReader WHERE tab = ? AND account = ? AND arrivedAt IS NULL",
                arguments: [id, reader]) ?? false
        }
        guard isNew else { return }
        try await write { db in
            try db.execute(
                sql: "UPDATE practiceTabReader SET arrivedAt = ? WHERE tab = ? AND account = ?",
                arguments: [now.millisecondsSince1970, id, reader])
        }
    }

    private static func owns(_ tab: String, _ owner: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM practiceTab WHERE id = ? AND account = ? AND removedAt IS NULL",
            arguments: [tab, owner]) ?? false
    }

    // MARK: Reports on takes

    /// Returns the persons who may be let see the takes of a student: those who share a tab with the student, and those
    /// who see a take already.
    public func teachers(ofStudent student: String) async throws(CatalogueError) -> [PracticePartner] {
        try await read { db in try Self.teachers(of: student, db) }
    }

    private static func teachers(of student: String, _ db: Database) throws -> [PracticePartner] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, name FROM account WHERE disabledAt IS NULL AND id IN (
                    SELECT practiceTab.account FROM practiceTabReader
                        JOIN practiceTab ON practiceTab.id = tab AND removedAt IS NULL
                        WHERE practiceTabReader.account = ?1
                    UNION SELECT reader FROM takeReader WHERE owner = ?1)
                ORDER BY nameKey
                """, arguments: [student]
        ).map { PracticePartner(id: $0["id"], name: $0["name"]) }
    }

    /// Returns whom a student lets see which takes: the ids of the readers by the names of the takes.
    public func readers(ofTakesOf student: String) async throws(CatalogueError) -> [String: [String]] {
        try await read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT take, reader FROM takeReader WHERE owner = ? ORDER BY reader",
                arguments: [student])
            return Dictionary(grouping: rows) { $0["take"] }.mapValues { $0.map { $0["reader"] } }
        }
    }

    /// Lets a teacher of the student see the report on a take, or ends that.
    /// - Returns: false if the person is no teacher of the student; nothing changes then.
    public func setTake(
        _ take: String, of student: String, sharedWith teacher: String, to isShared: Bool, at now: Date = .now
    ) async throws(CatalogueError) -> Bool {
        try await write { db in
            guard try Self.teachers(of: student, db).contains(where: { $0.id == teacher }) else {
                return false
            }
            if isShared {
                try db.execute(
                    sql: """
                        INSERT INTO takeReader (owner, take, reader, sharedAt) VALUES (?, ?, ?, ?)
                        ON CONFLICT DO NOTHING
                        """, arguments: [student, take, teacher, now.millisecondsSince1970])
            } else {
                try db.execute(
                    sql: "DELETE FROM takeReader WHERE owner = ? AND take = ? AND reader = ?",
                    arguments: [student, take, teacher])
            }
            return true
        }
    }

    /// Returns the takes whose reports a person may see, those shared last first. Takes of suspended accounts are left
    /// out, because their owners cannot take them back.
    public func takes(readableBy reader: String) async throws(CatalogueError) -> [SharedTake] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT owner, take, name FROM takeReader JOIN account ON account.id = owner
                    WHERE reader = ? AND disabledAt IS NULL ORDER BY sharedAt DESC, take DESC LIMIT ?
                    """, arguments: [reader, Self.mostSharedTakes]
            ).map {
                SharedTake(student: PracticePartner(id: $0["owner"], name: $0["name"]), take: $0["take"])
            }
        }
    }

    /// Forgets whom a student let see a take, because it is deleted.
    public func removeReaders(ofTake take: String, of student: String) async throws(CatalogueError) {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM takeReader WHERE owner = ? AND take = ?", arguments: [student, take])
        }
    }

    /// Ends all that an account shares with others, and others with it.
    static func removePracticeSharing(of account: String, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM practiceTabReader
                    WHERE account = ?1 OR tab IN (SELECT id FROM practiceTab WHERE account = ?1)
                """, arguments: [account])
        try db.execute(
            sql: "DELETE FROM takeReader WHERE owner = ?1 OR reader = ?1", arguments: [account])
    }
}
