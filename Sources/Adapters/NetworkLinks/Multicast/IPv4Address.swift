/// An IPv4 address, for example `239.255.255.251`.
public struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
    /// The address as a number. The text's first number is the most significant byte.
    public let bits: UInt32

    public static let loopback = IPv4Address(bits: 0x7F00_0001)

    public init(bits: UInt32) { self.bits = bits }

    /// Parses the dotted form of an address.
    /// - Returns: nil for anything but four decimal numbers without signs, blanks or leading zeros, because some
    ///   programs would read a leading zero as octal.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            guard part.count == 1 || part.first != 0x30 else { return nil }
            let number = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
            guard number <= 255 else { return nil }
            bits = bits << 8 | number
        }
        self.bits = bits
    }

    /// True for 224.0.0.0 to 239.255.255.255.
    public var isMulticast: Bool { bits >> 28 == 0xE }

    public var description: String {
        [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".")
    }
}
