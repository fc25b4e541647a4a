import CSodium

/// Locks bytes so that only who has the same secret reads them, and nobody changes them unnoticed.
///
/// - Source: libsodium `crypto_secretbox`, XSalsa20 and Poly1305; a random nonce of 24 bytes goes before each box.
public struct SealedBox: Sendable {
    public static let secretBytes = Int(crypto_secretbox_KEYBYTES)
    /// What a box is longer than what lies in it.
    public static let addedBytes = nonceBytes + Int(crypto_secretbox_MACBYTES)
    private static let nonceBytes = Int(crypto_secretbox_NONCEBYTES)

    private let secret: [UInt8]

    /// - Parameter secret: ``secretBytes`` of them.
    public init(secret: [UInt8]) {
        precondition(secret.count == Self.secretBytes, "\(secret.count) bytes are no secret")
        Sodium.ready
        self.secret = secret
    }

    public func seal(_ bytes: [UInt8]) -> [UInt8] {
        let nonce = Sodium.randomBytes(Self.nonceBytes)
        var box = [UInt8](repeating: 0, count: bytes.count + Int(crypto_secretbox_MACBYTES))
        let failed = crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, secret)
        precondition(failed == 0, "libsodium seals whatever it is given")
        return nonce + box
    }

    /// - Returns: nil where it was sealed with another secret, or was changed since.
    public func open(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= Self.addedBytes else { return nil }
        let sealed = Array(box.dropFirst(Self.nonceBytes))
        var bytes = [UInt8](repeating: 0, count: box.count - Self.addedBytes)
        let failed = crypto_secretbox_open_easy(
            &bytes, sealed, UInt64(sealed.count), Array(box.prefix(Self.nonceBytes)), secret)
        return failed == 0 ? bytes : nil
    }
}
