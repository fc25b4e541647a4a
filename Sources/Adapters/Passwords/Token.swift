import Digests

/// A secret that stands for a sign-in: 32 random bytes, written in 43 letters, digits, `-` and `_`.
///
/// The holder keeps `text`; who checks it keeps `digest` only, so that a stolen database signs nobody in. No salt
/// and no slow hash are needed: 256 random bits cannot be guessed.
public struct Token: Equatable, Sendable {
    public static let bytes = 32

    public let text: String
    /// SHA-256 of the text, 32 bytes.
    public let digest: [UInt8]

    /// A new one, from the system's source of randomness.
    public static func random() -> Token { Token(text: Sodium.base64URL(Sodium.randomBytes(bytes))) }

    /// One that somebody showed; any text of a likely size, since only the digest decides.
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

/// Compares secrets without telling by the time taken how much of them agrees; different sizes are unequal at once.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool { Sodium.equal(one, other) }
