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
    /// What the person should know of this sign-in; a sentence.
    public let note: String?

    public init(id: String, name: String, role: WebRole, note: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.note = note
    }

    /// Everybody, where no sign-in is needed: who sits at the machine may do everything there.
    static let local = WebPerson(id: "local", name: "local", role: .administrator)
}

/// The accounts behind the sign-in, as the web server needs them.
public protocol Accounts: Sendable {
    /// Checks name and password and begins a sign-in.
    ///
    /// Must take the same time for an unknown name as for a wrong password.
    /// - Parameters:
    ///   - inUse: tokens under which a stream is open; none of these sign-ins ends to make room.
    ///   - first: before all that wait: somebody at the console's own machine, or where this account was signed in
    ///     before.
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome

    /// Addresses, or networks that count as one, from which each account was signed in to, by the account's name; the
    /// newest last.
    func networks() async -> [String: [String]]

    /// Keeps from where somebody signed in, also over a restart.
    func remember(_ network: String, of person: WebPerson) async

    /// A mark for a device that has just signed in to an account; at most 256 letters and digits. Nil where none can
    /// be made now.
    func deviceMark(of person: WebPerson) async -> String?

    /// Whether a mark was made by ``deviceMark(of:)`` for the account of this name.
    func isDevice(_ mark: String, of name: String) async -> Bool

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
    public func networks() async -> [String: [String]] { [:] }
    public func remember(_ network: String, of person: WebPerson) async {}
    public func deviceMark(of person: WebPerson) async -> String? { nil }
    public func isDevice(_ mark: String, of name: String) async -> Bool { false }
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
    /// The old one is right; the new one keeps not the rules.
    case refused(sentence: String)
    /// It could not be checked or not be written: neither right nor wrong.
    case failed(sentence: String)
}
