import WebServer

/// Stands in for the console and the accounts, which a relay does not have: every sign-in and command is refused.
struct RelayNobody: ConsoleBackend, Accounts {
    private static let none = WebResponse.refused(
        404, "no-console", "This is a relay for listeners; the console is at the server of the hall.")

    func command(_ order: CommandRequest, by person: WebPerson) async -> WebResponse { Self.none }
    func cues(piece: Int, asCSV: Bool) async -> WebResponse { Self.none }
    func setCues(piece: Int, _ body: [UInt8], asCSV: Bool, by person: WebPerson) async -> WebResponse {
        Self.none
    }
    func startCheck(by person: WebPerson) async -> WebResponse { Self.none }
    func report() async -> WebResponse { Self.none }

    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .wrong
    }
    func person(token: String) async -> WebPerson? { nil }
    func signOut(token: String) async {}
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String
    ) async -> PasswordChange { .wrongPassword }
}
