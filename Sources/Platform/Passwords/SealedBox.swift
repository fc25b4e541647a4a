/// Encrypts bytes and protects them against changes, with a shared secret.
public struct SealedBox: Sendable {
    public static let secretByteCount = SealedBytes.secretByteCount
    /// The number of bytes by which a sealed box is longer than its content.
    public static let overheadByteCount = SealedBytes.overheadByteCount

    private let secret: [UInt8]

    /// Makes a box that encrypts with a secret.
    /// - Parameter secret: exactly ``secretByteCount`` bytes.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "\(secret.count) bytes are no secret")
        self.secret = secret
    }

    public func encrypt(_ bytes: [UInt8]) -> [UInt8] { SealedBytes.encrypt(bytes, secret: secret) }

    /// Decrypts bytes.
    /// - Returns: nil if the bytes were sealed with another secret, or were changed since.
    public func decrypt(_ box: [UInt8]) -> [UInt8]? { SealedBytes.decrypt(box, secret: secret) }
}
