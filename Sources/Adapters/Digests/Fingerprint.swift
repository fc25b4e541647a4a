/// FNV-1a with 64 bits: tells texts apart by chance, not against forgers.
///
/// Its values are kept outside of the program: a message's identity on phones, a file's place at a broker, what
/// two servers compare. So the function stays as it is.
/// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm".
public enum Fingerprint {
    @inlinable public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
