/// A link with which somebody makes an account, once. Its secret text is not stored, only the digest.
public struct Invitation: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// Makes a new account of ``Invitation/role``.
        case invite
        /// Gives the account ``Invitation/account`` a new passphrase.
        case reset
    }

    public enum State: Equatable, Sendable {
        case open
        /// It was used; ``Invitation/account`` is the account that it made, or whose passphrase it changed.
        case used
        case expired
        /// The person who made it may no longer give this role, or the account of a reset link is suspended.
        case void
    }

    public let id: String
    public let kind: Kind
    /// The role of the new account.
    public let role: AccountRole
    /// The person for whom it was made, as a note; the invited person chooses the account's name. Of a reset link, the
    /// account's name.
    public let name: String
    public let account: AccountID?
    /// The name of the person who made it; nil if it was made without a sign-in.
    public let createdBy: String?
    public let creator: AccountID?
    public let state: State
    /// The time left until it expires, in seconds; 0 if it has expired.
    public let secondsLeft: Int
}

/// The limits on invitations.
public enum InvitationLimits {
    /// The number of open invitations of all people.
    public static let mostOpen = 300
    /// Open invitations held back for administrators: editors can use up the others only.
    public static let reservedForAdministrators = 100
    /// The number of invitations made at once: a whole orchestra's strings.
    public static let mostAtOnce = 100
    public static let inviteSeconds = 7 * 86_400
    public static let resetSeconds = 86_400
    /// Used and expired invitations are deleted after this time, in milliseconds: 30 days.
    static let keptMilliseconds: Int64 = 30 * 86_400_000
}
