import Catalogue
import WebServer

/// Decides which accounts and invitations a person may see and change. Administrators manage all accounts; editors,
/// who are the librarians, invite musicians.
struct AccountRights {
    let person: WebPerson

    private var isAdministrator: Bool { person.role == .administrator }

    /// The roles that the person may give to somebody who is invited.
    var invitableRoles: [AccountRole] {
        switch person.role {
        case .administrator: AccountRole.allCases
        case .editor: [.musician]
        case .technician, .titleOperator, .musician: []
        }
    }

    func maySee(_ account: Account) -> Bool { isAdministrator || account.role == .musician }

    func maySee(_ invitation: Invitation) -> Bool {
        isAdministrator || invitation.kind == .invite && invitableRoles.contains(invitation.role)
    }

    /// Editors withdraw only what they made themselves.
    func mayWithdraw(_ invitation: Invitation) -> Bool {
        isAdministrator || maySee(invitation) && invitation.creator?.rawValue == person.id
    }

    /// The account that is noted as the maker of an invitation; nil on a server without sign-in.
    var creator: AccountID? { person.isLocalVisitor ? nil : AccountID(rawValue: person.id) }
}
