import WebServer

/// Stands in for the accounts, which a relay does not have: every sign-in is refused.
struct RelayNobody: Accounts {
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .wrong
    }
    func person(token: String) async -> WebPerson? { nil }
    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String
    ) async -> PasswordChange { .wrongPassword }
}
