/// A language as a BCP 47 tag, such as `de` or `en-GB`.
public struct Language: Hashable, Sendable, Codable, CustomStringConvertible {
    public let tag: String

    /// Checks a language tag.
    /// - Returns: nil unless `tag` has two or three letters, followed by any subtags of up to eight letters and digits.
    public init?(_ tag: String) {
        let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard tag.utf8.count <= 35, let primary = subtags.first, (2...3).contains(primary.count),
            primary.allSatisfy(Self.isLetter),
            subtags.dropFirst().allSatisfy({ subtag in
                (1...8).contains(subtag.count)
                    && subtag.allSatisfy { Self.isLetter($0) || (0x30...0x39).contains($0) }
            })
        else { return nil }
        self.tag = ([Substring(primary).lowercased()] + subtags.dropFirst().map { String(Substring($0)) })
            .joined(separator: "-")
    }

    public static let english = Language("en")!
    public static let german = Language("de")!

    /// The tag without subtags, such as `de` for `de-AT`.
    public var primarySubtag: Substring { tag.prefix { $0 != "-" } }

    public init(from decoder: any Decoder) throws {
        let tag = try decoder.singleValueContainer().decode(String.self)
        guard let language = Language(tag) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a language tag"))
        }
        self = language
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tag)
    }

    public var description: String { tag }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
