/// A short name for several texts in order: other texts, or another order, give another name. It protects from mistakes,
/// not from attacks.
/// - Source: the hash function FNV-1a with 64 bits (Fowler, Noll, Vo).
struct TextHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a text. A byte that no text has separates it from the next one.
    /// - Complexity: O(bytes).
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// The name in hexadecimal digits, at most 16.
    var text: String { String(value, radix: 16) }
}
