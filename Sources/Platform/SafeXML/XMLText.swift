import Basics

/// The text of an XML file, before a parser sees it.
enum XMLText {
    /// The file in UTF-8. Files in UTF-16 are converted, and files in ISO-8859-1 that say so.
    static func utf8(of bytes: [UInt8], within bounds: XMLBounds) throws(XMLFault) -> [UInt8] {
        func fault(_ reason: XMLFault.Reason, line: Int = 1) -> XMLFault {
            XMLFault(line: line, reason: reason)
        }
        guard bytes.count <= bounds.bytes else { throw fault(.tooLarge(bytes: bounds.bytes)) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0x3C, 0, 0, 0]) {
            throw fault(.unsupportedEncoding("UTF-32"))
        }
        let isUTF16 = [[0xFF, 0xFE], [0xFE, 0xFF], [0x3C, 0], [0, 0x3C]].contains { bytes.starts(with: $0) }
        guard let decoded = DecodedText(bytes), !isUTF16 || bytes.count.isMultiple(of: 2) else {
            throw fault(.encodingMismatch(declared: "UTF-16", found: "broken text"))
        }
        let declared = declaredEncoding(in: decoded.text)
        switch declared?.lowercased() {
        case nil, "utf-8", "utf8", "us-ascii", "ascii":
            if isUTF16, let declared, !bounds.isLenient {
                throw fault(.encodingMismatch(declared: declared, found: "UTF-16"))
            }
            if decoded.isGuess { throw fault(.notUTF8, line: firstLineNotInUTF8(bytes)) }
        case "iso-8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252":
            if bounds.isLenient { break }
            if declared?.lowercased() == "windows-1252" { throw fault(.unsupportedEncoding("windows-1252")) }
            if isUTF16 || !decoded.isGuess, bytes.contains(where: { $0 >= 0x80 || $0 == 0 }) {
                throw fault(.encodingMismatch(declared: declared ?? "", found: isUTF16 ? "UTF-16" : "UTF-8"))
            }
            // In ISO-8859-1 these bytes are not letters. In windows-1252, which Windows programs often declare as
            // ISO-8859-1, they are quotation marks and dashes.
            if let index = bytes.firstIndex(where: { (0x80..<0xA0).contains($0) }) {
                throw fault(
                    .encodingMismatch(declared: declared ?? "", found: "windows-1252"),
                    line: 1 + bytes[..<index].count { $0 == 0x0A })
            }
        case let name? where name.hasPrefix("utf-16"):
            guard isUTF16 || (bounds.isLenient && !decoded.isGuess) else {
                throw fault(.encodingMismatch(declared: name.uppercased(), found: "text of single bytes"))
            }
        case let name?:
            guard bounds.isLenient, !decoded.isGuess else {
                throw fault(.unsupportedEncoding(declared ?? name))
            }
        }
        let text = Array(decoded.text.utf8)
        guard text.count <= bounds.bytes else { throw fault(.tooLarge(bytes: bounds.bytes)) }
        // To the parser a zero byte is the end of the file.
        if let zero = text.firstIndex(of: 0) {
            throw fault(.notWellFormed, line: 1 + text[..<zero].count { $0 == 0x0A })
        }
        return text
    }

    /// The encoding that the XML declaration names, as it is written; nil if it names none.
    private static func declaredEncoding(in text: String) -> String? {
        guard text.utf8.starts(with: "<?xml".utf8), let end = text.utf8.firstIndex(of: UInt8(ascii: ">")),
            let key = text[..<end].firstRange(of: "encoding")
        else { return nil }
        let value = text[key.upperBound..<end].drop { $0.isWhitespace || $0 == "=" }
        guard let mark = value.first, mark == "\"" || mark == "'" else { return String(value.dropLast()) }
        return String(value.dropFirst().prefix { $0 != mark })
    }

    /// The text may be split into lines, because no character of several bytes contains a line feed.
    private static func firstLineNotInUTF8(_ bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
    }

    /// - Throws: at the first element with too many attributes.
    static func refuseManyAttributes(_ text: [UInt8], limit: Int) throws(XMLFault) {
        var (at, attributes, isInTag) = (0, 0, false)
        while at < text.count {
            let byte = text[at]
            at += 1
            if byte == UInt8(ascii: "<") {
                (isInTag, attributes) = (true, 0)
                for (opening, closing) in [("!--", "-->"), ("![CDATA[", "]]>")]
                where text[at...].starts(with: opening.utf8) {
                    (at, isInTag) = (end(of: closing, in: text, from: at + opening.utf8.count), false)
                }
            } else if isInTag, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                at = (text[at...].firstIndex(of: byte) ?? text.count - 1) + 1
            } else if byte == UInt8(ascii: ">") {
                isInTag = false
            } else if isInTag, byte == UInt8(ascii: "=") {
                attributes += 1
                guard attributes <= limit else {
                    let line = 1 + text[..<at].count { $0 == 0x0A }
                    throw XMLFault(line: line, reason: .tooManyAttributes(limit: limit))
                }
            }
        }
    }

    /// The place behind the next mark; the end if there is none.
    private static func end(of mark: String, in text: [UInt8], from start: Int) -> Int {
        var rest = text[min(start, text.count)...]
        while let first = rest.firstIndex(of: mark.utf8.first ?? 0) {
            rest = text[first...]
            if rest.starts(with: mark.utf8) { return first + mark.utf8.count }
            rest = rest.dropFirst()
        }
        return text.count
    }
}
