import CSodium

/// Encrypts bytes and protects them against changes, with a shared secret.
///
/// - Source: libsodium `crypto_secretbox`, XSalsa20 and Poly1305; a random nonce of 24 bytes precedes each box.
public struct SealedBox: Sendable {
    public static let secretBytes = Int(crypto_secretbox_KEYBYTES)
    /// The number of bytes by which a sealed box is longer than its content.
    public static let addedBytes = nonceBytes + Int(crypto_secretbox_MACBYTES)
    private static let nonceBytes = Int(crypto_secretbox_NONCEBYTES)

    private let secret: [UInt8]

    /// - Parameter secret: exactly ``secretBytes`` bytes.
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

    /// Decrypts a box.
    /// - Returns: nil if it was sealed with another secret, or was changed since.
    public func open(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= Self.addedBytes else { return nil }
        let sealed = Array(box.dropFirst(Self.nonceBytes))
        var bytes = [UInt8](repeating: 0, count: box.count - Self.addedBytes)
        let failed = crypto_secretbox_open_easy(
            &bytes, sealed, UInt64(sealed.count), Array(box.prefix(Self.nonceBytes)), secret)
        return failed == 0 ? bytes : nil
    }
}
