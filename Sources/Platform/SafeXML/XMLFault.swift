import Basics

/// Why XML from outside is not read, and in which line, counted from 1.
public struct XMLFault: Error, Equatable, Sendable {
    public var line: Int
    public var reason: Reason

    public enum Reason: Equatable, Sendable {
        case tooLarge(bytes: Int)
        /// A document type, an entity or a processing instruction; the value is the start of this markup.
        case forbiddenMarkup(String)
        case unsupportedEncoding(String)
        /// The XML declaration names another encoding than the bytes have.
        case encodingMismatch(declared: String, found: String)
        case notUTF8
        case notWellFormed
        case endsTooEarly
        case wrongRootElement(found: String, expected: String)
        case tooDeep(limit: Int)
        case tooManyElements(limit: Int)
        case tooManyAttributes(limit: Int)
        case tooMuchText(bytes: Int)
        case noMemory
    }
}

extension XMLFault.Reason {
    /// The fault in words and its remedy. Callers put the file's name and the line before it.
    public var sentence: String {
        switch self {
        case .tooLarge(let bytes): "the XML is larger than \(bytes >> 20) MB; divide the file."
        case .forbiddenMarkup(let opening):
            "“\(Self.excerpt(opening))” is not allowed; remove document types, entities and processing instructions."
        case .unsupportedEncoding(let name):
            "the encoding “\(Self.excerpt(name))” is not supported; save the file as UTF-8."
        case .encodingMismatch(let declared, let found):
            "the file declares the encoding “\(Self.excerpt(declared))”, but its bytes are \(found); save it as UTF-8."
        case .notUTF8: "there are bytes that are not UTF-8; save the file as UTF-8."
        case .notWellFormed: "the XML is not well formed; correct it here, or save the file again."
        case .endsTooEarly: "the file ends before its last element is closed; fetch or save it again."
        case .wrongRootElement(let found, let expected):
            "the outermost element is <\(Self.excerpt(found))> and not <\(expected)>; give a file of the right kind."
        case .tooDeep(let limit):
            "elements are nested more than \(limit) deep; give a file as the program that made it wrote it."
        case .tooManyElements(let limit): "there are more than \(limit) elements; divide the file."
        case .tooManyAttributes(let limit):
            "an element has more than \(limit) attributes; give a file as the program that made it wrote it."
        case .tooMuchText(let bytes):
            "the text of this element is longer than \(bytes >> 10) kB; shorten it."
        case .noMemory: "the server has no memory left to read it; close other programs and try again."
        }
    }

    /// A value from a file, shortened and on one line.
    private static func excerpt(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : $0 }))
    }
}
