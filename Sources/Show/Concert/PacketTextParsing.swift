/// Reads the one-line text of a packet byte by byte.
///
/// It works on bytes, because a combining mark after a separator would merge with the separator into one character.
enum PacketTextParsing {
    static let semicolonBlank = Array("; ".utf8)
    static let blankColonBlank = Array(" : ".utf8)
    static let verticalBar = UInt8(ascii: "|")

    /// Finds the first index at which `pattern` starts in `bytes`.
    static func firstIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        possibleStarts(of: pattern, in: bytes).first {
            bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern)
        }
    }

    /// Finds the last index at which `pattern` starts in `bytes`.
    static func lastIndex(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        possibleStarts(of: pattern, in: bytes).last {
            bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern)
        }
    }

    private static func possibleStarts(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int> {
        bytes.startIndex..<max(bytes.startIndex, bytes.endIndex - pattern.count + 1)
    }

    /// Reads a number as packets write it: decimal digits, no sign, no leading zeros.
    /// - Returns: nil for any other form, and for a number that does not fit 64 bits.
    static func parseNumber(_ digits: ArraySlice<UInt8>) -> UInt64? {
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
