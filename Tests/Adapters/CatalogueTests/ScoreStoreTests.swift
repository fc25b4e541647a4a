import Foundation
import GRDB
import Testing

@testable import Catalogue

@Suite struct ScoreStoreTests {
    let folder: CatalogueFolder
    let store: CatalogueStore

    init() throws {
        folder = try CatalogueFolder()
        store = try CatalogueStore(path: folder.file)
    }

    private func score(_ id: String, origin: String? = nil) -> StoredScore {
        StoredScore(id: id, contentJSON: "{}", sourcesJSON: "[]", shippedFolder: origin)
    }

    @Test func aScoreKeepsWhatItWasGiven() async throws {
        try await store.addScore(score("a", origin: "elise"), at: .evening)
        #expect(try await store.scores() == [score("a", origin: "elise")])
        #expect(try await store.importedScoreFolders() == ["elise"])
        await #expect(throws: CatalogueError.self) { try await store.addScore(score("a")) }
    }

    @Test func ofTwoWhoChangeTheSecondIsTold() async throws {
        try await store.addScore(score("a"))
        var next = score("a")
        (next.revision, next.contentJSON) = (2, "{\"title\":1}")
        try await store.changeScore(next)
        await #expect(throws: CatalogueError.scoreChanged("a")) { try await store.changeScore(next) }
        #expect(try await store.scores() == [next])
        var other = score("b")
        other.revision = 2
        await #expect(throws: CatalogueError.noSuchScore("b")) { try await store.changeScore(other) }
    }

    @Test func aRemovedScoreIsNobodysAndDoesNotComeBack() async throws {
        let anna = try await store.addAccount(named: "anna", role: .musician, passwordHash: "h")
        try await store.addScore(score("a", origin: "elise"))
        _ = try await store.grantScore("a", to: anna.id, bundle: "1")
        try await store.removeScore("a")
        #expect(try await store.scores().isEmpty)
        #expect(try await store.scoreGrants().isEmpty)
        #expect(try await store.hasScoreGrant(anna.id, score: "a") == false)
        #expect(try await store.importedScoreFolders() == ["elise"])
        await #expect(throws: CatalogueError.noSuchScore("a")) { try await store.removeScore("a") }
    }

    @Test func aScoreComesOutOfTheBinAsItWasForThirtyDays() async throws {
        let anna = try await store.addAccount(named: "anna", role: .musician, passwordHash: "h")
        let ben = try await store.addAccount(named: "ben", role: .musician, passwordHash: "h")
        try await store.addScore(score("a"))
        _ = try await store.grantScore("a", to: anna.id, bundle: "1")
        let day = 86_400.0
        try await store.removeScore("a", at: .evening)
        let binned = try await store.scoresInBin(at: .evening + 29 * day)
        #expect(binned.map(\.score) == [score("a")] && binned.map(\.removedAt) == [.evening])
        #expect(binned[0].belongings == ScoreBelongings(remarks: 0, writers: 0, readers: 1))
        #expect(try await store.isScoreInBin("a", of: anna.id, at: .evening + day))
        #expect(try await store.isScoreInBin("a", of: nil, at: .evening + day))
        #expect(try await !store.isScoreInBin("a", of: ben.id, at: .evening + day))
        #expect(try await store.restoreScore("a", at: .evening + 29 * day) == score("a"))
        #expect(try await store.hasScoreGrant(anna.id, score: "a"))
        #expect(try await store.scoresInBin(at: .evening).isEmpty)

        try await store.removeScore("a", at: .evening)
        try await store.emptyScoreBin(at: .evening + 31 * day)
        #expect(try await store.scoresInBin(at: .evening + 31 * day).isEmpty)
        await #expect(throws: CatalogueError.noSuchScore("a")) {
            try await store.restoreScore("a", at: .evening + 31 * day)
        }
        // What belonged to it is gone for good, whatever the clock says.
        _ = try await store.restoreScore("a", at: .evening)
        #expect(try await !store.hasScoreGrant(anna.id, score: "a"))
    }

    @Test func givingTwiceIsGivingOnce() async throws {
        let anna = try await store.addAccount(named: "anna", role: .musician, passwordHash: "h")
        let ben = try await store.addAccount(named: "ben", role: .technician, passwordHash: "h")
        try await store.addScore(score("a"))
        #expect(try await store.grantScore("a", to: anna.id, bundle: "1") == "1")
        #expect(try await store.grantScore("a", to: anna.id, bundle: "2") == "1")
        #expect(try await store.scoreGrants(of: "a").map(\.accountName) == ["anna"])
        #expect(try await store.hasScoreGrant(anna.id, score: "a"))
        #expect(try await !store.hasScoreGrant(ben.id, score: "a"))
        #expect(try await store.scores(givenTo: anna.id) == ["a"])
        try await store.revokeScoreGrant("1")
        #expect(try await !store.hasScoreGrant(anna.id, score: "a"))
    }

    @Test func onlyWhatThereIsCanBeGivenToWhoThereIs() async throws {
        let anna = try await store.addAccount(named: "anna", role: .musician, passwordHash: "h")
        await #expect(throws: CatalogueError.noSuchScore("a")) {
            try await store.grantScore("a", to: anna.id, bundle: "1")
        }
        try await store.addScore(score("a"))
        await #expect(throws: CatalogueError.noSuchAccount("x")) {
            try await store.grantScore("a", to: AccountID(rawValue: "x"), bundle: "1")
        }
    }

    @Test func whoIsRemovedHoldsNothing() async throws {
        let anna = try await store.addAccount(named: "anna", role: .musician, passwordHash: "h")
        try await store.addScore(score("a"))
        _ = try await store.grantScore("a", to: anna.id, bundle: "1")
        try await store.removeAccount(anna.id)
        #expect(try await store.scoreGrants().isEmpty)
    }

    @Test func accountsAndSignInsSurviveTheTableThatKnowsMusicians() async throws {
        let old = folder.file + "-old"
        let pool = try DatabasePool(path: old)
        try Migrations.all.migrate(pool, upTo: "accounts-1")
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO account (id, name, nameKey, role, passwordHash, createdAt)
                    VALUES ('1', 'Anna', 'anna', 'editor', 'h', 5);
                    INSERT INTO signIn VALUES (zeroblob(32), '1', 1, 1, 9999999999999);
                    """)
        }
        try pool.close()
        let store = try CatalogueStore(path: old)
        #expect(try await store.account(named: "anna").role == .editor)
        #expect(try await store.account(signedInBy: [UInt8](repeating: 0, count: 32))?.name == "Anna")
        for role in AccountRole.allCases {
            try await store.setRole(role, of: AccountID(rawValue: "1"))
            #expect(try await store.account(named: "anna").role == role)
        }
        // The sign-in still belongs to the account: it goes with it.
        try await store.addAccount(named: "boss", role: .administrator, passwordHash: "h")
        try await store.removeAccount(AccountID(rawValue: "1"))
        #expect(try await store.account(signedInBy: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test func invitationsSurviveTheTableThatKnowsTitleOperators() async throws {
        let pool = try DatabasePool(path: folder.file + "-old")
        try Migrations.all.migrate(pool, upTo: "invitations-1")
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO account (id, name, nameKey, role, passwordHash, createdAt)
                    VALUES ('1', 'Anna', 'anna', 'administrator', 'h', 5);
                    INSERT INTO invitation VALUES
                    ('i', zeroblob(32), 'invite', 'musician', 'Ben', NULL, '1', 1, 9999999999999, NULL);
                    """)
        }
        try pool.close()
        let store = try CatalogueStore(path: folder.file + "-old")
        let before = try await store.pool.read { db in
            try Row.fetchOne(db, sql: "SELECT name, role, createdBy, expiresAt FROM invitation")
        }
        #expect(before == ["name": "Ben", "role": "musician", "createdBy": "1", "expiresAt": 9999999999999])
        try await store.pool.write { db in
            try db.execute(sql: "UPDATE invitation SET role = 'title-operator'")
        }
    }
}
