import Basics
import Catalogue
import Foundation
import Pictures
import Platform
import WebServer

/// Routes of the page `/accounts`: who may sign in, and who is invited.
struct AccountRoutes: Sendable {
    private static let managers = RouteAccess.roles([.editor, .administrator])
    private static let administrators = RouteAccess.roles([.administrator])

    let catalogue: CatalogueStore

    var routes: [WebRoute] {
        let account = "/api/accounts/:account"
        return [
            WebRoute(.get, "/api/accounts", Self.managers, answer: list),
            WebRoute(.put, account, Self.administrators, bodyLimitBytes: 4_096, answer: change),
            WebRoute(.delete, account, Self.administrators, bodyLimitBytes: 4_096, answer: remove),
            WebRoute(
                .post, account + "/reset", Self.administrators, bodyLimitBytes: 4_096, answer: makeReset),
            WebRoute(.post, "/api/invitations", Self.managers, bodyLimitBytes: 65_536, answer: invite),
            WebRoute(.delete, "/api/invitations/:invitation", Self.managers, answer: withdraw),
        ]
    }

    // MARK: Listing

    private struct ListedAccount: Encodable {
        var id: String
        var name: String
        var role: AccountRole
        var isSuspended: Bool
        /// Milliseconds since 1970.
        var created: Int64
    }

    private struct ListedInvitation: Encodable {
        var id: String
        var kind: String
        var role: AccountRole
        var name: String
        var by: String?
        /// open, used, expired or void.
        var state: String
        var secondsLeft: Int
        var mayWithdraw: Bool
    }

    private struct Overview: Encodable {
        var you: String
        var accounts: [ListedAccount]
        var invitations: [ListedInvitation]
        /// The roles that this person may give.
        var roles: [AccountRole]
        var mayManage: Bool
    }

    @Sendable private func list(_ request: WebRequest) async throws -> WebResponse {
        let rights = try Self.rights(request)
        return .json(
            Overview(
                you: rights.person.id,
                accounts: try await catalogue.accounts().filter(rights.maySee).map {
                    ListedAccount(
                        id: $0.id.rawValue, name: $0.name, role: $0.role,
                        isSuspended: $0.disabledAt != nil,
                        created: Int64($0.created.timeIntervalSince1970 * 1_000))
                },
                invitations: try await catalogue.invitations().filter(rights.maySee).map {
                    ListedInvitation(
                        id: $0.id, kind: $0.kind.rawValue, role: $0.role, name: $0.name, by: $0.createdBy,
                        state: "\($0.state)", secondsLeft: $0.secondsLeft,
                        mayWithdraw: rights.mayWithdraw($0))
                }, roles: rights.invitableRoles, mayManage: rights.person.role == .administrator))
    }

    // MARK: Accounts

    private struct AccountChange: Decodable {
        var role: AccountRole?
        var isSuspended: Bool?
        var name: String?
    }

    @Sendable private func change(_ request: WebRequest) async throws -> WebResponse {
        let (id, change) = (
            try Self.accountID(request), try JSONBody.decode(AccountChange.self, from: request.body)
        )
        guard change.role != nil || change.isSuspended != nil || change.name != nil else {
            throw Refusal(
                422, "nothing-to-change", "Send at least one of role, isSuspended and name.")
        }
        if change.role != nil || change.isSuspended != nil { try Self.requireAnother(id, request) }
        if let name = change.name { try await catalogue.renameAccount(id, to: name) }
        if let role = change.role { try await catalogue.setRole(role, of: id) }
        if let isSuspended = change.isSuspended {
            try await catalogue.setAccountDisabled(isSuspended, id)
        }
        return .succeeded
    }

    @Sendable private func remove(_ request: WebRequest) async throws -> WebResponse {
        let id = try Self.accountID(request)
        try Self.requireAnother(id, request)
        try await catalogue.removeAccount(id)
        return .succeeded
    }

    /// Nobody locks themselves out by a slip of the finger; another administrator does it.
    private static func requireAnother(_ id: AccountID, _ request: WebRequest) throws {
        guard id.rawValue != request.person?.id else {
            throw Refusal(
                409, "yourself", "This is your own account; ask another administrator to change it.")
        }
    }

    // MARK: Links

    private struct InvitationRequest: Decodable {
        var role: AccountRole
        /// The people who are invited, one link each; an empty list makes one link.
        var names: [String]?
        /// The address of this server as the invited people reach it, such as “https://baton.example.org”.
        var address: String
    }

    private struct ResetRequest: Decodable { var address: String }

    private struct MadeLink: Encodable {
        var id: String
        var name: String
        var role: AccountRole
        var link: String
        /// The link as an SVG to photograph.
        var qr: String
        var secondsLeft: Int
    }

    @Sendable private func invite(_ request: WebRequest) async throws -> WebResponse {
        let rights = try Self.rights(request)
        let wanted = try JSONBody.decode(InvitationRequest.self, from: request.body)
        guard rights.invitableRoles.contains(wanted.role) else {
            throw Refusal(
                403, "forbidden", "Editors invite musicians; ask an administrator for other roles.")
        }
        let names = try Self.checkedNames(wanted.names ?? [])
        let links = try names.map { _ in try InvitationLink(at: wanted.address) }
        let ids = try await catalogue.addInvitations(
            zip(names, links).map { .init(digest: $1.token.digest, name: $0) }, role: wanted.role,
            by: rights.creator)
        return .json([
            "invitations": zip(ids, zip(names, links)).map { id, made in
                MadeLink(
                    id: id, name: made.0, role: wanted.role, link: made.1.text, qr: made.1.qr,
                    secondsLeft: InvitationLimits.inviteSeconds)
            }
        ])
    }

    private static func checkedNames(_ names: [String]) throws -> [String] {
        let names = names.map { NameRule.cleaned($0) }.filter { !$0.isEmpty }
        guard names.count <= InvitationLimits.mostAtOnce else {
            throw Refusal(
                422, "too-many", "Invite at most \(InvitationLimits.mostAtOnce) people at once.")
        }
        if let long = names.first(where: { $0.count > 64 || $0.utf8.count > 256 }) {
            throw Refusal(422, "bad-name", "“\(long.prefix(40))…” is longer than 64 characters.")
        }
        return names.isEmpty ? [""] : names
    }

    @Sendable private func makeReset(_ request: WebRequest) async throws -> WebResponse {
        let rights = try Self.rights(request)
        let id = try Self.accountID(request)
        let wanted = try JSONBody.decode(ResetRequest.self, from: request.body)
        let link = try InvitationLink(at: wanted.address)
        let reset = try await catalogue.addPasswordReset(
            of: id, digest: link.token.digest, by: rights.creator)
        let account = try await catalogue.invitation(digest: link.token.digest)
        return .json(
            MadeLink(
                id: reset, name: account?.name ?? "", role: account?.role ?? .musician, link: link.text,
                qr: link.qr, secondsLeft: InvitationLimits.resetSeconds))
    }

    @Sendable private func withdraw(_ request: WebRequest) async throws -> WebResponse {
        let rights = try Self.rights(request)
        let id = request.pathParameters["invitation"] ?? ""
        guard let found = try await catalogue.invitations().first(where: { $0.id == id }),
            rights.maySee(found)
        else { throw CatalogueError.invitationUnusable }
        guard rights.mayWithdraw(found) else {
            throw Refusal(
                403, "forbidden", "Somebody else invited this person; ask them or an administrator.")
        }
        _ = try await catalogue.withdrawInvitation(id)
        return .succeeded
    }

    // MARK: Helpers

    private static func rights(_ request: WebRequest) throws -> AccountRights {
        guard let person = request.person else { throw Refusal(401, "sign-in", "Sign in first.") }
        return AccountRights(person: person)
    }

    private static func accountID(_ request: WebRequest) throws -> AccountID {
        AccountID(rawValue: request.pathParameters["account"] ?? "")
    }
}

/// The address that an invited person opens. Its secret follows a `#`, so browsers send it neither to a server nor in a
/// referrer, and no log has it.
struct InvitationLink {
    let token: SignInToken
    let text: String
    let qr: String

    /// - Parameter address: scheme, host and port, without a path, as in `https://baton.example.org`.
    init(at address: String) throws {
        let rest =
            address.hasPrefix("https://")
            ? address.dropFirst(8) : address.hasPrefix("http://") ? address.dropFirst(7) : ""
        let isHost = rest.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || ".-:[]".utf8.contains(byte)
        }
        token = SignInToken.random()
        text = address + "/join#" + token.text
        guard !rest.isEmpty, address.utf8.count <= 140, isHost, let code = QRCode(text) else {
            throw Refusal(
                422, "bad-address",
                "Give the server's address as people reach it, such as https://baton.example.org.")
        }
        qr = code.makeSVG()
    }
}
