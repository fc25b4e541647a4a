import Basics

/// The name of a movement as phones, pages and packets show it: `{Composer}, {Piece}: {Movement}`.
///
/// A measure packet carries the name byte for byte in one line of text, so the name must not contain a line break or
/// another control character. Commas and colons are allowed; for semicolons see ``init(entered:)``.
public struct PieceName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The length limit in bytes of UTF-8. A measure packet holds at most 1,200 bytes, which leaves room for its other
    /// fields: the measure and the packet's count.
    public static let maximumByteCount = 1_000

    public let text: String

    /// Checks a text and makes it the name of a piece.
    /// - Throws: ``ExplainedError`` if no packet could carry the name.
    public init(_ text: String) throws(ExplainedError) {
        guard !text.isEmpty else {
            throw ExplainedError("The piece name is empty; write it as 'Composer, Piece: Movement'.")
        }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw ExplainedError(
                "The piece name has \(text.utf8.count) bytes; shorten it to \(PieceName.maximumByteCount) "
                    + "at most.")
        }
        guard !text.unicodeScalars.contains(where: { $0.isControlOrLineBreak }) else {
            throw ExplainedError("The piece name holds a line break or another control character; remove it.")
        }
        // Compares bytes: `hasPrefix` would not find the vertical bar if a combining mark followed it.
        guard !text.utf8.starts(with: "PUSH|".utf8) else {
            throw ExplainedError(
                "The piece name starts with 'PUSH|', which phones would take for a message; rename the piece."
            )
        }
        self.text = text
    }

    /// Makes the name that a person gives to a piece, wherever it is given: typed, prepared or imported. Marks that are
    /// not seen and superfluous blanks are left out.
    /// - Throws: ``ExplainedError`` also for a semicolon, which separates the names in the phones' list of pieces.
    ///   Packets, and models of older versions, may hold one; see ``withoutSemicolons``.
    public init(entered text: String) throws(ExplainedError) {
        let name = NameRule.cleaned(text).split(separator: " ").joined(separator: " ")
        guard !name.utf8.contains(UInt8(ascii: ";")) else {
            throw ExplainedError(Self.semicolonSentence(name))
        }
        try self.init(name)
    }

    /// The name as phones can list it: with a comma in the place of each semicolon. Names are compared by their letters
    /// and digits (`match`), so that both mean the same piece.
    public var withoutSemicolons: PieceName {
        text.utf8.contains(UInt8(ascii: ";"))
            ? PieceName(
                unchecked: text.split(separator: ";", omittingEmptySubsequences: false).joined(separator: ",")
            )
            : self
    }

    private init(unchecked text: String) { self.text = text }

    /// The name that stands in for a piece in a programme to which none has been added yet.
    public static let noPieceYet = PieceName(unchecked: "No piece yet")

    #if !hasFeature(Embedded)
        public init(from decoder: any Decoder) throws {
            try self.init(try decoder.singleValueContainer().decode(String.self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    #endif

    public var description: String { text }

    /// Why a name that people enter holds no semicolon.
    public static func semicolonSentence(_ name: String) -> String {
        "The name “\(name)” holds a semicolon, where phones end a name; write a comma or a dash instead."
    }
}
