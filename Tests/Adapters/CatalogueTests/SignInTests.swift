import Foundation
import Synchronization
import Testing

@testable import Catalogue

@Suite struct SignInTests {
    let folder: CatalogueFolder
    let store: CatalogueStore
    let anna: Account

    init() async throws {
        folder = try CatalogueFolder()
        store = try CatalogueStore(path: folder.file)
        anna = try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
    }

    private func days(_ count: Double) -> Date { .evening + count * 86_400 }

    @Test func tokenLeadsToItsAccountAndNoOtherDoes() async throws {
        try await store.beginSignIn(of: anna.id, digest: digest(1), at: .evening)
        #expect(try await store.account(signedInBy: digest(1), at: .evening) == anna)
        #expect(try await store.account(signedInBy: digest(2), at: .evening) == nil)
        #expect(try await store.account(signedInBy: [], at: .evening) == nil)
    }

    @Test func itEndsThirtyDaysAfterTheLastVisit() async throws {
        try await store.beginSignIn(of: anna.id, digest: digest(1), at: .evening)
        #expect(try await store.account(signedInBy: digest(1), at: days(29)) != nil)
        #expect(try await store.account(signedInBy: digest(1), at: days(58)) != nil)
        #expect(try await store.account(signedInBy: digest(1), at: days(88.01)) == nil)
    }

    @Test func twentyFirstSignInEndsTheOneLongestUnused() async throws {
        for number in 0..<20 {
            try await store.beginSignIn(of: anna.id, digest: digest(number), at: .evening + Double(number))
        }
        // The first is used again, so the second is now the one longest unused.
        _ = try await store.account(signedInBy: digest(0), at: .evening + 600)
        try await store.beginSignIn(of: anna.id, digest: digest(20), at: .evening + 601)
        #expect(try await store.signInCount(of: anna.id, at: .evening + 602) == 20)
        #expect(try await store.account(signedInBy: digest(0), at: .evening + 602) != nil)
        #expect(try await store.account(signedInBy: digest(1), at: .evening + 602) == nil)
        #expect(try await store.account(signedInBy: digest(20), at: .evening + 602) != nil)
    }

    @Test func aSignInUnderAnOpenScreenNeverEndsToMakeRoom() async throws {
        try await store.beginSignIn(of: anna.id, digest: digest(0), at: .evening)
        for number in 1...60 {
            try await store.beginSignIn(
                of: anna.id, digest: digest(number), inUse: [digest(0)], at: .evening + Double(number))
        }
        #expect(try await store.account(signedInBy: digest(0), at: .evening + 61) != nil)
        #expect(try await store.signInCount(of: anna.id, at: .evening + 61) == 21)
    }

    @Test func aHundredOpenScreensAreTheMost() async throws {
        let open = (0..<SignInLimits.mostInUsePerAccount).map { digest($0) }
        for (number, one) in open.enumerated() {
            try await store.beginSignIn(
                of: anna.id, digest: one, inUse: open, at: .evening + Double(number))
        }
        await #expect(throws: CatalogueError.accountInUseOnTooManyScreens) {
            try await store.beginSignIn(of: anna.id, digest: digest(200), inUse: open, at: .evening + 300)
        }
        #expect(
            try await store.signInCount(of: anna.id, at: .evening + 301) == SignInLimits.mostInUsePerAccount)
    }

    @Test func networksOfSignInsAreKeptTheNewestTwentyOfAnAccount() async throws {
        for number in 0..<30 {
            try await store.recordSignInNetwork(
                of: anna.id, from: "10.0.0.\(number)", at: .evening + Double(number))
        }
        try await store.recordSignInNetwork(of: anna.id, from: "10.0.0.12", at: .evening + 100)
        let again = try CatalogueStore(path: folder.file)
        let kept = try await again.signInNetworks()
        let expected = (10..<30).filter { $0 != 12 }.map { "10.0.0.\($0)" } + ["10.0.0.12"]
        #expect(kept == ["anna": expected])
        try await store.removeAccount(anna.id)
        #expect(try await store.signInNetworks().isEmpty)
    }

    @Test func aSecretIsMadeOnceAndKept() async throws {
        #expect(try await store.loadServerSecret(named: "devices", orKeep: nil) == nil)
        #expect(try await store.loadServerSecret(named: "devices", orKeep: [1, 2]) == [1, 2])
        #expect(try await store.loadServerSecret(named: "devices", orKeep: [3, 4]) == [1, 2])
        #expect(
            try await CatalogueStore(path: folder.file).loadServerSecret(named: "devices", orKeep: nil) == [
                1, 2,
            ])
    }

    @Test(arguments: [
        CatalogueError.writtenByNewerVersion(path: "/data/c.sqlite", unknown: ["x"]),
        .otherProgramsDatabase(path: "/data/c.sqlite"),
        .notADatabase(path: "/data/c.sqlite"), .damaged(path: "/data/c.sqlite", reason: "x"),
        .cannotOpen(path: "/data/c.sqlite", reason: "x"), .readOnly(path: "/data/c.sqlite"),
        .diskFull(path: "/data/c.sqlite"), .busy(path: "/data/c.sqlite"),
        .readOrWriteFailed(path: "/data/c.sqlite", reason: "x"),
    ])
    func peopleElsewhereAreNotToldAPath(error: CatalogueError) {
        #expect(error.sentence.contains("/data/c.sqlite"))
        #expect(!error.sentenceWithoutPath.contains("/data"))
        #expect(error.sentenceWithoutPath.lowercased().contains("the server's storage"))
    }

    @Test func signingOutEndsOneAndAPasswordChangeAllOthers() async throws {
        for number in 1...4 { try await store.beginSignIn(of: anna.id, digest: digest(number), at: .evening) }
        try await store.endSignIn(digest(1))
        #expect(try await store.account(signedInBy: digest(1), at: .evening) == nil)
        try await store.setPasswordHash("new", of: anna.id, keeping: digest(2))
        #expect(try await store.account(signedInBy: digest(2), at: .evening) != nil)
        #expect(try await store.signInCount(of: anna.id, at: .evening) == 1)
        try await store.setPasswordHash("newer", of: anna.id)
        #expect(try await store.signInCount(of: anna.id, at: .evening) == 0)
    }

    @Test func anOpenResetLinkEndsWhenThePassphraseIsChanged() async throws {
        _ = try await store.addPasswordReset(of: anna.id, digest: digest(9), by: nil, at: .evening)
        try await store.setPasswordHash("new", of: anna.id)
        await #expect(throws: CatalogueError.invitationUnusable) {
            _ = try await store.acceptInvitation(
                digest: digest(9), name: nil, passwordHash: "stranger's", at: .evening)
        }
    }

    @Test func removingAnAccountRemovesItsSignIns() async throws {
        try await store.beginSignIn(of: anna.id, digest: digest(1), at: .evening)
        try await store.removeAccount(anna.id)
        #expect(try await store.account(signedInBy: digest(1), at: .evening) == nil)
    }

    /// A machine without a battery starts in 1970 or ten years ahead, and is put right while it runs.
    @Test func aClockThatJumpsByYearsAndBackSignsNobodyOut() async throws {
        let place = try CatalogueFolder()
        let wall = Mutex(Date.evening)
        let clock: @Sendable () -> Date = { wall.withLock { $0 } }
        var store = try CatalogueStore(path: place.file, wall: clock)
        let ben = try await store.addAccount(named: "ben", role: .technician, passwordHash: "h")
        try await store.beginSignIn(of: ben.id, digest: digest(1))
        for (turn, years) in [10.0, -50, 10, 0].enumerated() {
            // While it runs, and over a restart.
            wall.withLock { $0 = .evening + years * 365 * 86_400 }
            #expect(try await store.account(signedInBy: digest(1)) != nil, "\(years) years, running")
            // Another's sign-in clears away what has ended.
            try await store.beginSignIn(of: ben.id, digest: digest(2 + turn))
            store = try CatalogueStore(path: place.file, wall: clock)
            #expect(try await store.account(signedInBy: digest(1)) != nil, "\(years) years, started again")
        }
    }

    @Test func withoutAVisitASignInEndsThoughTheServerRestartsOften() async throws {
        let place = try CatalogueFolder()
        let wall = Mutex(Date.evening)
        let clock: @Sendable () -> Date = { wall.withLock { $0 } }
        var store = try CatalogueStore(path: place.file, wall: clock)
        let ben = try await store.addAccount(named: "ben", role: .technician, passwordHash: "h")
        try await store.beginSignIn(of: ben.id, digest: digest(1))
        for day in 1...31 {
            wall.withLock { $0 = .evening + Double(day) * 86_400 }
            store = try CatalogueStore(path: place.file, wall: clock)
        }
        #expect(try await store.account(signedInBy: digest(1)) == nil)
    }

    @Test func aFullDiskSignsNobodyOut() async throws {
        try await store.beginSignIn(of: anna.id, digest: digest(1), at: .evening)
        try await store.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 1") }
        #expect(try await store.account(signedInBy: digest(1), at: days(1)) != nil)
    }
}
