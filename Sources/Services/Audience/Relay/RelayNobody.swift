import WebServer

/// A relay has no accounts: nobody signs in.
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
