import Foundation
import GRDB
import Testing

@testable import Catalogue

extension RowChangeJournal {
    fileprivate func take(
        _ changes: [RowChange], anew: Bool, from mark: ReplicationPosition, ifWorkIs work: Int64? = nil
    ) async throws -> Bool {
        let arrivals = try ReceivedRowChanges()
        try await arrivals.add(changes)
        return try await applyReceivedChanges(arrivals, anew: anew, from: mark, ifWorkIs: work)
    }

    fileprivate func isPart(of all: [RowChange]) async throws -> Bool {
        let arrivals = try ReceivedRowChanges()
        try await arrivals.add(all)
        return try await hasOnlyRows(of: arrivals)
    }
}

struct CopyJournalTests {
    /// A database of one of the two servers.
    private final class End {
        let folder: CatalogueFolder
        let store: CatalogueStore
        let journal: RowChangeJournal

        init() throws {
            folder = try CatalogueFolder()
            store = try CatalogueStore(path: folder.file)
            journal = try RowChangeJournal(path: folder.file)
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
            let start = try await other.journal.replicationState().resumeNumber(
                for: try await journal.replicationState().copiedFrom)
            var (changes, number): ([RowChange], Int64) = ([], start ?? 0)
            while true {
                let piece = try await other.journal.changes(after: number, mostBytes: mostBytes)
                let bytes = RowChangeCoding.encode(piece.changes)
                changes += try #require(RowChangeCoding.decode(bytes[...]))
                number = piece.lastNumber
                guard piece.isComplete else { continue }
                _ = try await journal.take(
                    changes, anew: start == nil,
                    from: ReplicationPosition(lineage: piece.sourceState.ownPosition.lineage, number: number))
                return changes.count
            }
        }
    }

    @Test func fromWhereSomebodySignedInIsCopiedAndNobodysWork() async throws {
        let (end, other) = (try End(), try End())
        try await end.account("a", "anna")
        let before = try await end.journal.replicationState().newestManualChange
        try await end.store.recordSignInNetwork(of: AccountID(rawValue: "a"), from: "10.0.0.1")
        _ = try await end.store.loadServerSecret(named: "devices", orKeep: [1, 2])
        #expect(try await end.journal.replicationState().newestManualChange == before)
        try await other.copy(end)
        #expect(try await other.store.signInNetworks() == ["anna": ["10.0.0.1"]])
        #expect(try await other.store.loadServerSecret(named: "devices", orKeep: nil) == [1, 2])
    }

    @Test func whatWasThereBeforeAndWhatComesLaterIsCopied() async throws {
        let folder = try CatalogueFolder()
        let before = try CatalogueStore(path: folder.file)
        try await before.pool.write { db in
            try db.execute(
                sql: "INSERT INTO account VALUES ('a', 'Anna', 'anna', 'editor', 'hash', 0, NULL)")
        }
        let journal = try RowChangeJournal(path: folder.file)
        let piece = try await journal.changes(after: 0, mostBytes: 1_000)
        #expect(piece.changes.map(\.table) == ["account"] && piece.isComplete)

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
        let (main, backup) = (try RehearsalRoomStore(path: one.file), try RehearsalRoomStore(path: two.file))
        let (from, to) = (try RowChangeJournal(path: one.file), try RowChangeJournal(path: two.file))
        #expect(try await main.addRoom("r", score: "s", state: [1], atMilliseconds: 5))
        for number in 1...3 {
            try await main.write(
                [
                    .event(sequence: number, json: [UInt8(number)]),
                    .scorePosition(session: "x", atMilliseconds: Int64(number), json: [7]),
                    .openPage(user: "u", part: 0, page: number),
                    .pageTurningSettings(user: "u", score: "s", json: [9]),
                ], room: "r")
        }
        let piece = try await from.changes(after: 0, mostBytes: 1 << 20)
        _ = try await to.take(piece.changes, anew: true, from: piece.sourceState.ownPosition)
        #expect(try await backup.rooms() == main.rooms())
        #expect(
            try await backup.scorePositions(ofRoom: "r", session: "x")
                == main.scorePositions(ofRoom: "r", session: "x"))
        #expect(try await backup.pageTurningSettings(ofUser: "u", score: "s") == [9])
    }

    @Test func aCopyThatIsNotWholeChangesNothing() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        let mark = ReplicationPosition(lineage: "x", number: 1)
        let odd = [
            RowChange(table: "account", primaryKey: [.text(Array("z".utf8))], row: [.null]),
            RowChange(table: "sqlite_master", primaryKey: [.integer(1)], row: nil),
            RowChange(table: "copyState", primaryKey: [.integer(1)], row: nil),
            // The row to which it refers is missing.
            RowChange(
                table: "bundle", primaryKey: [.text([0x78])],
                row: [.text([0x78]), .text([0x71]), .text([0x71]), .integer(0)]),
            // A key that is not the row's.
            RowChange(
                table: "servedConcert", primaryKey: [.integer(1)], row: [.integer(2), .integer(1)]),
        ]
        for change in odd {
            await #expect(throws: CatalogueError.self) {
                _ = try await backup.journal.take([change], anew: true, from: mark)
            }
            #expect(try await backup.names() == ["Anna"])
        }
    }

    @Test func bytesThatAreNoRowsAreRefused() {
        let bytes = RowChangeCoding.encode([
            RowChange(
                table: "a", primaryKey: [.integer(-3)], row: [.null, .real(7), .text([65]), .blob([0, 10])]),
            RowChange(table: "b", primaryKey: [.blob([])], row: nil),
        ])
        #expect(RowChangeCoding.decode(bytes[...])?.count == 2)
        for cut in 1..<bytes.count {
            let part = RowChangeCoding.decode(bytes[..<cut])
            #expect(part == nil || part?.count == 1, "cut at \(cut)")
        }
        #expect(RowChangeCoding.decode([255, 255, 255, 255, 0]) == nil)
    }

    @Test func whoWorkedOnAndWasNotCopiedHasUnknownWork() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        func held(_ end: End, of other: End) async throws -> Int64? {
            try await end.journal.replicationState().numberHeld(
                of: other.journal.replicationState().ownPosition.lineage)
        }
        // Everything of main is on the backup.
        let copied = try await held(backup, of: main)
        #expect(try await !main.journal.replicationState().hasUnreplicatedManualChanges(held: copied))
        #expect(try await !backup.journal.replicationState().hasUnreplicatedManualChanges(held: nil))
        try await main.account("b", "Berta")
        #expect(try await main.journal.replicationState().hasUnreplicatedManualChanges(held: copied))
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
        #expect(try await !backup.journal.replicationState().hasUnreplicatedManualChanges(held: nil))
        try await main.account("b", "Berta")
        try await backup.copy(main)
        #expect(try await backup.store.account(signedInBy: digest(1)) != nil)
        try await main.run("UPDATE account SET passwordHash = 'another' WHERE id = 'a'")
        try await backup.copy(main)
        #expect(try await backup.store.account(signedInBy: digest(1)) == nil)
    }

    @Test func aCopiedFolderGetsANameOfItsOwn() async throws {
        let end = try End()
        let before = try await end.journal.replicationState().ownPosition
        try await end.journal.assignNewLineage()
        let after = try await end.journal.replicationState()
        #expect(after.ownPosition.lineage != before.lineage && after.resumeNumber(for: before) == nil)
    }

    @Test func aNameMayPassFromOneToAnotherInAnyOrder() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await main.account("b", "Berta")
        try await backup.copy(main)
        try await main.run("UPDATE account SET nameKey = 'x' WHERE id = 'a'")
        try await main.run("UPDATE account SET nameKey = 'Anna' WHERE id = 'b'")
        try await main.run("UPDATE account SET nameKey = 'Berta' WHERE id = 'a'")
        try await backup.copy(main)
        let keys = try await backup.store.pool.read { db in
            try String.fetchAll(db, sql: "SELECT nameKey FROM account ORDER BY id")
        }
        #expect(keys == ["Berta", "Anna"])
    }

    @Test func aRowThatChangedBetweenTwoPiecesIsTakenAsItIsNewest() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await main.account("b", "Berta")
        let first = try await main.journal.changes(after: 0, mostBytes: 1)
        #expect(!first.isComplete && first.changes.count == 1)
        try await main.run("UPDATE account SET name = 'x', nameKey = 'x' WHERE id = 'a'")
        try await main.run("UPDATE account SET name = 'Anna', nameKey = 'Anna' WHERE id = 'b'")
        let rest = try await main.journal.changes(after: first.lastNumber, mostBytes: 1 << 20)
        #expect(
            try await backup.journal.take(
                first.changes + rest.changes, anew: true, from: rest.sourceState.ownPosition))
        #expect(try await backup.names() == ["Anna", "x"])
    }

    @Test func nothingIsTakenWhereSomebodyWorkedMeanwhile() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await backup.copy(main)
        let standing = try await backup.journal.replicationState()
        try await backup.account("m", "Mine")
        let mark = ReplicationPosition(lineage: "x", number: 1)
        #expect(
            try await !backup.journal.take([], anew: true, from: mark, ifWorkIs: standing.newestManualChange))
        #expect(try await backup.names() == ["Anna", "Mine"])
        #expect(try await backup.journal.replicationState().hasUnreplicatedManualChanges(held: nil))
        // Sign-ins are nobody's work, so they are not copied.
        let work = try await backup.journal.replicationState().newestManualChange
        try await backup.store.beginSignIn(of: AccountID(rawValue: "m"), digest: digest(3))
        #expect(try await backup.journal.take([], anew: true, from: mark, ifWorkIs: work))
    }

    @Test func aTableMadeAnewBeginsANewHistory() async throws {
        let (main, backup) = (try End(), try End())
        try await main.account("a", "Anna")
        try await main.run("INSERT INTO score VALUES ('s', '{}', '[]', 1, NULL, 0, 0, NULL)")
        try await backup.copy(main)
        let before = try await main.journal.replicationState().ownPosition
        try await main.run(
            """
            DELETE FROM score; CREATE TABLE other AS SELECT * FROM score; DROP TABLE score;
            CREATE TABLE score (id TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, sources TEXT NOT NULL,
                revision INTEGER NOT NULL, origin TEXT UNIQUE, createdAt INTEGER NOT NULL,
                changedAt INTEGER NOT NULL, removedAt INTEGER);
            DROP TABLE other;
            """)
        // Without rows a table has no notes; this one had the note of a row that went.
        let again = try RowChangeJournal(path: main.folder.file)
        let after = try await again.replicationState()
        #expect(after.ownPosition.lineage != before.lineage && after.resumeNumber(for: before) == nil)
        #expect(again.schemaFingerprint == main.journal.schemaFingerprint)
        try await backup.copy(main)
        let left = try await backup.store.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM score")
        }
        #expect(left == 0)
    }

    @Test func tablesThatOtherStepsMadeHaveAnotherShape() throws {
        let end = try End()
        try end.store.pool.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('later-1')")
        }
        #expect(
            try RowChangeJournal(path: end.folder.file).schemaFingerprint != end.journal.schemaFingerprint)
    }

    @Test func manyRowsWaitInAFileThatHasNoName() async throws {
        let (main, backup) = (try End(), try End())
        for number in 0..<30 { try await main.account("\(number)", "name \(number)") }
        let path = backup.folder.file + ".arriving"
        let arrivals = try ReceivedRowChanges(path: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        var number: Int64 = 0
        while true {
            let piece = try await main.journal.changes(after: number, mostBytes: 200)
            try await arrivals.add(piece.changes)
            number = piece.lastNumber
            if piece.isComplete { break }
        }
        let mark = try await main.journal.replicationState().ownPosition
        #expect(try await backup.journal.applyReceivedChanges(arrivals, anew: true, from: mark))
        #expect(try await backup.names().count == 30)
    }

    @Test func emptyTextsAndBlobsStayWhatTheyAre() async throws {
        let (one, two) = (try CatalogueFolder(), try CatalogueFolder())
        let (main, backup) = (try RehearsalRoomStore(path: one.file), try RehearsalRoomStore(path: two.file))
        let (from, to) = (try RowChangeJournal(path: one.file), try RowChangeJournal(path: two.file))
        #expect(try await main.addRoom("r", score: "", state: [], atMilliseconds: 5))
        let piece = try await from.changes(after: 0, mostBytes: 1 << 20)
        _ = try await to.take(piece.changes, anew: true, from: piece.sourceState.ownPosition)
        #expect(try await backup.rooms() == main.rooms())
    }
}
