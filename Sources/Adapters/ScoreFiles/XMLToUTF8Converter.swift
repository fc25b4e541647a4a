/// Converts XML from the encodings of older programs to UTF-8, before anything else reads it.
///
/// Memory: apart from the file itself, at most twice ``MeasureTimesLimits/xmlBytes``, for the UTF-16 units and the
/// UTF-8 text.
enum XMLToUTF8Converter {
    /// True if the bytes are XML in UTF-16.
    static func isUTF16(_ bytes: [UInt8]) -> Bool { byteOrder(of: bytes) != nil }

    /// The file in UTF-8; a declaration of another encoding is overwritten with blanks. A file in UTF-8 is returned
    /// unchanged.
    /// - Throws: ``MeasureTimesError`` for unsupported encodings, and for bytes that do not fit the declared one.
    static func convertToUTF8(_ bytes: [UInt8], path: String) throws(MeasureTimesError) -> [UInt8] {
        guard bytes.count <= MeasureTimesLimits.xmlBytes else {
            throw .tooLarge(path: path, limitBytes: MeasureTimesLimits.xmlBytes)
        }
        if let order = byteOrder(of: bytes) { return try convertFromUTF16(bytes, order, path: path) }
        guard let declaration = xmlDeclarationRange(of: bytes) else { return bytes }
        let declared = declaredEncoding(in: String(decoding: bytes[declaration], as: UTF8.self))
        switch declared.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": return bytes
        case "iso-8859-1", "iso_8859-1", "latin1", "latin-1":
            return try convertFromLatin1(bytes, declaration, declared, path: path)
        case let name where name.hasPrefix("utf-16"):
            throw .invalidXML(
                path: path, line: 1,
                fault: .encodingMismatch(declared: declared, found: "text of single bytes"))
        default: throw .invalidXML(path: path, line: 1, fault: .unsupportedEncoding(declared))
        }
    }

    // MARK: Two bytes to a character

    private enum ByteOrder { case little, big }

    private static func byteOrder(of bytes: [UInt8]) -> ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0]) { return .little }
        return bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C]) ? .big : nil
    }

    private static func convertFromUTF16(
        _ bytes: [UInt8], _ order: ByteOrder, path: String
    ) throws(MeasureTimesError) -> [UInt8] {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0x3C, 0, 0, 0]) {
            throw .invalidXML(path: path, line: 1, fault: .unsupportedEncoding("UTF-32"))
        }
        let start = bytes[0] == 0x3C || bytes[1] == 0x3C ? 0 : 2
        let units = stride(from: start, to: bytes.count - 1, by: 2).map { index in
            order == .little
                ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
                : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            let lines = units.prefix { !UTF16.isLeadSurrogate($0) && !UTF16.isTrailSurrogate($0) }
            let line = 1 + lines.count { $0 == UInt16(Ascii.lineFeed) }
            throw .invalidXML(
                path: path, line: line, fault: .encodingMismatch(declared: "UTF-16", found: "broken text"))
        }
        var body = Array(text.utf8)
        guard body.count <= MeasureTimesLimits.xmlBytes else {
            throw .tooLarge(path: path, limitBytes: MeasureTimesLimits.xmlBytes)
        }
        guard let declaration = xmlDeclarationRange(of: body) else { return body }
        let text8 = String(decoding: body[declaration], as: UTF8.self)
        let declared = declaredEncoding(in: text8)
        // A byte order mark alone is enough; a declaration must not contradict it.
        guard declared.lowercased().hasPrefix("utf-16") || text8.firstRange(of: "encoding") == nil else {
            throw .invalidXML(
                path: path, line: 1, fault: .encodingMismatch(declared: declared, found: "UTF-16"))
        }
        overwriteWithSpaces(declaration, in: &body)
        return body
    }

    // MARK: One byte to a character

    private static func convertFromLatin1(
        _ bytes: [UInt8], _ declaration: Range<Int>, _ declared: String, path: String
    ) throws(MeasureTimesError) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            return overwrittenWithSpaces(declaration, of: bytes)
        }
        func wrong(_ found: String, at index: Int) -> MeasureTimesError {
            let line = 1 + bytes[..<index].count { $0 == Ascii.lineFeed }
            return .invalidXML(
                path: path, line: line, fault: .encodingMismatch(declared: declared, found: found))
        }
        if String(validating: bytes, as: UTF8.self) != nil { throw wrong("UTF-8", at: 0) }
        // In ISO-8859-1 these bytes are not letters. In windows-1252, which Windows programs often declare as
        // ISO-8859-1, they are quotation marks and dashes.
        if let index = bytes.firstIndex(where: { (0x80..<0xA0).contains($0) }) {
            throw wrong("windows-1252", at: index)
        }
        var body: [UInt8] = []
        body.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                body.append(byte)
            } else {
                body.append(0xC0 | byte >> 6)
                body.append(0x80 | byte & 0x3F)
            }
        }
        guard body.count <= MeasureTimesLimits.xmlBytes else {
            throw .tooLarge(path: path, limitBytes: MeasureTimesLimits.xmlBytes)
        }
        return overwrittenWithSpaces(declaration, of: body)
    }

    // MARK: The declaration

    /// The range of the XML declaration, from `<?xml` to `?>`; nil if the file does not begin with one.
    static func xmlDeclarationRange(of bytes: [UInt8]) -> Range<Int>? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // `<?xml-stylesheet` is not a declaration; it is refused like all processing instructions.
        guard bytes[start...].starts(with: "<?xml".utf8), bytes.count > start + 5,
            Ascii.isBlank(bytes[start + 5]) || Ascii.isLineEnd(bytes[start + 5]),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")), bytes[end - 1] == UInt8(ascii: "?")
        else { return nil }
        return start..<end + 1
    }

    /// The encoding that a declaration names; UTF-8 if it names none; the raw text if it is not understood.
    private static func declaredEncoding(in declaration: String) -> String {
        guard let key = declaration.firstRange(of: "encoding") else { return "UTF-8" }
        let value = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let mark = value.first, mark == "\"" || mark == "'" else { return String(value.dropLast(2)) }
        return String(value.dropFirst().prefix { $0 != mark })
    }

    static func overwriteWithSpaces(_ declaration: Range<Int>, in body: inout [UInt8]) {
        for index in declaration where !Ascii.isLineEnd(body[index]) { body[index] = Ascii.blank }
    }

    private static func overwrittenWithSpaces(_ declaration: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        var body = bytes
        overwriteWithSpaces(declaration, in: &body)
        return body
    }
}
