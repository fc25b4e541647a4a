/// Reading and writing the one-line text of a packet, byte by byte.
///
/// Bytes and not characters: a combining mark behind a separator would merge with it into one character.
enum WireText {
    static let semicolonBlank = Array("; ".utf8)
    static let blankColonBlank = Array(" : ".utf8)
    static let bar = UInt8(ascii: "|")

    /// Where `pattern` starts in `bytes`, the first time.
    static func firstIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        starts(of: pattern, in: bytes).first { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
    }

    /// Where `pattern` starts in `bytes`, the last time.
    static func lastIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        starts(of: pattern, in: bytes).last { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
    }

    private static func starts(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int> {
        bytes.startIndex..<max(bytes.startIndex, bytes.endIndex - pattern.count + 1)
    }

    /// A number as this project writes it: decimal digits, no sign, no leading zeros; nil for anything else.
    static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var number: UInt64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, tooManyTens) = number.multipliedReportingOverflow(by: 10)
            let (sum, tooMany) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !tooManyTens, !tooMany else { return nil }
            number = sum
        }
        return number
    }
}
