import CSodium

/// Encrypts bytes with a secret: only its holders can read them, and any change is detected.
///
/// Uses libsodium's `crypto_secretbox`: XSalsa20 and Poly1305. A random nonce of 24 bytes comes before the encrypted
/// bytes.
package enum SealedBytes {
    package static let secretBytes = Int(crypto_secretbox_KEYBYTES)
    /// The number of bytes by which the encrypted form is longer than its content.
    package static let addedBytes = nonceBytes + Int(crypto_secretbox_MACBYTES)
    private static let nonceBytes = Int(crypto_secretbox_NONCEBYTES)

    /// Encrypts bytes.
    /// - Parameter secret: exactly ``secretBytes`` bytes.
    package static func seal(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        let nonce = Sodium.randomBytes(nonceBytes)
        var box = [UInt8](repeating: 0, count: bytes.count + Int(crypto_secretbox_MACBYTES))
        let failed = crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, secret)
        precondition(failed == 0, "libsodium seals whatever it is given")
        return nonce + box
    }

    /// Decrypts bytes; nil if they were encrypted with another secret, or were changed since.
    package static func open(_ box: [UInt8], secret: [UInt8]) -> [UInt8]? {
        Sodium.ready
        guard box.count >= addedBytes else { return nil }
        let sealed = Array(box.dropFirst(nonceBytes))
        var bytes = [UInt8](repeating: 0, count: box.count - addedBytes)
        let failed = crypto_secretbox_open_easy(
            &bytes, sealed, UInt64(sealed.count), Array(box.prefix(nonceBytes)), secret)
        return failed == 0 ? bytes : nil
    }
}
