/// A secret that proves a sign-in: 32 random bytes, written as 43 letters, digits, `-` and `_`.
///
/// The visitor's browser keeps `text`. The server keeps only `digest`, so that a stolen database lets nobody sign in.
/// No salt and no slow hash are needed, because 256 random bits cannot be guessed.
public struct SignInToken: Equatable, Sendable {
    public static let byteCount = 32

    public let text: String
    /// The SHA-256 of ``text``, 32 bytes.
    public let digest: [UInt8]

    /// Makes a new token from the operating system's source of randomness.
    public static func random() -> SignInToken {
        SignInToken(text: Sodium.base64URL(Sodium.randomBytes(byteCount)))
    }

    /// Makes a token from the text that a visitor presented. Any text of plausible length is accepted; the comparison
    /// of digests decides whether it is valid.
    public init?(shown text: String) {
        guard (1...256).contains(text.utf8.count) else { return nil }
        self.init(text: text)
    }

    private init(text: String) {
        self.text = text
        digest = Digest(of: Array(text.utf8)).bytes
    }

    public static func == (one: SignInToken, other: SignInToken) -> Bool {
        equalInConstantTime(one.digest, other.digest)
    }
}

/// Compares secrets in constant time, so that the duration does not reveal how much of them agrees. Secrets of
/// different sizes are unequal at once.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    Sodium.equalInConstantTime(one, other)
}
