/// What is refused before an XML parser sees a byte of it.
enum XMLPrecautions {
    /// What the parser may be given: the file in UTF-8, with blanks in place of its XML declaration.
    ///
    /// Two things that libxml2 takes in its stride end the process within Foundation's parser, and are refused:
    /// bytes that are not UTF-8 in the name of an element, and processing instructions without content. Not even
    /// the declaration is passed on, as a wrong one is taken for such an instruction.
    /// - Throws: ``MeasureTimesError`` for these, for files too large for the parser, for document types and
    ///   entities, and for encodings that are not read (``XMLEncoding``).
    static func harmless(_ bytes: [UInt8], path: String) throws(MeasureTimesError) -> [UInt8] {
        var body = try XMLEncoding.utf8(bytes, path: path)
        if let line = lineNotInUTF8(body) { throw .xml(path: path, line: line, fault: .notUTF8) }
        if let declaration = XMLEncoding.declaration(of: body) { XMLEncoding.blank(declaration, in: &body) }
        if let (markup, line) = refusedMarkup(in: body) {
            throw .xml(path: path, line: line, fault: .markup(markup))
        }
        return body
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
