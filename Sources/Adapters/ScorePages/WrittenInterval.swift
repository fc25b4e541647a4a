/// An interval by which a part is written higher, or lower if it begins with `-`: `M2`, `-m3`, `P5`.
///
/// The letter is perfect (P), major (M), minor (m), augmented (A) or diminished (d), the digit the number of steps, 1
/// to 8. A part for clarinet in B flat becomes one for clarinet in A by `m2`.
public struct WrittenInterval: Hashable, Sendable, Codable, CustomStringConvertible {
    public let description: String

    /// - Returns: nil if the text is no interval.
    public init?(_ text: String) {
        let letters = Array(text.utf8.drop { $0 == UInt8(ascii: "-") })
        guard text.utf8.count - letters.count <= 1, letters.count == 2, "PMmAd".utf8.contains(letters[0]),
            (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(letters[1])
        else { return nil }
        // Unisons, fourths, fifths and octaves are perfect; the others major or minor.
        let isPerfectStep = "1458".utf8.contains(letters[1])
        switch letters[0] {
        case UInt8(ascii: "P"): guard isPerfectStep else { return nil }
        case UInt8(ascii: "M"), UInt8(ascii: "m"): guard !isPerfectStep else { return nil }
        default: break
        }
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let field = try decoder.singleValueContainer()
        guard let interval = WrittenInterval(try field.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: field, debugDescription: "no interval")
        }
        self = interval
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(description)
    }
}
