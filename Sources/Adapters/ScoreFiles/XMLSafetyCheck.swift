/// Refuses dangerous content before an XML parser sees it.
enum XMLSafetyCheck {
    /// The bytes for the parser: the file in UTF-8, with blanks instead of its XML declaration.
    ///
    /// Foundation's parser crashes at two things that libxml2 tolerates: bytes that are not UTF-8 in the name of an
    /// element, and processing instructions without content. Both are refused. Even the XML declaration is removed,
    /// because a faulty one counts as a processing instruction without content.
    /// - Throws: ``MeasureTimesError`` for both, for files that are too large for the parser, for document types and
    ///   entities, and for unsupported encodings (``XMLToUTF8Converter``).
    static func harmlessUTF8(_ bytes: [UInt8], path: String) throws(MeasureTimesError) -> [UInt8] {
        var body = try XMLToUTF8Converter.convertToUTF8(bytes, path: path)
        if let line = firstLineNotInUTF8(body) { throw .invalidXML(path: path, line: line, fault: .notUTF8) }
        if let declaration = XMLToUTF8Converter.xmlDeclarationRange(of: body) {
            XMLToUTF8Converter.overwriteWithSpaces(declaration, in: &body)
        }
        if let (markup, line) = firstRefusedMarkup(in: body) {
            throw .invalidXML(path: path, line: line, fault: .forbiddenMarkup(markup))
        }
        return body
    }

    /// The first line that is not UTF-8, or nil. The text may be split into lines before this check, because no
    /// character of several bytes contains a line feed.
    private static func firstLineNotInUTF8(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let lines = bytes.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false)
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 } ?? 1
    }

    /// The first forbidden markup and its line, or nil.
    private static func firstRefusedMarkup(in bytes: [UInt8]) -> (markup: String, line: Int)? {
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
