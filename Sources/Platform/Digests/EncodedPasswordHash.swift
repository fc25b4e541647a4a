import CSodium

/// The parts of an Argon2 password hash in its text form: `$argon2id$v=19$m=65536,t=3,p=1$SALT$HASH`.
///
/// Source: the reference implementation of Argon2, `encoding.c`.
struct EncodedPasswordHash {
    /// The hash's salt, always 16 bytes.
    let salt: [UInt8]
    let hash: [UInt8]
    let passes: Int
    let memoryBytes: Int

    /// Parses a password hash; nil if libsodium cannot have written the text.
    init?(_ text: String) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].isEmpty, fields[1] == "argon2id", fields[2] == "v=19" else {
            return nil
        }
        let costs = fields[3].split(separator: ",")
        guard costs.count == 3, let memory = Self.parseCost(costs[0], "m="),
            let passes = Self.parseCost(costs[1], "t="),
            costs[2] == "p=1", let salt = Self.decodeBase64(fields[4]),
            let hash = Self.decodeBase64(fields[5]),
            salt.count == Int(crypto_pwhash_SALTBYTES), hash.count >= 16, passes > 0, memory > 0
        else { return nil }
        (self.salt, self.hash, self.passes, memoryBytes) = (salt, hash, passes, memory * 1_024)
    }

    private static func parseCost(_ field: Substring, _ name: String) -> Int? {
        guard field.hasPrefix(name) else { return nil }
        return UInt32(field.dropFirst(name.count)).map(Int.init)
    }

    /// Decodes Base64 without padding.
    private static func decodeBase64(_ text: Substring) -> [UInt8]? {
        let letters = Array(text.utf8.map(CChar.init(bitPattern:)))
        guard (1...128).contains(letters.count) else { return nil }
        var out = [UInt8](repeating: 0, count: letters.count)
        var count = 0
        let failed = sodium_base642bin(
            &out, out.count, letters, letters.count, nil, &count, nil,
            Int32(sodium_base64_VARIANT_ORIGINAL_NO_PADDING))
        return failed == 0 ? Array(out.prefix(count)) : nil
    }
}
