import Foundation
import Platform
import Testing

@testable import Catalogue
@testable import Hosting
@testable import SignIn
@testable import TestHelpers
@testable import WebServer

/// Signing in to the catalogue's accounts: known devices, full disks, one form of names.
@Suite(.ownThreads) struct ServeAccountsTests {
    private static let passphrase = "four plain words here"
    private let folder: ServeFolder
    private let catalogue: CatalogueStore

    init() async throws {
        folder = try ServeFolder()
        catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        let hash = try await PasswordHasher(cost: .least).hash(Passphrase(tried: Self.passphrase))
        for (name, role) in [("Theo", AccountRole.technician), ("Max", .musician)] {
            try await catalogue.addAccount(named: name, role: role, passwordHash: hash)
        }
    }

    /// The sign-in of a server that has just started on this folder.
    private func started() throws -> (desk: SignInService, accounts: CatalogueAccounts) {
        var settings = WebSettings()
        settings.timeouts.wrongPasswordDelay = .zero
        let accounts = CatalogueAccounts(
            catalogue: try CatalogueStore(path: folder.path + "/catalogue.sqlite"),
            hasher: PasswordHasher(cost: .least))
        return (SignInService(accounts: accounts, settings: settings) { 1_000_000 }, accounts)
    }

    private func request(
        _ name: String, _ password: String, from address: String, device: String? = nil
    ) throws -> WebRequest {
        let body = try JSONEncoder().encode(["name": name, "password": password])
        return WebRequest(
            path: "/api/login", pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
            sessionToken: nil,
            deviceMark: device, visitorAddress: address, isOwnMachine: false, contentType: "application/json",
            origin: "",
            body: Array(body), uploadedFile: nil)
    }

    private func guess(_ desk: SignInService, _ name: String) async throws {
        for number in 0..<60 {
            _ = try await desk.signIn(request(name, "wrong \(number)", from: "10.7.0.\(number)"))
        }
    }

    private func cookie(_ name: String, of answer: WebResponse) -> String? {
        SessionCookie.readValue(
            of: name, in: answer.headerFields.filter { $0.name == "Set-Cookie" }.map(\.value))
    }

    @Test func onlyTheRightPassphraseTellsThatAnAccountIsSuspended() async throws {
        let (desk, _) = try started()
        let catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        try await catalogue.setAccountDisabled(true, catalogue.account(named: "Max").id)
        let wrong = try await desk.signIn(request("Max", "guess", from: "10.0.0.1"))
        #expect(wrong.status == 401)
        let right = try await desk.signIn(request("Max", Self.passphrase, from: "10.0.0.1"))
        #expect(right.status == 403 && cookie(SessionCookie.name, of: right) == nil)
        #expect(String(decoding: right.body, as: UTF8.self).contains("is suspended"))
    }

    @Test func devicesThatSignedInBeforeAreRememberedAcrossARestart() async throws {
        let before = try started().desk
        let first = try await before.signIn(request("theo", Self.passphrase, from: "10.1.1.1"))
        let mark = try #require(cookie(DeviceCookie.name, of: first))
        #expect(first.status == 200 && mark.utf8.count <= 256)

        let after = try started().desk
        try await guess(after, "Theo")
        // Guessers wait, and whoever was never here; the known address and the known browser do not.
        #expect(try await after.signIn(request("theo", Self.passphrase, from: "10.2.2.2")).status == 429)
        #expect(try await after.signIn(request("theo", Self.passphrase, from: "10.1.1.1")).status == 200)
        let elsewhere = try await after.signIn(
            request("theo", Self.passphrase, from: "10.7.0.3", device: mark))
        #expect(elsewhere.status == 200)
        // The mark is Theo's, and no way to Max.
        try await guess(after, "Max")
        #expect(
            try await after.signIn(request("max", Self.passphrase, from: "10.3.3.3", device: mark)).status
                == 429)
        // A mark that was changed is none.
        try await guess(after, "Theo")
        let forged = String(mark.dropLast()) + (mark.last == "0" ? "1" : "0")
        #expect(
            try await after.signIn(request("theo", Self.passphrase, from: "10.4.4.4", device: forged)).status
                == 429)
    }

    @Test(arguments: ["THEO", " theo ", "\u{FF34}heo", "the\u{2092}"])
    func aNameIsTheSameInEveryForm(name: String) async throws {
        let desk = try started().desk
        #expect(try await desk.signIn(request(name, Self.passphrase, from: "10.1.1.1")).status == 200)
        #expect(try await catalogue.account(named: name).name == "Theo")
        await #expect(throws: CatalogueError.self) {
            try await catalogue.addAccount(named: name, role: .editor, passwordHash: "h")
        }
        // The guard counts all forms as the one account that they are.
        try await guess(desk, name)
        #expect(try await desk.signIn(request("theo", Self.passphrase, from: "10.9.9.9")).status == 429)
    }

    /// Every table refuses what is written to it, as a full disk does.
    private func fillDisk() async throws {
        try await catalogue.write { db in
            for table in ["signIn", "signInNetwork", "serverSecret"] {
                try db.execute(
                    sql: """
                        CREATE TRIGGER full_\(table) BEFORE INSERT ON \(table)
                        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
                        """)
            }
        }
    }

    @Test func onAFullDiskATechnicianSignsInAndIsToldWhereItIsKept() async throws {
        try await fillDisk()
        let (desk, accounts) = try started()
        let answer = try await desk.signIn(request("theo", Self.passphrase, from: "10.1.1.1"))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("could not be saved"))
        let token = try #require(cookie(SessionCookie.name, of: answer))
        let person = try #require(await accounts.findPerson(token: token))
        #expect(person.name == "Theo" && person.role == .technician && person.signInNotice != nil)
        // A request that ends a sign-in ends this one too.
        let id = try await catalogue.account(named: "theo").id
        try await catalogue.setPasswordHash("another", of: id)
        #expect(await accounts.findPerson(token: token) == nil)
    }

    @Test func signingOutEndsASignInInMemory() async throws {
        try await fillDisk()
        let (desk, accounts) = try started()
        let answer = try await desk.signIn(request("theo", Self.passphrase, from: "10.1.1.1"))
        let token = try #require(cookie(SessionCookie.name, of: answer))
        await accounts.signOut(token: token)
        #expect(await accounts.findPerson(token: token) == nil)
    }

    @Test func memoryKeepsPlacesForThoseWhoRunTheEvening() async throws {
        let memory = InMemorySignIns()
        let all = try await catalogue.accounts()
        let max = try #require(all.first { $0.name == "Max" })
        let theo = try #require(all.first { $0.name == "Theo" })
        func other(_ account: Account, _ number: Int) -> Account {
            Account(
                id: AccountID(rawValue: "\(account.name)-\(number)"), name: account.name, role: account.role,
                created: account.created, disabledAt: nil)
        }
        let musicians = (0..<200).count { memory.addSignIn([1, UInt8($0)], of: other(max, $0), "h") }
        #expect(musicians == InMemorySignIns.mostSignIns - InMemorySignIns.reservedForOperators)
        let technicians = (0..<200).count { memory.addSignIn([2, UInt8($0)], of: other(theo, $0), "h") }
        #expect(technicians == InMemorySignIns.reservedForOperators)
        // One account's newest replaces its oldest.
        let own = InMemorySignIns()
        #expect((0..<200).allSatisfy { own.addSignIn([3, UInt8($0)], of: theo, "h") })
        #expect(own.findSignIn([3, 0]) == nil && own.findSignIn([3, 199]) != nil)
    }

    @Test func noRefusalOfSigningInNamesAPath() async throws {
        let (desk, _) = try started()
        try await catalogue.write { db in
            try db.execute(sql: "DROP TABLE account")
        }
        let answer = try await desk.signIn(request("theo", Self.passphrase, from: "10.1.1.1"))
        #expect(answer.status == 503)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(folder.path))
        // And it was no wrong guess.
        for _ in 0..<30 {
            #expect(try await desk.signIn(request("theo", "x", from: "10.1.1.1")).status == 503)
        }
    }
}
