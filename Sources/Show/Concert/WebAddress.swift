/// An http or https address that every phone can open: ASCII, with all other characters percent-encoded.
public struct WebAddress: Hashable, Sendable {
    public let text: String

    /// Checks a web address.
    /// - Returns: nil unless `text` consists of `http://` or `https://`, a host, and characters that an address may
    ///   contain.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let scheme = ["http://", "https://"].first { prefix in
            bytes.count > prefix.utf8.count
                && zip(bytes, prefix.utf8).allSatisfy { byte, wanted in Self.lowercase(byte) == wanted }
        }
        guard let scheme else { return nil }
        let rest = bytes[scheme.utf8.count...]
        let host = rest.prefix { !"/?#".utf8.contains($0) }
        guard let first = host.first, first != UInt8(ascii: ":"), first != UInt8(ascii: "@") else {
            return nil
        }
        guard rest.allSatisfy(Self.isAllowedByte), Self.hasValidEscapes(rest) else { return nil }
        self.text = text
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }

    private static func isAllowedByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""<>\^`{|}"#.utf8.contains(byte)
    }

    /// True if every `%` is followed by two hexadecimal digits.
    private static func hasValidEscapes(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "%") }.allSatisfy { percent in
            let digits = bytes[(percent + 1)...].prefix(2)
            return digits.count == 2 && digits.allSatisfy { "0123456789abcdef".utf8.contains(lowercase($0)) }
        }
    }
}
