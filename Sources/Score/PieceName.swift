/// `{Composer}, {Piece}: {Movement}`: how phones, pages and packets name a movement.
///
/// Source: spec of the measure packets; the name stands in them as is, so it may not hold what would break
/// their one-line text form.
public struct PieceName: Hashable, Sendable, Codable, CustomStringConvertible {
    public let text: String

    /// - Throws: ``PieceNameFault`` for a name no packet could carry.
    public init(_ text: String) throws(PieceNameFault) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 1_000 else { throw .tooLong(bytes: text.utf8.count) }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x2028 || $0.value == 0x2029 || $0.value == 0x85 }) else {
            throw .controlCharacter
        }
        guard !text.hasPrefix("PUSH|") else { throw .looksLikeAPushMessage }
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public var description: String { text }
}

/// Why a text cannot name a piece.
public enum PieceNameFault: Error, Hashable, Sendable {
    case empty
    case tooLong(bytes: Int)
    case controlCharacter
    case looksLikeAPushMessage
}
