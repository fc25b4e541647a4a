/// The name of a file the content server gives out: an image, the programme notes.
///
/// One plain file name: no folder, no way out of the folder it is looked up in.
public struct AssetName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// File systems take 255 bytes; a little is left for the names of temporary copies.
    public static let longestBytes = 200
    /// What an `<img>` of every browser shows.
    public static let imageEndings = ["png", "jpg", "jpeg", "gif", "svg", "webp"]

    public let text: String

    /// - Throws: ``AssetNameFault`` for a name that is no plain file name.
    public init(_ text: String) throws(AssetNameFault) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.longestBytes else { throw .tooLong(bytes: text.utf8.count) }
        guard text.unicodeScalars.first != "." else { throw .hidden }
        let refused = text.unicodeScalars.first {
            "/\\;|,$<>\"".unicodeScalars.contains($0) || $0.breaksTheLine
        }
        if let refused { throw .refused(refused) }
        guard text.unicodeScalars.last != " ", text.unicodeScalars.first != " " else { throw .refused(" ") }
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The ending behind the last dot in lower case, without the dot; empty where there is none.
    public var ending: String {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
        return text[text.index(after: dot)...].lowercased()
    }

    public var isImage: Bool { Self.imageEndings.contains(ending) }
    public var description: String { text }
}

/// Why a text cannot name an asset.
public enum AssetNameFault: Error, Hashable, Sendable {
    case empty
    case tooLong(bytes: Int)
    case hidden
    /// A character that names no file, or that the formats use to separate names.
    case refused(Unicode.Scalar)

    public var sentence: String {
        switch self {
        case .empty: "The file has no name; give it one such as portrait.png."
        case .tooLong(let bytes):
            "The file name has \(bytes) bytes; shorten it to \(AssetName.longestBytes) at most."
        case .hidden: "The file name starts with a dot; rename the file."
        case .refused(let scalar) where scalar.breaksTheLine:
            "The file name holds a line break or another control character; rename the file."
        case .refused(" "): "The file name starts or ends with a blank; rename the file."
        case .refused(let scalar):
            "The file name holds “\(Character(scalar))”, which separates names in the content's files; "
                + "rename the file."
        }
    }
}
