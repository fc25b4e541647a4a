import Digests

/// Locks bytes so that only who has the same secret reads them, and nobody changes them unnoticed.
public struct SealedBox: Sendable {
    public static let secretBytes = SealedBytes.secretBytes
    /// What a box is longer than what lies in it.
    public static let addedBytes = SealedBytes.addedBytes

    private let secret: [UInt8]

    /// - Parameter secret: ``secretBytes`` of them.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretBytes, "\(secret.count) bytes are no secret")
        self.secret = secret
    }

    public func seal(_ bytes: [UInt8]) -> [UInt8] { SealedBytes.seal(bytes, secret: secret) }

    /// - Returns: nil where it was sealed with another secret, or was changed since.
    public func open(_ box: [UInt8]) -> [UInt8]? { SealedBytes.open(box, secret: secret) }
}
