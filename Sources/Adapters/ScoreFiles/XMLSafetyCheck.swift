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
        if let line = firstLineWithTooManyAttributes(body) {
            throw .invalidXML(path: path, line: line, fault: .tooManyAttributes)
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

    /// The line of the first element with more than ``MeasureTimesLimits/xmlAttributes``, or nil.
    private static func firstLineWithTooManyAttributes(_ bytes: [UInt8]) -> Int? {
        var (at, attributes, isInTag): (Int, Int, Bool) = (0, 0, false)
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "<") {
                (isInTag, attributes) = (true, 0)
                for (opening, closing) in [("!--", "-->"), ("![CDATA[", "]]>")]
                where bytes[at...].starts(with: opening.utf8) {
                    (at, isInTag) = (end(of: closing, in: bytes, from: at + opening.utf8.count), false)
                }
            } else if isInTag, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                at = (bytes[at...].firstIndex(of: byte) ?? bytes.count - 1) + 1
            } else if byte == UInt8(ascii: ">") {
                isInTag = false
            } else if isInTag, byte == UInt8(ascii: "=") {
                attributes += 1
                if attributes > MeasureTimesLimits.xmlAttributes {
                    return 1 + bytes[..<at].count { $0 == Ascii.lineFeed }
                }
            }
        }
        return nil
    }

    /// The place behind the next mark; the end if there is none.
    private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
        var rest = bytes[min(start, bytes.count)...]
        while !rest.isEmpty {
            if rest.starts(with: mark.utf8) { return rest.startIndex + mark.utf8.count }
            rest = rest.dropFirst()
        }
        return bytes.count
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
