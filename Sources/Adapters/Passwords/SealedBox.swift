import Digests

/// Encrypts bytes and protects them against changes, with a shared secret.
public struct SealedBox: Sendable {
    public static let secretBytes = SealedBytes.secretBytes
    /// The number of bytes by which a sealed box is longer than its content.
    public static let addedBytes = SealedBytes.addedBytes

    private let secret: [UInt8]

    /// Makes a box that encrypts with a secret.
    /// - Parameter secret: exactly ``secretBytes`` bytes.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretBytes, "\(secret.count) bytes are no secret")
        self.secret = secret
    }

    public func seal(_ bytes: [UInt8]) -> [UInt8] { SealedBytes.seal(bytes, secret: secret) }

    /// Decrypts bytes.
    /// - Returns: nil if the bytes were sealed with another secret, or were changed since.
    public func open(_ box: [UInt8]) -> [UInt8]? { SealedBytes.open(box, secret: secret) }
}
