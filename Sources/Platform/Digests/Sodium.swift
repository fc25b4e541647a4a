import CSodium
import Glibc

/// Calls libsodium for the other modules of this package. `PasswordHasher` explains the choice of algorithms.
package enum Sodium {
    /// Initialises libsodium once: picks the fastest code for this processor and opens the source of randomness.
    package static let initializeOnce: Void = {
        precondition(sodium_init() >= 0, "libsodium found no source of randomness")
    }()

    /// Hashes a passphrase with Argon2id.
    /// - Returns: the encoded hash with its salt and cost (text of at most 127 bytes); nil if there is not enough
    ///   memory.
    package static func hashPassphrase(_ passphrase: [UInt8], memoryBytes: Int, passes: Int) -> String? {
        initializeOnce
        var out = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let failed = passphrase.withUnsafeBytes { bytes in
            crypto_pwhash_str(
                &out, bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? nonNullEmptyPointer,
                UInt64(bytes.count), UInt64(passes), memoryBytes)
        }
        guard failed == 0 else { return nil }
        return String(decoding: out.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Checks a passphrase against an encoded hash.
    /// - Returns: nil if there is not enough memory, so that the result is unknown.
    package static func verifyPassphrase(_ passphrase: [UInt8], against hash: String) -> Bool? {
        initializeOnce
        guard paddedHash(hash) != nil, let parts = EncodedPasswordHash(hash) else { return false }
        // libsodium's own check returns the same for a wrong passphrase and for a lack of memory, so the hash is
        // computed and compared here.
        var out = [UInt8](repeating: 0, count: parts.hash.count)
        errno = 0
        let failed = passphrase.withUnsafeBytes { bytes in
            crypto_pwhash(
                &out, UInt64(out.count),
                bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? nonNullEmptyPointer,
                UInt64(bytes.count), parts.salt, UInt64(parts.passes), parts.memoryBytes,
                crypto_pwhash_alg_argon2id13())
        }
        guard failed == 0 else { return errno == ENOMEM ? nil : false }
        return equalInConstantTime(out, parts.hash)
    }

    /// True if a hash was made with another cost than the given one.
    package static func isHashOutdated(_ hash: String, memoryBytes: Int, passes: Int) -> Bool {
        initializeOnce
        guard let encoded = paddedHash(hash) else { return true }
        return crypto_pwhash_str_needs_rehash(encoded, UInt64(passes), memoryBytes) != 0
    }

    package static func randomBytes(_ count: Int) -> [UInt8] {
        initializeOnce
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    package static func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        initializeOnce
        return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    /// Encodes bytes as URL-safe Base64 without padding: letters, digits, `-` and `_`.
    package static func base64URL(_ bytes: [UInt8]) -> String {
        let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        var out = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&out, out.count, bytes, bytes.count, variant)
        return String(decoding: out.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns a hash as the zero-terminated array of fixed size that libsodium reads; nil if the text is too long or
    /// contains a zero.
    private static func paddedHash(_ hash: String) -> [CChar]? {
        let size = Int(crypto_pwhash_STRBYTES)
        guard hash.utf8.count < size, !hash.utf8.contains(0) else { return nil }
        var out = hash.utf8.map(CChar.init(bitPattern:))
        out += [CChar](repeating: 0, count: size - out.count)
        return out
    }

    // A valid pointer to pass with length 0, because libsodium declares its password argument nonnull. Never read.
    nonisolated(unsafe) private static let nonNullEmptyPointer = UnsafePointer<CChar>(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
