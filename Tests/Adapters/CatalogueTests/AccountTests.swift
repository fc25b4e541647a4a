import Foundation
import Testing

@testable import Catalogue

@Suite struct AccountTests {
    let folder: CatalogueFolder
    let store: CatalogueStore

    init() throws {
        folder = try CatalogueFolder()
        store = try CatalogueStore(path: folder.file)
    }

    private func expect(
        _ expected: CatalogueError, _ work: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: expected, sourceLocation: sourceLocation) { try await work() }
    }

    @Test func anAccountKeepsWhatItWasGiven() async throws {
        let anna = try await store.addAccount(
            named: "  Anna Lind ", role: .editor, passwordHash: "hash", at: .evening)
        #expect(anna.name == "Anna Lind" && anna.role == .editor && anna.created == .evening)
        #expect(try await store.account(named: "anna lind") == anna)
        #expect(try await store.credentials(named: "ANNA LIND")?.passwordHash == "hash")
        #expect(try await store.credentials(named: "nobody") == nil)
    }

    @Test(arguments: [
        ("Anna", "anna"), ("Ärzte", "ÄRZTE"), ("Ärzte", "A\u{308}rzte"), ("anna", "ａｎｎａ"), ("anna", " anna "),
    ])
    func namesThatLookAlikeAreOne(first: String, second: String) async throws {
        try await store.addAccount(named: first, role: .technician, passwordHash: "h")
        await #expect(throws: CatalogueError.self) {
            try await store.addAccount(named: second, role: .technician, passwordHash: "h")
        }
        #expect(try await store.accounts().count == 1)
    }

    @Test(arguments: ["", "   ", "a\u{0}b", "a\nb", "a\u{202E}b", String(repeating: "x", count: 65)])
    func oddNamesAreRefused(name: String) async {
        await expect(.invalidAccountName(name)) {
            try await store.addAccount(named: name, role: .technician, passwordHash: "h")
        }
    }

    @Test func renamingKeepsIdentityAndRefusesATakenName() async throws {
        let anna = try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
        try await store.addAccount(named: "ben", role: .technician, passwordHash: "h")
        try await store.renameAccount(anna.id, to: "Anna")
        #expect(try await store.account(named: "anna").name == "Anna")
        await expect(.accountNameTaken("BEN")) { try await store.renameAccount(anna.id, to: "BEN") }
        #expect(try await store.account(named: "anna").id == anna.id)
    }

    @Test(arguments: ["Аnna", "annа", "ANNA", "Αnnа"])
    func aNameThatLooksLikeAnothersIsTaken(_ name: String) async throws {
        let anna = try await store.addAccount(named: "Anna", role: .technician, passwordHash: "h")
        let ben = try await store.addAccount(named: "Ben", role: .technician, passwordHash: "h")
        await expect(.accountNameTaken(name)) {
            try await store.addAccount(named: name, role: .technician, passwordHash: "h")
        }
        await expect(.accountNameTaken(name)) { try await store.renameAccount(ben.id, to: name) }
        try await store.renameAccount(anna.id, to: name)
    }

    @Test func lastAdministratorStays() async throws {
        let anna = try await store.addAccount(named: "anna", role: .administrator, passwordHash: "h")
        await expect(.lastAdministrator("anna")) { try await store.setRole(.technician, of: anna.id) }
        await expect(.lastAdministrator("anna")) { try await store.setAccountDisabled(true, anna.id) }
        await expect(.lastAdministrator("anna")) { try await store.removeAccount(anna.id) }
        let ben = try await store.addAccount(named: "ben", role: .administrator, passwordHash: "h")
        try await store.setAccountDisabled(true, ben.id)
        await expect(.lastAdministrator("anna")) { try await store.removeAccount(anna.id) }
        try await store.setAccountDisabled(false, ben.id)
        try await store.removeAccount(anna.id)
        #expect(try await store.accounts().map(\.name) == ["ben"])
    }

    @Test func twoAdministratorsCannotRemoveEachOtherAtTheSameMoment() async throws {
        for round in 0..<20 {
            let one = try await store.addAccount(
                named: "one \(round)", role: .administrator, passwordHash: "h")
            let other = try await store.addAccount(
                named: "other \(round)", role: .administrator, passwordHash: "h")
            for account in try await store.accounts() where account.id != one.id && account.id != other.id {
                try await store.removeAccount(account.id)
            }
            await withTaskGroup(of: Void.self) { group in
                for id in [one.id, other.id] {
                    group.addTask { [store] in try? await store.removeAccount(id) }
                }
            }
            #expect(try await store.accounts().count == 1)
        }
    }

    @Test func disabledAccountHasNoCredentialsAndNoSignIns() async throws {
        let anna = try await store.addAccount(named: "anna", role: .technician, passwordHash: "h")
        try await store.beginSignIn(of: anna.id, digest: digest(1))
        try await store.setAccountDisabled(true, anna.id)
        #expect(try await store.credentials(named: "anna") == nil)
        #expect(try await store.account(signedInBy: digest(1)) == nil)
        await expect(.noSuchAccount(anna.id.rawValue)) {
            try await store.beginSignIn(of: anna.id, digest: digest(2))
        }
        try await store.setAccountDisabled(false, anna.id)
        #expect(try await store.account(signedInBy: digest(1)) == nil)
    }

    @Test func outdatedHashIsReplacedOnlyIfItIsStillThere() async throws {
        let anna = try await store.addAccount(named: "anna", role: .technician, passwordHash: "old")
        try await store.replaceOutdatedHash("old", by: "new", of: anna.id)
        try await store.replaceOutdatedHash("old", by: "late", of: anna.id)
        #expect(try await store.credentials(named: "anna")?.passwordHash == "new")
    }

    @Test func textIsNeverTakenForSQL() async throws {
        let name = "x'); DROP TABLE account; --"
        try await store.addAccount(named: name, role: .technician, passwordHash: "' OR 1=1 --")
        #expect(try await store.credentials(named: name)?.passwordHash == "' OR 1=1 --")
        #expect(try await store.credentials(named: "' OR '1'='1") == nil)
    }
}
