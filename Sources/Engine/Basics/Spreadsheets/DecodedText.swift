/// The text of a file of people: UTF-8, UTF-16, or the letters of older programs for Windows.
public struct DecodedText: Equatable, Sendable {
    public var text: String
    /// True if the bytes say nothing of their encoding and are no UTF-8, so that Windows-1252 was assumed: letters of
    /// other alphabets are then wrong.
    public var isGuess: Bool

    /// The characters of Windows-1252 from 0x80 to 0x9F; the others are those of Latin 1.
    private static let windows: [Unicode.Scalar] = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Decodes a whole file, without its byte order mark.
    /// - Returns: nil for UTF-16 that is broken.
    public init?(_ bytes: [UInt8]) {
        isGuess = false
        if let isLittle = Self.isLittleEndianUTF16(bytes) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
                isLittle
                    ? UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
                    : UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
            }
            let body = units.first == 0xFEFF ? units.dropFirst() : units[...]
            guard let text = String(validating: body, as: UTF16.self) else { return nil }
            self.text = text
            return
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let text = String(validating: bytes[start...], as: UTF8.self) {
            self.text = text
            return
        }
        isGuess = true
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append(
                (0x80..<0xA0).contains(byte) ? Self.windows[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        text = String(scalars)
    }

    /// Whether the lower byte comes first; nil if the bytes are not UTF-16. A file without a mark is recognised by a
    /// first character of ASCII.
    private static func isLittleEndianUTF16(_ bytes: [UInt8]) -> Bool? {
        guard bytes.count >= 2 else { return nil }
        if bytes.starts(with: [0xFF, 0xFE]) { return true }
        if bytes.starts(with: [0xFE, 0xFF]) { return false }
        if bytes[0] != 0, bytes[1] == 0, bytes.count > 3, bytes[2] != 0, bytes[3] == 0 { return true }
        if bytes[0] == 0, bytes[1] != 0, bytes.count > 3, bytes[2] == 0, bytes[3] != 0 { return false }
        return nil
    }
}
