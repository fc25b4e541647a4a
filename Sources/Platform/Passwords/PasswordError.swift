import Basics

/// The reason why a passphrase was rejected or could not be checked.
public enum PasswordError: Explained, Equatable, Sendable {
    case tooShort(leastCharacters: Int)
    case tooLong(mostBytes: Int)
    /// The passphrase contains a control character, which different keyboards produce differently.
    case controlCharacter
    /// The passphrase is easily guessed: a common password, or the account's own name.
    case guessable
    /// Too many sign-ins are waiting to be checked.
    case tooManySignInsWaiting(waiting: Int)
    /// The operating system has no memory for computing a hash.
    case outOfMemory(bytes: Int)

    public var sentence: String {
        switch self {
        case .tooShort(let least):
            "The passphrase is too short; use at least \(least) characters, several words for instance."
        case .tooLong(let most):
            "The passphrase is longer than \(most) bytes; use a shorter one."
        case .controlCharacter:
            "The passphrase contains a control character; use letters, digits, spaces and signs."
        case .guessable:
            "This passphrase is easy to guess; use several words of your own."
        case .tooManySignInsWaiting(let waiting):
            "Too many people are signing in at once (\(waiting) are waiting); try again in a few seconds."
        case .outOfMemory(let bytes):
            "The server has no memory to check a passphrase (\(max(1, bytes / 1_048_576)) MB are needed); close other "
                + "programs on it and try again."
        }
    }
}
