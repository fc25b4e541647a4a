/// A SHA-256 digest: 32 bytes that identify the content of a file.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    public static let byteCount = 32

    /// The number of bytes in a digest.
    public let bytes: [UInt8]

    /// Makes a digest from its bytes; nil if there are not exactly 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Computes the digest of bytes in memory.
    /// - Complexity: O(bytes), some 2.5 ns a byte.
    public init(of content: [UInt8]) { self.init(of: content[...]) }

    public init(of content: ArraySlice<UInt8>) {
        var hash = SHA256()
        content.withUnsafeBytes { hash.update($0) }
        self = hash.finished()
    }

    /// Parses a digest; nil unless the text has the right form.
    /// - Parameter text: 64 hexadecimal digits.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.hexadecimalValue(digits[index]),
                let low = Self.hexadecimalValue(digits[index + 1])
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// The digest as 64 hexadecimal digits in lower case.
    public var description: String {
        String(
            decoding: bytes.flatMap {
                [Self.hexadecimalDigits[Int($0 >> 4)], Self.hexadecimalDigits[Int($0 & 15)]]
            }, as: UTF8.self)
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        hexadecimalDigits.firstIndex(of: digit).map { UInt8($0) }
    }
}

extension Digest: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a digest has 64 hexadecimal digits")
        }
        self = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
