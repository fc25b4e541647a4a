import CSodium

/// Encrypts bytes with a secret: only its holders can read them, and any change is detected.
///
/// Uses libsodium's `crypto_secretbox`: XSalsa20 and Poly1305. A random nonce of 24 bytes comes before the encrypted
/// bytes.
package enum SealedBytes {
    package static let secretByteCount = Int(crypto_secretbox_KEYBYTES)
    /// The number of bytes by which the encrypted form is longer than its content.
    package static let overheadByteCount = nonceByteCount + Int(crypto_secretbox_MACBYTES)
    private static let nonceByteCount = Int(crypto_secretbox_NONCEBYTES)

    /// Encrypts bytes.
    /// - Parameter secret: exactly ``secretByteCount`` bytes.
    package static func encrypt(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        let nonce = Sodium.randomBytes(nonceByteCount)
        var box = [UInt8](repeating: 0, count: bytes.count + Int(crypto_secretbox_MACBYTES))
        let failed = crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, secret)
        precondition(failed == 0, "libsodium seals whatever it is given")
        return nonce + box
    }

    /// Decrypts bytes; nil if they were encrypted with another secret, or were changed since.
    package static func decrypt(_ box: [UInt8], secret: [UInt8]) -> [UInt8]? {
        Sodium.initializeOnce
        guard box.count >= overheadByteCount else { return nil }
        let sealed = Array(box.dropFirst(nonceByteCount))
        var bytes = [UInt8](repeating: 0, count: box.count - overheadByteCount)
        let failed = crypto_secretbox_open_easy(
            &bytes, sealed, UInt64(sealed.count), Array(box.prefix(nonceByteCount)), secret)
        return failed == 0 ? bytes : nil
    }
}
