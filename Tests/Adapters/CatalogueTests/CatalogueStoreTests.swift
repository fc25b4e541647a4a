import Foundation
import GRDB
import Testing

@testable import Catalogue

@Suite struct CatalogueStoreTests {
    let folder: CatalogueFolder

    init() throws { folder = try CatalogueFolder() }

    @Test func aNewCatalogueIsEmptyAndReadableForOneUserOnly() async throws {
        let store = try CatalogueStore(path: folder.file)
        #expect(try await store.accounts().isEmpty)
        try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + suffix)
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(suffix)")
        }
    }

    @Test func changesAreOnTheDiskWhenTheCallReturns() async throws {
        let store = try CatalogueStore(path: folder.file)
        let (journal, synchronous, keys) = try await store.pool.writeWithoutTransaction { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(journal == "wal" && synchronous == 2 && keys == 1)
    }

    @Test func whatWasWrittenIsThereAfterOpeningAgain() async throws {
        let id = try await CatalogueStore(path: folder.file)
            .addAccount(named: "anna", role: .administrator, passwordHash: "h").id
        let again = try CatalogueStore(path: folder.file)
        #expect(try await again.account(named: "anna").id == id)
    }

    @Test func anotherProcessSeesTheChangeAtOnce() async throws {
        let (one, other) = (try CatalogueStore(path: folder.file), try CatalogueStore(path: folder.file))
        try await one.addAccount(named: "anna", role: .technician, passwordHash: "h")
        try await other.addAccount(named: "ben", role: .technician, passwordHash: "h")
        #expect(try await one.accounts().map(\.name) == ["anna", "ben"])
    }

    @Test func newerDatabaseIsRefusedAndNamed() async throws {
        let store = try CatalogueStore(path: folder.file)
        try await store.pool.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('venues-3')")
        }
        #expect(throws: CatalogueError.writtenByNewerVersion(path: folder.file, unknown: ["venues-3"])) {
            try CatalogueStore(path: folder.file)
        }
    }

    @Test func databaseOfAnotherProgramIsLeftAlone() throws {
        let other = try DatabaseQueue(path: folder.file)
        try other.write { db in try db.execute(sql: "CREATE TABLE bookmark (url TEXT)") }
        try other.close()
        #expect(throws: CatalogueError.otherProgramsDatabase(path: folder.file)) {
            try CatalogueStore(path: folder.file)
        }
    }

    @Test func anyOtherFileIsNotADatabase() throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: folder.file))
        #expect(throws: CatalogueError.notADatabase(path: folder.file)) {
            try CatalogueStore(path: folder.file)
        }
    }

    @Test func damagedPageIsFoundAtTheStart() async throws {
        do {
            let store = try CatalogueStore(path: folder.file)
            for number in 0..<200 {
                try await store.addAccount(
                    named: "account \(number)", role: .technician,
                    passwordHash: String(repeating: "h", count: 90))
            }
            try await store.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try store.pool.close()
        }
        var bytes = try Data(contentsOf: URL(filePath: folder.file))
        // All pages but the first, which holds the schema, become noise.
        for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try bytes.write(to: URL(filePath: folder.file))
        do throws(CatalogueError) {
            _ = try CatalogueStore(path: folder.file)
            Issue.record("the damage was not found")
        } catch {
            guard case .damaged = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test(arguments: [0, 1, 50, 100, 512, 4_095, 4_096, 5_000, 9_000])
    func aCutFileIsRefusedAndNamed(bytes: Int) async throws {
        do {
            let store = try CatalogueStore(path: folder.file)
            try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
            try await store.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try store.pool.close()
        }
        let whole = try Data(contentsOf: URL(filePath: folder.file))
        try whole.prefix(bytes).write(to: URL(filePath: folder.file))
        do throws(CatalogueError) {
            _ = try CatalogueStore(path: folder.file)
            Issue.record("\(bytes) bytes passed in silence")
        } catch {
            #expect(error.sentence.contains(folder.file))
        }
    }

    /// A catalogue as a killed server leaves it: its newest changes are in the log of writes alone.
    private func leftBehind() async throws -> (database: Data, writeLog: Data) {
        let store = try CatalogueStore(path: folder.file)
        try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
        let files = (
            try Data(contentsOf: URL(filePath: folder.file)),
            try Data(contentsOf: URL(filePath: folder.file + "-wal"))
        )
        try store.pool.close()
        try put(files.0, files.1)
        return files
    }

    private func put(_ database: Data?, _ writeLog: Data) throws {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.file + suffix)
        }
        try database?.write(to: URL(filePath: folder.file))
        try writeLog.write(to: URL(filePath: folder.file + "-wal"))
    }

    /// SQLite deletes the log of writes beside an empty or missing database, and writes it into a damaged one.
    @Test func aRefusedStartChangesNoByte() async throws {
        let (whole, writeLog) = try await leftBehind()
        var other = whole
        other.replaceSubrange(0..<16, with: Data("no SQLite file!!".utf8))
        let cases: [(Data?, CatalogueError)] = [
            (Data(), .fileEmptied(path: folder.file, hasWriteLog: true)),
            (nil, .writeLogWithoutDatabase(path: folder.file)),
            (other, .notADatabase(path: folder.file)),
        ]
        for (database, expected) in cases {
            try put(database, writeLog)
            do throws(CatalogueError) {
                _ = try CatalogueStore(path: folder.file)
                Issue.record("\(database?.count ?? -1) bytes passed in silence")
            } catch {
                #expect(error == expected)
                #expect(error.sentence.contains(folder.file) && error.sentence.hasSuffix("."))
            }
            #expect(try Data(contentsOf: URL(filePath: folder.file + "-wal")) == writeLog)
            #expect((try? Data(contentsOf: URL(filePath: folder.file))) == database)
        }
        // Put back, everything is there again.
        try put(whole, writeLog)
        #expect(try await CatalogueStore(path: folder.file).accounts().map(\.name) == ["anna"])
    }

    @Test func damageBesideALogOfWritesIsRefusedAndBothAreKept() async throws {
        let (whole, writeLog) = try await leftBehind()
        // A newer version's note in the log: refused after the database was read, not before.
        try put(whole, writeLog)
        let newer = try DatabasePool(path: folder.file)
        try await newer.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('venues-3')")
        }
        let (main, log) = (
            try Data(contentsOf: URL(filePath: folder.file)),
            try Data(contentsOf: URL(filePath: folder.file + "-wal"))
        )
        try newer.close()
        try put(main, log)
        #expect(throws: CatalogueError.writtenByNewerVersion(path: folder.file, unknown: ["venues-3"])) {
            try CatalogueStore(path: folder.file)
        }
        #expect(try Data(contentsOf: URL(filePath: folder.file + "-wal")) == log)
        #expect(try Data(contentsOf: URL(filePath: folder.file)) == main)
    }

    @Test func aFolderOrALinkInItsPlaceIsNamed() throws {
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        #expect(throws: CatalogueError.notAFile(path: folder.file, what: "a folder")) {
            try CatalogueStore(path: folder.file)
        }
    }

    @Test func missingFolderIsSaid() {
        let path = folder.path + "/nowhere/catalogue.sqlite"
        #expect(throws: CatalogueError.cannotOpen(path: path, reason: "No such file or directory")) {
            try CatalogueStore(path: path)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnlyFolderIsSaid() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        #expect(throws: CatalogueError.readOnly(path: folder.file)) { try CatalogueStore(path: folder.file) }
    }

    @Test func fullDiskFailsOneChangeAndSpoilsNothing() async throws {
        let store = try CatalogueStore(path: folder.file)
        try await store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        var added = 0
        do throws(CatalogueError) {
            for number in 0..<500 {
                try await store.addAccount(
                    named: "account \(number)", role: .technician,
                    passwordHash: String(repeating: "h", count: 90))
                added += 1
            }
            Issue.record("the disk never became full")
        } catch {
            #expect(error == .diskFull(path: folder.file))
        }
        #expect(try await store.accounts().count == added)
        // Space returns.
        try await store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = 100000")
        }
        try await store.addAccount(named: "after", role: .technician, passwordHash: "h")
    }

    @Test(arguments: [
        (ResultCode.SQLITE_READONLY_DIRECTORY, CatalogueError.readOnly(path: "p")),
        (.SQLITE_READONLY, .readOnly(path: "p")), (.SQLITE_FULL, .diskFull(path: "p")),
        (.SQLITE_BUSY_TIMEOUT, .busy(path: "p")), (.SQLITE_NOTADB, .notADatabase(path: "p")),
    ])
    func systemCodesBecomeOurErrors(code: ResultCode, error: CatalogueError) {
        #expect(CatalogueError.wrapping(DatabaseError(resultCode: code), path: "p") == error)
    }

    @Test func everyErrorIsASentence() {
        let errors: [CatalogueError] = [
            .writtenByNewerVersion(path: "p", unknown: ["a", "b", "c", "d"]),
            .otherProgramsDatabase(path: "p"),
            .notADatabase(path: "p"),
            .fileEmptied(path: "p", hasWriteLog: true), .writeLogWithoutDatabase(path: "p"),
            .notAFile(path: "p", what: "a folder"),
            .damaged(path: "p", reason: "r"), .cannotOpen(path: "p", reason: "r"), .readOnly(path: "p"),
            .diskFull(path: "p"), .busy(path: "p"), .interrupted, .readOrWriteFailed(path: "p", reason: "r"),
            .invalidAccountName("\u{7}"), .accountNameTaken("a"), .noSuchAccount("a"),
            .lastAdministrator("a"),
        ]
        for error in errors {
            #expect(error.sentence.hasSuffix(".") && error.sentence.contains(";"))
            #expect(error.sentence.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }
}
