import Glibc

/// A range of addresses that may send commands: one address ("192.168.1.20") or a network ("192.168.1.0/24",
/// "fd00::/8").
public struct SenderAddressRange: Hashable, Sendable, CustomStringConvertible {
    private let networkBytes: [UInt8]
    private let prefixBits: Int
    public let description: String

    /// Nil if the text is neither a numeric address nor a network.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.addressBytes(of: String(first)) else { return nil }
        let most = bytes.count * 8
        if parts.count == 2 {
            guard let bits = Int(parts[1]), (0...most).contains(bits) else { return nil }
            self.prefixBits = bits
        } else {
            prefixBits = most
        }
        self.networkBytes = bytes
        description = text
    }

    /// True if the range contains all addresses.
    public var includesAllAddresses: Bool { prefixBits == 0 }

    public func contains(_ address: String) -> Bool {
        guard let other = Self.addressBytes(of: address), other.count == networkBytes.count else {
            return false
        }
        return (0..<prefixBits).allSatisfy { bit in
            (networkBytes[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    /// Returns the bytes of a numeric address; an IPv4 address inside an IPv6 address counts as IPv4.
    private static func addressBytes(of address: String) -> [UInt8]? {
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &sixteen) == 1 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return sixteen.starts(with: mapped) ? Array(sixteen[12...]) : sixteen
    }
}
