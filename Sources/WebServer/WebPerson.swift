/// What a signed-in person may do.
public enum WebRole: String, Codable, CaseIterable, Sendable {
    case musician, technician, editor, administrator

    /// Who works on the concert; musicians use their stands alone.
    public static let staff: Set<WebRole> = [.technician, .editor, .administrator]
}

/// Who asks.
public struct WebPerson: Equatable, Sendable {
    /// Stays when the account is renamed.
    public let id: String
    public let name: String
    public let role: WebRole

    public init(id: String, name: String, role: WebRole) {
        self.id = id
        self.name = name
        self.role = role
    }

    /// Everybody, where no sign-in is needed: who sits at the machine may do everything there.
    static let local = WebPerson(id: "local", name: "local", role: .administrator)
}

/// The accounts behind the sign-in, as the web server needs them.
public protocol Accounts: Sendable {
    /// Checks name and password and begins a sign-in.
    ///
    /// Must take the same time for an unknown name as for a wrong password.
    func signIn(name: String, password: String) async -> SignInOutcome

    /// Who holds this token; nil for nobody. Called for each request, so it should be quick.
    func person(token: String) async -> WebPerson?

    func signOut(token: String) async

    /// A text for each account with its role and for each sign-in: one that is gone may have ended somebody's rights.
    /// Nil where they cannot be read. Asked twice a second.
    func grants() async -> Set<String>?

    /// Changes a password and ends the person's other sign-ins; `token` is the one that may stay.
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String
    ) async -> PasswordChange
}

extension Accounts {
    /// Accounts that never change.
    public func grants() async -> Set<String>? { nil }
}

public enum SignInOutcome: Equatable, Sendable {
    /// - token: secret text of letters, digits, `-` and `_`; goes into the cookie.
    case signedIn(WebPerson, token: String)
    /// Unknown name, wrong password, disabled account: the visitor is not told which.
    case wrong
    /// Too many at once, or the accounts cannot be read.
    case failed(sentence: String)
}

public enum PasswordChange: Equatable, Sendable {
    case changed
    case wrongPassword
    /// The new one keeps not the rules, or it could not be written.
    case refused(sentence: String)
}
