import WebServer

/// Takes the place of the accounts, which a relay does not have: it refuses every sign-in.
struct RefusingAccounts: Accounts {
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .wrongCredentials
    }
    func findPerson(token: String) async -> WebPerson? { nil }
    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .wrongPassword }
}
