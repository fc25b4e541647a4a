import Catalogue
import Foundation
import Platform
import Testing

@testable import SignIn
@testable import WebServer

/// Invited people make their account by a link; rights by role and field.
@Suite struct InvitationTests {
    private let catalogue: CatalogueStore
    private let routes: [WebRoute]
    private let ada: Account
    private let lena: Account

    init() async throws {
        let folder = NSTemporaryDirectory() + "/invitations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        routes = AccountsService(catalogue: catalogue, hasher: PasswordHasher(cost: .least)).routes
        ada = try await catalogue.addAccount(named: "ada", role: .administrator, passwordHash: "x")
        lena = try await catalogue.addAccount(named: "lena", role: .editor, passwordHash: "x")
    }

    private struct Answer {
        var status: Int
        var body: [String: Any]
        var code: String? { body["code"] as? String }
    }

    private func ask(
        _ method: WebRoute.Method, _ path: String, as account: Account? = nil, _ fields: [String: Any] = [:],
        parameters: [String: String] = [:], from address: String = "192.0.2.7"
    ) async throws -> Answer {
        let route = try #require(routes.first { $0.method == method && $0.path == path })
        let person = account.map {
            WebPerson(id: $0.id.rawValue, name: $0.name, role: WebRole(rawValue: $0.role.rawValue)!)
        }
        let request = WebRequest(
            path: path, pathParameters: parameters, queryParameters: [:], rawQuery: "", person: person,
            sessionToken: nil, deviceMark: nil, visitorAddress: address, isOwnMachine: false,
            contentType: "application/json", origin: "",
            body: Array(try JSONSerialization.data(withJSONObject: fields)), uploadedFile: nil)
        let response = await route.response(to: request)
        let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return Answer(status: response.status, body: body ?? [:])
    }

    /// Returns the id and the secret of a new link.
    private func invite(_ role: String = "musician", by account: Account) async throws -> (
        id: String, code: String
    ) {
        let answer = try await ask(
            .post, "/api/invitations", as: account,
            ["role": role, "names": ["Berta"], "address": "https://hall.example"])
        let made = try #require((answer.body["invitations"] as? [[String: Any]])?.first)
        let link = try #require(made["link"] as? String)
        #expect(link.hasPrefix("https://hall.example/join#"))
        return (try #require(made["id"] as? String), String(link.drop { $0 != "#" }.dropFirst()))
    }

    private func accept(_ code: String, name: String = "Berta") async throws -> Answer {
        try await ask(
            .post, "/api/invitations/accept", ["code": code, "name": name, "password": "seven quiet violas"])
    }

    @Test func aLinkMakesOneAccountOfItsRole() async throws {
        let link = try await invite("technician", by: ada)
        let look = try await ask(.post, "/api/invitations/look", ["code": link.code])
        #expect(look.body["by"] as? String == "ada")
        #expect(try await accept(link.code).status == 200)
        #expect(try await catalogue.account(named: "berta").role == .technician)
        #expect(try await accept(link.code, name: "Carl").code == "used")
        #expect(try await catalogue.accounts().count == 3)
    }

    @Test func oneLinkUsedTwiceAtOnceMakesOneAccount() async throws {
        let link = try await invite(by: ada)
        async let first = accept(link.code, name: "Berta")
        async let second = accept(link.code, name: "Carl")
        let answers = try await [first.status, second.status]
        #expect(answers.filter { $0 == 200 }.count == 1)
        #expect(try await catalogue.accounts().count == 3)
    }

    @Test func aRefusedNameOrPassphraseLeavesTheLinkOpen() async throws {
        let link = try await invite(by: ada)
        #expect(try await accept(link.code, name: "ADA").code == "name-taken")
        let short = try await ask(
            .post, "/api/invitations/accept", ["code": link.code, "name": "Berta", "password": "x"])
        #expect(short.code == "bad-password")
        #expect(try await accept(link.code).status == 200)
    }

    @Test func linksEndAfterAWeekAndWhenWithdrawn() async throws {
        let token = SignInToken.random()
        _ = try await catalogue.addInvitations(
            [.init(digest: token.digest, name: "")], role: .musician, by: ada.id,
            at: .now.addingTimeInterval(-8 * 86_400))
        #expect(try await accept(token.text).code == "expired")
        let link = try await invite(by: ada)
        let end = try await ask(
            .delete, "/api/invitations/:invitation", as: ada, parameters: ["invitation": link.id])
        #expect(end.status == 200)
        #expect(try await accept(link.code).code == "no-invitation")
    }

    @Test func linksOfSomebodyWhoLostTheRightEndWithIt() async throws {
        let (one, other) = (try await invite(by: lena), try await invite("editor", by: ada))
        try await catalogue.setRole(.technician, of: lena.id)
        #expect(try await accept(one.code).code == "no-invitation")
        _ = try await catalogue.addAccount(named: "eva", role: .administrator, passwordHash: "x")
        try await catalogue.removeAccount(ada.id)
        #expect(try await accept(other.code).code == "no-invitation")
    }

    @Test(arguments: [("technician", 403), ("editor", 403), ("administrator", 403), ("musician", 200)])
    func editorsInviteMusiciansOnly(role: String, status: Int) async throws {
        let answer = try await ask(
            .post, "/api/invitations", as: lena, ["role": role, "address": "http://10.0.0.5:8080"])
        #expect(answer.status == status)
    }

    @Test func editorsSeeMusiciansAndWithdrawOnlyTheirOwn() async throws {
        let link = try await invite(by: ada)
        _ = try await invite("technician", by: ada)
        _ = try await catalogue.addAccount(named: "max", role: .musician, passwordHash: "x")
        let seen = try await ask(.get, "/api/accounts", as: lena)
        #expect((seen.body["accounts"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["max"])
        #expect((seen.body["invitations"] as? [[String: Any]])?.count == 1)
        let end = try await ask(
            .delete, "/api/invitations/:invitation", as: lena, parameters: ["invitation": link.id])
        #expect(end.status == 403)
    }

    @Test func aResetLinkChangesOneAccountAndEndsItsSignIns() async throws {
        let max = try await catalogue.addAccount(named: "max", role: .musician, passwordHash: "old")
        try await catalogue.beginSignIn(of: max.id, digest: SignInToken.random().digest)
        let made = try await ask(
            .post, "/api/accounts/:account/reset", as: ada, ["address": "https://hall.example"],
            parameters: ["account": max.id.rawValue])
        let code = try #require((made.body["link"] as? String)?.split(separator: "#").last)
        #expect(try await accept(String(code), name: "somebody").body["name"] as? String == "max")
        #expect(try await catalogue.credentials(named: "max")?.passwordHash != "old")
        #expect(try await catalogue.signInCount(of: max.id) == 0)
        #expect(try await catalogue.accounts().count == 3)
    }

    @Test func theLastAdministratorStaysAndNobodyChangesTheirOwnAccount() async throws {
        let own = ["account": ada.id.rawValue]
        for change: [String: Any] in [["role": "musician"], ["isSuspended": true]] {
            let answer = try await ask(.put, "/api/accounts/:account", as: ada, change, parameters: own)
            #expect(answer.code == "yourself")
        }
        let eva = try await catalogue.addAccount(named: "eva", role: .administrator, passwordHash: "x")
        try await catalogue.setAccountDisabled(true, eva.id)
        #expect(
            try await ask(.delete, "/api/accounts/:account", as: eva, parameters: own).code
                == "last-administrator")
    }

    @Test func changeOfNothingKnownIsRefused() async throws {
        let max = try await catalogue.addAccount(named: "max", role: .musician, passwordHash: "x")
        for change: [String: Any] in [[:], ["foo": 1], ["Role": "editor"]] {
            let answer = try await ask(
                .put, "/api/accounts/:account", as: ada, change, parameters: ["account": max.id.rawValue])
            #expect(answer.status == 422 && answer.code == "nothing-to-change", "\(change)")
        }
    }

    @Test func addressesThatCannotBeALinkAreRefused() async throws {
        for address in ["", "hall.example", "javascript:alert(1)", "https://a b", "https://hall.example/x?y"]
        {
            let answer = try await ask(
                .post, "/api/invitations", as: ada, ["role": "musician", "address": address])
            #expect(answer.code == "bad-address", "\(address)")
        }
    }

    /// Editors cannot use up the invitations of administrators, and wrong links slow nobody with a right one.
    @Test func limitsKeepAReserve() async throws {
        let names = (0..<100).map { "Player \($0)" }
        for _ in 0..<2 {
            let fields: [String: Any] = ["role": "musician", "names": names, "address": "https://a.b"]
            #expect(try await ask(.post, "/api/invitations", as: lena, fields).status == 200)
        }
        let more: [String: Any] = ["role": "musician", "address": "https://a.b"]
        #expect(try await ask(.post, "/api/invitations", as: lena, more).code == "too-many")
        let link = try await invite(by: ada)
        for _ in 0..<InvitationRoutes.wrongLinksAtOnce {
            #expect(try await ask(.post, "/api/invitations/look", ["code": "wrong"]).status == 404)
        }
        // One more is forgiven each second, and asking takes time.
        var statuses: Set<Int> = []
        for _ in 0..<10 * InvitationRoutes.wrongLinksAtOnce where !statuses.contains(429) {
            statuses.insert(try await ask(.post, "/api/invitations/look", ["code": "wrong"]).status)
        }
        #expect(statuses.contains(429) && statuses.isSubset(of: [404, 429]))
        #expect(try await ask(.post, "/api/invitations/look", ["code": link.code]).status == 200)
    }
}
