/// The lines of a text that have content: blank lines and `#` comments are skipped, but counted.
///
/// Lines end with LF, CRLF or CR; a byte order mark is skipped.
struct TextLines: Sequence, IteratorProtocol {
    let path: String
    private let bytes: [UInt8]
    private var position: Int
    private var lineNumber = 0

    init(_ bytes: [UInt8], path: String) {
        self.path = path
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() -> TextLine? {
        while position < bytes.count {
            let start = position
            while position < bytes.count, !Ascii.isLineEnd(bytes[position]) {
                position += 1
            }
            let line = TextLine(path: path, lineNumber: lineNumber + 1, bytes: bytes[start..<position])
            lineNumber += 1
            if position + 1 < bytes.count, bytes[position] == Ascii.carriageReturn,
                bytes[position + 1] == Ascii.lineFeed
            {
                position += 1
            }
            position += 1
            if line.hasContent { return line }
        }
        return nil
    }
}

/// One line of a table, with its number.
struct TextLine {
    let path: String
    /// The line's number in the file, from 1.
    let lineNumber: Int
    let bytes: ArraySlice<UInt8>

    var hasContent: Bool {
        guard let first = bytes.first(where: { !Ascii.isBlank($0) }) else { return false }
        return first != Ascii.hash
    }

    /// The tab, semicolon or comma that separates this line's fields, in this order of precedence.
    var detectedSeparator: UInt8 {
        [Ascii.tab, Ascii.semicolon].first { bytes.contains($0) } ?? Ascii.comma
    }

    func makeRowError(_ fault: MeasureTimesError.RowFault) -> MeasureTimesError {
        .invalidRow(path: path, line: lineNumber, fault: fault)
    }

    /// The fields without surrounding blanks; a field in double quotes may contain the separator.
    func splitFields(separator: UInt8) throws(MeasureTimesError) -> [TableField] {
        guard bytes.count <= MeasureTimesLimits.lineBytes else { throw makeRowError(.lineTooLong) }
        var fields: [TableField] = []
        var field: [UInt8] = []
        var isQuoted = false
        for byte in bytes {
            if byte == Ascii.quote, isQuoted || field.allSatisfy(Ascii.isBlank) {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                fields.append(TableField(field))
                field.removeAll(keepingCapacity: true)
            } else {
                field.append(byte)
            }
        }
        fields.append(TableField(field))
        return fields
    }
}

/// The ASCII bytes that have a meaning in tables.
enum Ascii {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let blank: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let comma: UInt8 = 0x2C
    static let semicolon: UInt8 = 0x3B
    static let backslash: UInt8 = 0x5C

    static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == tab }
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
