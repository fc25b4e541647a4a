import Catalogue
import Hosting
import Platform
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
        (AccountRoutes(catalogue: catalogue).routes
            + InvitationRoutes(catalogue: catalogue, hasher: hasher).routes)
            .explaining(explainAccountError)
    }
}

/// Answers errors of the account store in words for people.
func explainAccountError(_ error: any Error) -> Refusal {
    switch error {
    case PasswordError.tooManySignInsWaiting:
        unavailable("Too many people are making accounts at once; try again in a few seconds.")
    case let error as PasswordError: Refusal(422, "bad-password", error.sentence)
    case let error as CatalogueError:
        switch error {
        case .invalidAccountName: Refusal(422, "bad-name", error.sentence)
        case .accountNameTaken: Refusal(409, "name-taken", error.sentence)
        case .noSuchAccount: Refusal(404, "no-account", "This account does not exist any more.")
        case .lastAdministrator: Refusal(409, "last-administrator", error.sentence)
        case .accountSuspended: Refusal(409, "suspended", error.sentence)
        case .tooManyInvitations: Refusal(409, "too-many", error.sentence)
        case .invitationUnusable: Refusal(404, "no-invitation", error.sentence)
        default: unavailable(error.sentenceWithoutPath)
        }
    default: unavailable("The accounts cannot be read at present; try again in a moment.")
    }
}

private func unavailable(_ sentence: String) -> Refusal {
    Refusal("busy", sentence, .refused(503, "busy", sentence).withHeader("Retry-After", "2"))
}
