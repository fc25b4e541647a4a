import Digests

/// A secret that stands for a sign-in: 32 random bytes, written as 43 letters, digits, `-` and `_`.
///
/// The visitor's browser keeps `text`. The server keeps only `digest`, so that a stolen database lets nobody sign in.
/// No salt and no slow hash are needed: 256 random bits cannot be guessed.
public struct Token: Equatable, Sendable {
    public static let bytes = 32

    public let text: String
    /// The SHA-256 of ``text``, 32 bytes.
    public let digest: [UInt8]

    /// A new random token, from the operating system's source of randomness.
    public static func random() -> Token { Token(text: Sodium.base64URL(Sodium.randomBytes(bytes))) }

    /// A token that a visitor presented. Any text of plausible length is accepted; the comparison of digests decides.
    public init?(shown text: String) {
        guard (1...256).contains(text.utf8.count) else { return nil }
        self.init(text: text)
    }

    private init(text: String) {
        self.text = text
        digest = Digest(of: Array(text.utf8)).bytes
    }

    public static func == (one: Token, other: Token) -> Bool { equalInConstantTime(one.digest, other.digest) }
}

/// Compares secrets in a time that does not depend on how much of them agrees; different sizes are unequal at once.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool { Sodium.equal(one, other) }
