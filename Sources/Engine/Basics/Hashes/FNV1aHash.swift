/// Computes the 64-bit FNV-1a hash. Two texts practically never have the same hash by chance, but anybody can make
/// such texts on purpose.
///
/// Its values are stored outside the program, for example on phones, at MQTT brokers and on other servers, so the
/// function must never change.
/// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm".
public struct FNV1aHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    /// Adds a text. A byte that no text has separates it from the next one.
    /// - Complexity: O(bytes).
    public mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// The hash of what was added, in hexadecimal digits, at most 16.
    public var text: String { String(value, radix: 16) }

    @inlinable public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.withContiguousStorageIfAvailable { hash(of: $0) }
            ?? bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The same for bytes in one piece, compiled here, where it is fast in debug builds too.
    @usableFromInline static func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
