import Catalogue
import Platform
import Synchronization
import WebServer

/// Routes of the page `/join`, on which an invited person makes an account or chooses a new passphrase.
///
/// Only a valid link causes the costly hashing of a passphrase, and each link one at a time. At most ``mostAtOnce`` are
/// hashed or wait, fewer than the hasher takes; sign-ins of known people have a thread of their own there. Addresses
/// that try wrong links are slowed down, but a right link is always looked at.
struct InvitationRoutes: Sendable {
    static let mostAtOnce = 8
    static let wrongLinksAtOnce = 30

    private let catalogue: CatalogueStore
    private let hasher: PasswordHasher
    private let state: State

    init(catalogue: CatalogueStore, hasher: PasswordHasher) {
        (self.catalogue, self.hasher, state) = (catalogue, hasher, State())
    }

    var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/invitations/look", .anybody, bodyLimitBytes: 1_024, answer: look),
            WebRoute(.post, "/api/invitations/accept", .anybody, bodyLimitBytes: 4_096, answer: accept),
        ]
    }

    private final class State: Sendable {
        let wrongLinks = Mutex(RateLimit<String>(unitsPerSecond: 1, burst: wrongLinksAtOnce))
        let digestsInWork = Mutex<Set<[UInt8]>>([])
    }

    private struct LookRequest: Decodable { var code: String }

    private struct AcceptRequest: Decodable {
        var code: String
        var name: String?
        var password: String
    }

    private struct InvitationAnswer: Encodable {
        var kind: String
        var role: AccountRole
        /// A suggestion for the account's name; of a reset link, the account's name.
        var name: String
        var by: String?
        var secondsLeft: Int
    }

    private struct AcceptedAnswer: Encodable {
        var name: String
        var role: AccountRole
    }

    @Sendable private func look(_ request: WebRequest) async throws -> WebResponse {
        let wanted = try JSONBody.decode(LookRequest.self, from: request.body)
        let (_, found) = try await openInvitation(wanted.code, request)
        return .json(
            InvitationAnswer(
                kind: found.kind.rawValue, role: found.role, name: found.name, by: found.createdBy,
                secondsLeft: found.secondsLeft))
    }

    @Sendable private func accept(_ request: WebRequest) async throws -> WebResponse {
        let wanted = try JSONBody.decode(AcceptRequest.self, from: request.body)
        let (digest, found) = try await openInvitation(wanted.code, request)
        let name = found.kind == .reset ? found.name : wanted.name ?? ""
        // Refused before the passphrase is hashed, so that a taken name costs nothing.
        if found.kind == .invite, (try? await catalogue.account(named: name)) != nil {
            throw CatalogueError.accountNameTaken(name)
        }
        let passphrase = try Passphrase(chosen: wanted.password, for: name)
        try beginWork(digest)
        defer { state.digestsInWork.withLock { _ = $0.remove(digest) } }
        let hash = try await hasher.hash(passphrase)
        let account = try await catalogue.acceptInvitation(
            digest: digest, name: found.kind == .reset ? nil : name, passwordHash: hash)
        return .json(AcceptedAnswer(name: account.name, role: account.role))
    }

    /// Returns the open invitation of a link; throws a refusal that says why there is none.
    private func openInvitation(_ code: String, _ request: WebRequest) async throws -> ([UInt8], Invitation) {
        guard let token = SignInToken(shown: code),
            let found = try await catalogue.invitation(digest: token.digest)
        else {
            let isPatient = state.wrongLinks.withLock { $0.admits(request.visitorAddress, at: .now) }
            guard isPatient else {
                throw Refusal(429, "wait", "Too many wrong links were tried; wait a few seconds.")
            }
            throw CatalogueError.invitationUnusable
        }
        switch found.state {
        case .open: return (token.digest, found)
        case .used:
            throw Refusal(
                410, "used",
                "This link was used already. Sign in with the name and the passphrase that were chosen then.")
        case .expired: throw Refusal(410, "expired", "This link is too old; ask for a new one.")
        case .void: throw CatalogueError.invitationUnusable
        }
    }

    private func beginWork(_ digest: [UInt8]) throws {
        try state.digestsInWork.withLock { inWork in
            guard inWork.count < Self.mostAtOnce, inWork.insert(digest).inserted else {
                throw Refusal(
                    503, "busy", "Other people are making accounts; try again in a few seconds.")
            }
        }
    }
}
