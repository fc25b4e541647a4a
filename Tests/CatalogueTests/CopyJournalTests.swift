import Foundation
import GRDB
import Testing

@testable import Catalogue

struct CopyJournalTests {
    /// A database of one of the two servers.
    private final class End {
        let folder: CatalogueFolder
        let store: CatalogueStore
        let journal: CopyJournal

        init() throws {
            folder = try CatalogueFolder()
            store = try CatalogueStore(path: folder.file)
            journal = try CopyJournal(path: folder.file)
        }

        func account(_ id: String, _ name: String) async throws {
            try await store.pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO account (id, name, nameKey, role, passwordHash, createdAt)
                        VALUES (?, ?, ?, 'editor', 'hash', 0)
                        """, arguments: [id, name, name])
            }
        }

        func run(_ sql: String) async throws { try await store.pool.write { db in try db.execute(sql: sql) } }

        func names() async throws -> [String] {
            try await store.pool.read { db in
                try String.fetchAll(db, sql: "SELECT name FROM account ORDER BY name")
            }
        }

        /// Takes what is new there, as a server does; in small pieces.
        @discardableResult
        func copy(_ other: End, mostBytes: Int = 1) async throws -> Int {
            let start = try await other.journal.standing().start(for: try await journal.standing().followed)
            var (changes, number): ([CopyChange], Int64) = ([], start ?? 0)
            while true {
                let piece = try await other.journal.changes(after: number, mostBytes: mostBytes)
                let bytes = CopyCoding.bytes(piece.changes)
                changes += try #require(CopyCoding.changes(bytes[...]))
                number = piece.through
                guard piece.isAll else { continue }
                try await journal.take(
                    changes, anew: start == nil,
                    from: CopyMark(lineage: piece.standing.own.lineage, number: number))
                return changes.count
            }
        }
    }

    @Test func whatWasThereBeforeAndWhatComesLaterIsCopied() async throws {
        let folder = try CatalogueFolder()
        let before = try CatalogueStore(path: folder.file)
        try await before.pool.write { db in
            try db.execute(
                sql: "INSERT INTO account VALUES ('a', 'Anna', 'anna', 'editor', 'hash', 0, NULL)")
        }
        let journal = try CopyJournal(path: folder.file)
        let piece = try await journal.changes(after: 0, mostBytes: 1_000)
        #expect(piece.changes.map(\.table) == ["account"] && piece.isAll)

        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await main.account("b", "Berta")
        #expect(try await backup.copy(main) == 2)
        #expect(try await backup.names() == ["Anna", "Berta"])
        try await main.run("UPDATE account SET name = 'Ännchen' WHERE id = 'a'")
        try await main.run("DELETE FROM account WHERE id = 'b'")
        try await main.account("c", "Clara")
        #expect(try await backup.copy(main) == 3)
        #expect(try await backup.names() == ["Clara", "Ännchen"])
        #expect(try await backup.copy(main) == 0)
    }

    @Test func aRowThatChangesOftenIsSentOnce() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        for number in 0..<50 { try await main.run("UPDATE account SET name = '\(number)' WHERE id = 'a'") }
        #expect(try await backup.copy(main) == 1)
        #expect(try await backup.names() == ["49"])
    }

    @Test func whatHangsOnADeletedRowGoesToo() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await main.run("INSERT INTO score VALUES ('s', '{}', '[]', 1, NULL, 0, 0, NULL)")
        try await main.run("INSERT INTO bundle VALUES ('x', 'a', 's', 0)")
        try await backup.copy(main)
        // Changed in place: its bundle stays.
        try await main.run("UPDATE account SET name = 'Anne' WHERE id = 'a'")
        try await backup.copy(main)
        let kept = try await backup.store.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM bundle")
        }
        #expect(kept == 1)
        try await main.run("DELETE FROM account WHERE id = 'a'")
        try await backup.copy(main)
        let left = try await backup.store.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM bundle")
        }
        #expect(left == 0)
    }

    @Test func everyTableOfARoomIsCopiedAlsoThoseWithoutAKey() async throws {
        let (one, two) = (try CatalogueFolder(), try CatalogueFolder())
        let (main, backup) = (try RoomStore(path: one.file), try RoomStore(path: two.file))
        let (from, to) = (try CopyJournal(path: one.file), try CopyJournal(path: two.file))
        #expect(try await main.addRoom("r", score: "s", state: [1], atMilliseconds: 5))
        for number in 1...3 {
            try await main.write(
                [
                    .event(sequence: number, json: [UInt8(number)]),
                    .word(session: "x", atMilliseconds: Int64(number), json: [7]),
                    .spot(user: "u", part: 0, page: number), .settings(user: "u", score: "s", json: [9]),
                ], room: "r")
        }
        let piece = try await from.changes(after: 0, mostBytes: 1 << 20)
        try await to.take(piece.changes, anew: true, from: piece.standing.own)
        #expect(try await backup.rooms() == main.rooms())
        #expect(try await backup.words(ofRoom: "r", session: "x") == main.words(ofRoom: "r", session: "x"))
        #expect(try await backup.settings(ofUser: "u", score: "s") == [9])
    }

    @Test func aCopyThatIsNotWholeChangesNothing() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        let mark = CopyMark(lineage: "x", number: 1)
        let odd = [
            CopyChange(table: "account", key: [.text(Array("z".utf8))], row: [.null]),
            CopyChange(table: "sqlite_master", key: [.integer(1)], row: nil),
            CopyChange(table: "copyState", key: [.integer(1)], row: nil),
            // What it hangs on is missing.
            CopyChange(
                table: "bundle", key: [.text([0x78])],
                row: [.text([0x78]), .text([0x71]), .text([0x71]), .integer(0)]),
            // A key that is not the row's.
            CopyChange(
                table: "servedConcert", key: [.integer(1)], row: [.integer(2), .integer(1)]),
        ]
        for change in odd {
            await #expect(throws: CatalogueError.self) {
                try await backup.journal.take([change], anew: true, from: mark)
            }
            #expect(try await backup.names() == ["Anna"])
        }
    }

    @Test func bytesThatAreNoRowsAreRefused() {
        let bytes = CopyCoding.bytes([
            CopyChange(
                table: "a", key: [.integer(-3)], row: [.null, .real(7), .text([65]), .blob([0, 10])]),
            CopyChange(table: "b", key: [.blob([])], row: nil),
        ])
        #expect(CopyCoding.changes(bytes[...])?.count == 2)
        for cut in 1..<bytes.count {
            let part = CopyCoding.changes(bytes[..<cut])
            #expect(part == nil || part?.count == 1, "cut at \(cut)")
        }
        #expect(CopyCoding.changes([255, 255, 255, 255, 0]) == nil)
    }

    @Test func whoWorkedOnAndWasNotCopiedHasUnknownWork() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        func held(_ end: End, of other: End) async throws -> Int64? {
            try await end.journal.standing().holds(of: other.journal.standing().own.lineage)
        }
        // Everything of main is on the backup.
        let copied = try await held(backup, of: main)
        #expect(try await !main.journal.standing().hasUnknownWork(held: copied))
        #expect(try await !backup.journal.standing().hasUnknownWork(held: nil))
        try await main.account("b", "Berta")
        #expect(try await main.journal.standing().hasUnknownWork(held: copied))
        let all = try await backup.journal.changes(after: 0, mostBytes: 1 << 20).changes
        #expect(try await !main.journal.isPart(of: all))
        try await backup.copy(main)
        let more = try await backup.journal.changes(after: 0, mostBytes: 1 << 20).changes
        #expect(try await main.journal.isPart(of: more))
        // The other way round afterwards: only what is new goes back.
        try await main.copy(backup)
        try await backup.account("c", "Clara")
        #expect(try await main.copy(backup) == 1)
        #expect(try await main.names() == ["Anna", "Berta", "Clara"])
    }

    @Test func signInsAreNobodysWorkAndEndWithAChangedPassphrase() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        try await backup.store.beginSignIn(of: AccountID(rawValue: "a"), digest: digest(1))
        #expect(try await !backup.journal.standing().hasUnknownWork(held: nil))
        try await main.account("b", "Berta")
        try await backup.copy(main)
        #expect(try await backup.store.account(signedInBy: digest(1)) != nil)
        try await main.run("UPDATE account SET passwordHash = 'another' WHERE id = 'a'")
        try await backup.copy(main)
        #expect(try await backup.store.account(signedInBy: digest(1)) == nil)
    }

    @Test func aCopiedFolderGetsANameOfItsOwn() async throws {
        let end = try End()
        let before = try await end.journal.standing().own
        try await end.journal.takeNewLineage()
        let after = try await end.journal.standing()
        #expect(after.own.lineage != before.lineage && after.start(for: before) == nil)
    }
}
