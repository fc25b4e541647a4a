/// The UUID of a shared object: 16 bytes, written as 36 characters in lower case.
///
/// Its type includes the kind of object, so that a user's id cannot be used as a room's.
public struct ObjectID<Object>: Hashable, Sendable, BitwiseCopyable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a new id, version 4: 122 random bits.
    public init(using chance: inout some RandomNumberGenerator) {
        high = chance.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = chance.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// True if the id is computed from another (version 8 of RFC 9562), and not made by a client.
    public var isDerived: Bool { high >> 12 & 0xF == 8 }

    /// The id of version 8 with these bits.
    public static func derived(high: UInt64, low: UInt64) -> Self {
        Self(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// Creates a new id from the system's random number generator.
    public static func new() -> Self {
        var chance = SystemRandomNumberGenerator()
        return Self(using: &chance)
    }
}

extension ObjectID: Comparable {
    /// Compares two ids byte by byte, which is also the order of their texts.
    public static func < (lhs: Self, rhs: Self) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }
}

extension ObjectID: LosslessStringConvertible {
    /// Parses a UUID.
    /// - Returns: nil unless the text is 8-4-4-4-12 hexadecimal digits, in lower or upper case.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.hexDigitValue(byte) else { return nil }
            if index < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
        }
        self.init(high: high, low: low)
    }

    private static func hexDigitValue(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { text in
            var at = 0
            for place in 0..<32 {
                if place == 8 || place == 12 || place == 16 || place == 20 {
                    text[at] = UInt8(ascii: "-")
                    at += 1
                }
                let half = place < 16 ? high : low
                text[at] = digits[Int(half >> UInt64(60 - place % 16 * 4) & 0xF)]
                at += 1
            }
            return 36
        }
    }
}

/// An id is encoded as its text.
extension ObjectID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = Self(text) else { throw RehearsalFault.notAnID(String(text.prefix(40))) }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
