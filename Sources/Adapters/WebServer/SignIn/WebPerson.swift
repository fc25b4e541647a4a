/// The role of an account, which decides what its person may do.
public enum WebRole: String, Codable, CaseIterable, Sendable {
    case musician
    case titleOperator = "title-operator"
    case technician, editor, administrator

    /// The roles that may see the console and the report. Musicians only use their stands.
    public static let staff: Set<WebRole> = [.technician, .editor, .administrator]
    /// The roles that run the show.
    public static let operators: Set<WebRole> = [.technician, .administrator]
    /// The roles that may see titles and screens, and write titles.
    public static let titleStaff = staff.union([.titleOperator])
    /// The roles that run the show or its titles, for whom places are reserved.
    public static let evening = operators.union([.titleOperator])
}

/// The signed-in person who sent a request.
public struct WebPerson: Equatable, Sendable {
    /// The account's id, which stays the same if the account is renamed.
    public let id: String
    public let name: String
    public let role: WebRole
    /// A sentence about this sign-in that the person should read; nil if there is none.
    public let signInNotice: String?

    public init(id: String, name: String, role: WebRole, note: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.signInNotice = note
    }

    /// The person of every request if no sign-in is required. Only people at this machine can then reach the server.
    static let localVisitor = WebPerson(id: "local", name: "local", role: .administrator)

    /// True if no sign-in is required, so that all visitors are this person.
    public var isLocalVisitor: Bool { self == .localVisitor }
}

/// The account store, as far as the web server needs it.
public protocol Accounts: Sendable {
    /// Checks a name and password and, if they are right, makes a sign-in with a new token.
    ///
    /// It must take the same time for an unknown name as for a wrong password.
    /// - Parameters:
    ///   - inUse: the tokens that have an open stream; these sign-ins are not ended to make room for the new one.
    ///   - first: true if the check goes before all waiting checks. This is for people at the server's own machine,
    ///     or at an address from which this account signed in before.
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome

    /// The addresses or networks from which each account signed in, by account name; the newest is last.
    func signInNetworksByAccount() async -> [String: [String]]

    /// Stores permanently that this person signed in from a network.
    func rememberNetwork(_ network: String, of person: WebPerson) async

    /// Makes a device mark for the browser with which this person has just signed in: a secret text of at most 256
    /// letters and digits. Nil if none can be made now.
    func makeDeviceMark(of person: WebPerson) async -> String?

    /// True if ``makeDeviceMark(of:)`` made this mark for the account of this name.
    func isDeviceMark(_ mark: String, of name: String) async -> Bool

    /// Makes a mark by which a device is known again: at most 256 letters and digits. Nil if none can be
    /// made now.
    func makeMark(of device: KnownDevice) async -> String?

    /// The device that has a mark of ``makeMark(of:)``, or of ``makeDeviceMark(of:)``; nil for any other text.
    func findDevice(markedWith mark: String) async -> KnownDevice?

    /// The person who signed in with this token; nil if there is none. It is called for each request, so it should be
    /// quick.
    func findPerson(token: String) async -> WebPerson?

    func signOut(token: String) async

    /// One text for each account with its role, and one text for each sign-in; nil if they cannot be read now. If a
    /// text disappears, somebody may have lost rights. This is called twice a second.
    func listCurrentRights() async -> Set<String>?

    /// Changes a person's password and ends the person's other sign-ins.
    /// - Parameter token: the sign-in that stays; nil if all stay.
    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome
}

extension Accounts {
    public func signInNetworksByAccount() async -> [String: [String]] { [:] }
    public func rememberNetwork(_ network: String, of person: WebPerson) async {}
    public func makeDeviceMark(of person: WebPerson) async -> String? { nil }
    public func isDeviceMark(_ mark: String, of name: String) async -> Bool { false }
    public func makeMark(of device: KnownDevice) async -> String? { nil }
    public func findDevice(markedWith mark: String) async -> KnownDevice? { nil }
    /// The default for account stores in which rights never change.
    public func listCurrentRights() async -> Set<String>? { nil }
}

/// The result of an attempt to sign in.
public enum SignInOutcome: Equatable, Sendable {
    /// The person is signed in. `token` is a secret text of letters, digits, `-` and `_` for the session cookie.
    case signedIn(WebPerson, token: String)
    /// The name is unknown or the password is wrong; the visitor is not told which.
    case wrongCredentials
    /// Name and password are right, but the account is suspended.
    case suspended
    /// The sign-in could not be checked: there were too many at once, or the accounts cannot be read.
    case failed(sentence: String)
}

/// The result of an attempt to change a passphrase.
public enum PasswordChangeOutcome: Equatable, Sendable {
    case changed
    case wrongPassword
    /// The old password is right, but the new one does not fulfil the rules for passwords.
    case refused(sentence: String)
    /// The passwords could not be checked or stored, so it is unknown whether the old password was right.
    case failed(sentence: String)
}
