/// What is refused before an XML parser sees a byte of it.
enum XMLPrecautions {
    /// What the parser may be given: the file with blanks in place of its XML declaration.
    ///
    /// Two things that libxml2 takes in its stride end the process within Foundation's parser, and are refused:
    /// bytes that are not UTF-8 in the name of an element, and processing instructions without content. Not even
    /// the declaration is passed on, as a wrong one is taken for such an instruction.
    /// - Throws: ``MeasureTimesError`` for these, for files too large for the parser, for document types and
    ///   entities, and for encodings in which they could hide.
    static func harmless(_ bytes: [UInt8], path: String) throws(MeasureTimesError) -> [UInt8] {
        guard bytes.count <= MeasureTimesLimits.xmlBytes else {
            throw .tooLarge(path: path, limitBytes: MeasureTimesLimits.xmlBytes)
        }
        if let line = lineNotInUTF8(bytes) { throw .xml(path: path, line: line, fault: .notUTF8) }
        var body = bytes
        if let declaration = declaration(of: bytes) {
            let encoding = encoding(in: String(decoding: bytes[declaration], as: UTF8.self))
            guard ["utf-8", "us-ascii", "ascii"].contains(encoding.lowercased()) else {
                throw .xml(path: path, line: 1, fault: .encoding(encoding))
            }
            for index in declaration where !Ascii.isLineEnd(bytes[index]) { body[index] = Ascii.blank }
        }
        if let (markup, line) = refusedMarkup(in: body) {
            throw .xml(path: path, line: line, fault: .markup(markup))
        }
        return body
    }

    /// Where the XML declaration stands, from `<?xml` to `?>`, if the file begins with one.
    private static func declaration(of bytes: [UInt8]) -> Range<Int>? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard bytes[start...].starts(with: "<?xml".utf8),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")), bytes[end - 1] == UInt8(ascii: "?")
        else { return nil }
        return start..<end + 1
    }

    /// The encoding a declaration names, UTF-8 where it names none; what stands in its place where it is not
    /// understood.
    private static func encoding(in declaration: String) -> String {
        guard let key = declaration.firstRange(of: "encoding") else { return "UTF-8" }
        let value = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let mark = value.first, mark == "\"" || mark == "'" else { return String(value.dropLast(2)) }
        return String(value.dropFirst().prefix { $0 != mark })
    }

    /// The first line that is not UTF-8, or nil. No character of several bytes holds a line feed.
    private static func lineNotInUTF8(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let lines = bytes.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false)
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 } ?? 1
    }

    /// The first markup that is refused and the line it stands in, or nil.
    private static func refusedMarkup(in bytes: [UInt8]) -> (markup: String, line: Int)? {
        var rest = bytes[...]
        while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = bytes[place...]
            let refused = ["<!DOCTYPE", "<!ENTITY", "<?"]
            if rest.count > 1, rest[place + 1] == 0x21 || rest[place + 1] == 0x3F,
                let markup = refused.first(where: { rest.starts(with: $0.utf8) })
            {
                return (markup, 1 + bytes[..<place].count { $0 == Ascii.lineFeed })
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
