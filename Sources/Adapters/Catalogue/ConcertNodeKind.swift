/// The kind of a node in a concert's content tree.
public enum ConcertNodeKind: String, Codable, CaseIterable, Sendable {
    case concert
    case piece
    case track
    case slide
    case section
    /// A word of the glossary.
    case word
    /// A push message prepared before the concert.
    case message
    /// A file that belongs to the concert: a picture for the slides, or one of the app's own files.
    case asset

    /// The kind of node that contains this kind; nil for the concert, which is the root.
    public var parentKind: ConcertNodeKind? {
        switch self {
        case .concert: nil
        case .piece, .word, .message, .asset: .concert
        case .track, .section: .piece
        case .slide: .track
        }
    }

    /// The names of the fields that a node of this kind may have.
    public var fieldNames: [String] {
        switch self {
        case .concert: ["title", "date", "programNotes", "credits", "link", "cast"]
        case .piece:
            ["name", "measureCount", "measures", "endPrinted", "endTime", "folder", "waveform"]
        case .track: ["name", "language", "subject", "level"]
        case .slide: ["printed", "time", "text"]
        case .section: ["label", "labels", "colour", "key", "printed", "time"]
        case .word: ["name", "category", "description", "history", "image", "language"]
        case .message: ["title", "body", "style", "buttonText"]
        case .asset: ["name", "place", "digest", "type", "bytes"]
        }
    }

    /// The maximum number of nodes of this kind in a concert, not counting removed ones.
    public var mostNodesInConcert: Int {
        switch self {
        case .concert: 1
        case .piece: 200
        case .track: 2_000
        case .slide: 20_000
        case .section: 5_000
        case .word: 2_000
        case .message: 200
        case .asset: 2_000
        }
    }

    /// The maximum length of one field's text, in bytes.
    static func longestFieldBytes(of field: String) -> Int {
        // The measure map of a long symphony is the longest text.
        field == "measures" ? 1 << 20 : 20_000
    }

    /// The kind's name in the plural, for sentences to people.
    var pluralName: String { self == .word ? "glossary words" : rawValue + "s" }
}

/// Identifies a node permanently within its concert.
public struct ConcertNodeID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    public static let root = ConcertNodeID(unchecked: "concert")
    static let longestBytes = 64

    public let rawValue: String

    /// Makes an id from a text that a client chose.
    /// - Returns: nil unless the text is 1 to 64 letters, digits and dashes.
    public init?(rawValue: String) {
        guard (1...Self.longestBytes).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-")
            })
        else { return nil }
        self.rawValue = rawValue
    }

    init(unchecked text: String) { rawValue = text }

    /// Makes an id of twelve random letters and digits; there are some 10^18 possibilities.
    public static func random() -> ConcertNodeID {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return ConcertNodeID(
            unchecked: String(
                decoding: (0..<12).map { _ in letters.randomElement() ?? letters[0] }, as: UTF8.self))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ConcertNodeID(rawValue: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "an id has letters, digits and dashes")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}
