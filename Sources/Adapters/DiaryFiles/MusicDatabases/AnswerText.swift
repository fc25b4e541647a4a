import Diary
import Foundation

/// Text from a source: one line, without control characters, cut to a length.
enum AnswerText {
    static let longestBytes = 300

    static func line(_ text: String?) -> String {
        guard let text else { return "" }
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            let isText =
                category != .control && category != .format && category != .lineSeparator
                && category != .paragraphSeparator
            bytes += UTF8.width(scalar)
            guard bytes <= longestBytes else { break }
            kept.append(isText ? scalar : " ")
        }
        return String(kept).split(separator: " ").joined(separator: " ")
    }

    /// A MusicBrainz id in lower case; nil for anything else.
    static func mbid(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count == 36 ? UUID(uuidString: $0) : nil }?.uuidString.lowercased()
    }

    /// ISO 3166-1 alpha-2 in capitals; empty for anything else.
    static func country(_ text: String?) -> String {
        guard let text, text.utf8.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            return ""
        }
        return text.uppercased()
    }

    /// An id of a source, for addresses and entries: letters and digits; nil for anything else.
    static func id(_ text: String?) -> String? {
        guard let text, (1...40).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
        else { return nil }
        return text
    }

    /// A parameter of an address, percent-encoded.
    static func parameter(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func decode<Answer: Decodable>(
        _ type: Answer.Type, _ bytes: [UInt8], of source: String
    ) throws(OutsideSourceFault) -> Answer {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            throw .unreadable(source: source, reason: "it is not the JSON that was expected")
        }
    }
}

/// A list of an answer of which wrong elements are left out.
struct Lenient<Element: Decodable>: Decodable {
    var elements: [Element]

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        elements = []
        while !list.isAtEnd, elements.count < 500 {
            elements += (try? list.decode(Attempt.self))?.element.map { [$0] } ?? []
        }
    }

    private struct Attempt: Decodable {
        var element: Element?

        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }
}
