import Basics

/// The name of a file that the content server delivers: an image or the programme notes.
///
/// It is a plain file name without a folder, so that a lookup cannot leave the server's folder.
public struct AssetName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Longest name in bytes. File systems allow 255; the rest is left for the names of temporary copies.
    public static let longestBytes = 200
    /// The endings of image formats that every browser shows in an `<img>`.
    public static let imageFileExtensions = ["png", "jpg", "jpeg", "gif", "svg", "webp"]

    public let text: String

    /// Checks a name.
    /// - Throws: ``ExplainedError`` if the text is not a plain file name.
    public init(_ text: String) throws(ExplainedError) {
        guard !text.isEmpty else {
            throw ExplainedError("The file has no name; give it one such as portrait.png.")
        }
        guard text.utf8.count <= Self.longestBytes else {
            throw ExplainedError(
                "The file name has \(text.utf8.count) bytes; shorten it to \(AssetName.longestBytes) at most."
            )
        }
        guard text.unicodeScalars.first != "." else {
            throw ExplainedError("The file name starts with a dot; rename the file.")
        }
        let refused = text.unicodeScalars.first {
            "/\\;|,$<>\"".unicodeScalars.contains($0) || $0.isControlOrLineBreak
        }
        if let refused {
            throw ExplainedError(
                refused.isControlOrLineBreak
                    ? "The file name holds a line break or another control character; rename the file."
                    : "The file name holds “\(Character(refused))”, which separates names in the content's files; "
                        + "rename the file.")
        }
        guard text.unicodeScalars.last != " ", text.unicodeScalars.first != " " else {
            throw ExplainedError("The file name starts or ends with a blank; rename the file.")
        }
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The text after the last dot, in lower case and without the dot; empty if there is none.
    public var fileExtension: String {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
        return text[text.index(after: dot)...].lowercased()
    }

    public var isImage: Bool { Self.imageFileExtensions.contains(fileExtension) }
    public var description: String { text }
}
