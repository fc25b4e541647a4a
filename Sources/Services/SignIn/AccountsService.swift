import Catalogue
import Hosting
import Passwords
import WebServer

/// Serves `/accounts`, on which people are invited and accounts managed, and the links by which invited people make
/// their account.
///
/// Accounts, sign-ins and invitations lie in the catalogue, which the backup server copies as a whole.
package struct AccountsService: HostedService {
    private let catalogue: CatalogueStore
    private let hasher: PasswordHasher

    package init(catalogue: CatalogueStore, hasher: PasswordHasher) {
        (self.catalogue, self.hasher) = (catalogue, hasher)
    }

    package var routes: [WebRoute] {
        AccountRoutes(catalogue: catalogue).routes
            + InvitationRoutes(catalogue: catalogue, hasher: hasher).routes
    }
}

/// Turns errors of the account store into refusals for people.
enum AccountRefusals {
    static func answer(_ work: () async throws -> WebResponse) async -> WebResponse {
        do { return try await work() } catch {
            switch error {
            case let fault as JSONFault: return fault.errorResponse
            case let error as AccountRefusal: return error.response
            case PasswordError.tooManySignInsWaiting: return busy
            case let error as PasswordError: return .refused(422, "bad-password", error.sentence)
            case let error as CatalogueError: return response(to: error)
            default: return unavailable("The accounts cannot be read at present; try again in a moment.")
            }
        }
    }

    private static func response(to error: CatalogueError) -> WebResponse {
        switch error {
        case .invalidAccountName: .refused(422, "bad-name", error.sentence)
        case .accountNameTaken: .refused(409, "name-taken", error.sentence)
        case .noSuchAccount: .refused(404, "no-account", "This account does not exist any more.")
        case .lastAdministrator: .refused(409, "last-administrator", error.sentence)
        case .accountSuspended: .refused(409, "suspended", error.sentence)
        case .tooManyInvitations: .refused(409, "too-many", error.sentence)
        case .invitationUnusable: .refused(404, "no-invitation", error.sentence)
        default: unavailable(error.sentenceWithoutPath)
        }
    }

    static let busy = unavailable("Too many people are making accounts at once; try again in a few seconds.")

    private static func unavailable(_ sentence: String) -> WebResponse {
        .refused(503, "busy", sentence).withHeader("Retry-After", "2")
    }
}

/// A refusal that a route decides itself.
struct AccountRefusal: Error {
    let response: WebResponse

    init(_ status: Int, _ code: String, _ sentence: String) {
        response = .refused(status, code, sentence)
    }
}
