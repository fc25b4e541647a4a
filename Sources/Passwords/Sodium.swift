import CSodium
import Glibc

/// Calls into libsodium that the rest of the module needs.
enum Sodium {
    /// Picks the fastest code for this processor and opens the source of randomness, once.
    static let ready: Void = {
        precondition(sodium_init() >= 0, "libsodium found no source of randomness")
    }()

    /// - Returns: the encoded hash with its salt and cost (text of at most 127 bytes); nil without memory.
    static func hash(_ passphrase: [UInt8], cost: HashingCost) -> String? {
        ready
        var out = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let failed = passphrase.withUnsafeBytes { bytes in
            crypto_pwhash_str(
                &out, bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? empty,
                UInt64(bytes.count), UInt64(cost.passes), cost.memoryBytes)
        }
        guard failed == 0 else { return nil }
        return String(decoding: out.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// - Returns: nil without memory: then nobody knows whether it is right.
    static func verify(_ passphrase: [UInt8], against hash: String) -> Bool? {
        ready
        guard let encoded = encoded(hash) else { return false }
        // libsodium's own verification answers "wrong" when memory cannot be had; hashing anew tells them apart.
        if let made = MadeHash(hash) { return made.isOf(passphrase) }
        return passphrase.withUnsafeBytes { bytes in
            crypto_pwhash_str_verify(
                encoded, bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? empty,
                UInt64(bytes.count)) == 0
        }
    }

    /// Whether a hash was made at another cost than we use now.
    static func isOutdated(_ hash: String, cost: HashingCost) -> Bool {
        ready
        guard let encoded = encoded(hash) else { return true }
        return crypto_pwhash_str_needs_rehash(encoded, UInt64(cost.passes), cost.memoryBytes) != 0
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        ready
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        ready
        var out = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&out, bytes, UInt64(bytes.count))
        return out
    }

    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        ready
        return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    /// The fixed-size, zero-ended form libsodium reads; nil for text that is too long or holds a zero.
    private static func encoded(_ hash: String) -> [CChar]? {
        let size = Int(crypto_pwhash_STRBYTES)
        guard hash.utf8.count < size, !hash.utf8.contains(0) else { return nil }
        var out = hash.utf8.map(CChar.init(bitPattern:))
        out += [CChar](repeating: 0, count: size - out.count)
        return out
    }

    // A pointer to something, since libsodium declares its password argument nonnull. Never read: length 0.
    nonisolated(unsafe) fileprivate static let empty = UnsafePointer<CChar>(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}

/// The parts of a hash as this program makes it: Argon2id, version 1.3, one lane, 16 bytes of salt.
private struct MadeHash {
    let memoryBytes: Int
    let passes: UInt64
    let salt: [UInt8]
    let digest: [UInt8]

    /// - Returns: nil for any other kind of hash.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[1] == "argon2id", parts[2] == "v=19" else { return nil }
        let costs = parts[3].split(separator: ",")
        guard costs.count == 3, costs[0].hasPrefix("m="), costs[1].hasPrefix("t="), costs[2] == "p=1",
            let kilobytes = Int(costs[0].dropFirst(2)), let passes = UInt64(costs[1].dropFirst(2)),
            kilobytes >= crypto_pwhash_memlimit_min() / 1_024,
            kilobytes <= crypto_pwhash_memlimit_max() / 1_024,
            passes >= UInt64(crypto_pwhash_opslimit_min()), passes <= UInt64(crypto_pwhash_opslimit_max()),
            let salt = Self.bytes(parts[4]), salt.count == Int(crypto_pwhash_SALTBYTES),
            let digest = Self.bytes(parts[5]), digest.count >= 16
        else { return nil }
        (memoryBytes, self.passes, self.salt, self.digest) = (kilobytes * 1_024, passes, salt, digest)
    }

    /// - Returns: nil without memory.
    func isOf(_ passphrase: [UInt8]) -> Bool? {
        var computed = [UInt8](repeating: 0, count: digest.count)
        let isDone = passphrase.withUnsafeBytes { bytes in
            crypto_pwhash(
                &computed, UInt64(digest.count),
                bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? Sodium.empty,
                UInt64(bytes.count), salt, passes, memoryBytes, crypto_pwhash_ALG_ARGON2ID13) == 0
        }
        guard isDone else { return nil }
        return sodium_memcmp(computed, digest, digest.count) == 0
    }

    /// Base64 without padding.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        var out = [UInt8](repeating: 0, count: 128)
        var count = 0
        guard
            sodium_base642bin(
                &out, out.count, String(text), text.utf8.count, nil, &count, nil,
                sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0
        else { return nil }
        return Array(out.prefix(count))
    }
}
