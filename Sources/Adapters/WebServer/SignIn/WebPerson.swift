/// The rights of a signed-in person.
public enum WebRole: String, Codable, CaseIterable, Sendable {
    case musician, technician, editor, administrator

    /// The roles that work on the concert; musicians only use their stands.
    public static let staff: Set<WebRole> = [.technician, .editor, .administrator]
    /// The roles that run the show.
    public static let operators: Set<WebRole> = [.technician, .administrator]
}

/// The signed-in person who sent a request.
public struct WebPerson: Equatable, Sendable {
    /// Does not change if the account is renamed.
    public let id: String
    public let name: String
    public let role: WebRole
    /// A sentence that the person should read about this sign-in.
    public let note: String?

    public init(id: String, name: String, role: WebRole, note: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.note = note
    }

    /// Everybody, if no sign-in is required: only people at this machine reach the server then.
    static let local = WebPerson(id: "local", name: "local", role: .administrator)
}

/// The accounts as the web server needs them.
public protocol Accounts: Sendable {
    /// Checks name and password and begins a sign-in.
    ///
    /// Must take the same time for an unknown name as for a wrong password.
    /// - Parameters:
    ///   - inUse: tokens under which a stream is open; none of these sign-ins is ended to make room.
    ///   - first: checked before all waiting sign-ins; for somebody at the console's own machine, or at an address
    ///     from which this account signed in before.
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome

    /// The addresses or networks from which each account signed in, by account name; the newest last.
    func networks() async -> [String: [String]]

    /// Stores the network from which somebody signed in, also over a restart.
    func remember(_ network: String, of person: WebPerson) async

    /// Makes a mark for a device that has just signed in to an account; at most 256 letters and digits. Nil if none
    /// can be made now.
    func deviceMark(of person: WebPerson) async -> String?

    /// True if the mark was made by ``deviceMark(of:)`` for the account of this name.
    func isDevice(_ mark: String, of name: String) async -> Bool

    /// The holder of this token; nil if there is none. Called for each request, so it should be quick.
    func person(token: String) async -> WebPerson?

    func signOut(token: String) async

    /// One text for each account with its role and for each sign-in: if one disappears, somebody's rights may have
    /// ended. Nil if they cannot be read. Called twice a second.
    func grants() async -> Set<String>?

    /// Changes a password and ends the person's other sign-ins; the sign-in of `token` may stay.
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String
    ) async -> PasswordChange
}

extension Accounts {
    public func networks() async -> [String: [String]] { [:] }
    public func remember(_ network: String, of person: WebPerson) async {}
    public func deviceMark(of person: WebPerson) async -> String? { nil }
    public func isDevice(_ mark: String, of name: String) async -> Bool { false }
    /// The default, for accounts that never change.
    public func grants() async -> Set<String>? { nil }
}

public enum SignInOutcome: Equatable, Sendable {
    /// Signed in; `token` is a secret text of letters, digits, `-` and `_` for the cookie.
    case signedIn(WebPerson, token: String)
    /// Unknown name, wrong password or disabled account; the visitor is not told which.
    case wrong
    /// Too many sign-ins at once, or the accounts cannot be read.
    case failed(sentence: String)
}

public enum PasswordChange: Equatable, Sendable {
    case changed
    case wrongPassword
    /// The old password is right, but the new one breaks the rules.
    case refused(sentence: String)
    /// The passwords could not be checked or stored: neither right nor wrong.
    case failed(sentence: String)
}
