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
            // Spreadsheets write their separator into the first line.
            let isHint = line.lineNumber == 1 && line.bytes.starts(with: "sep=".utf8)
            if line.hasContent, !isHint { return line }
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

    /// The tab, semicolon or comma that separates this line's fields, in this order of precedence; without these a
    /// blank, if the line begins with a number.
    var detectedSeparator: UInt8 {
        if let found = [Ascii.tab, Ascii.semicolon, Ascii.comma].first(where: bytes.contains) {
            return found
        }
        let text = bytes.drop(while: Ascii.isBlank)
        let isSeparated =
            text.contains(Ascii.blank) && TableField(text.prefix { !Ascii.isBlank($0) }).isNumeric
        return isSeparated ? Ascii.blank : Ascii.comma
    }

    /// True if the line has a time such as `1:02.5`.
    var hasClockTime: Bool {
        guard bytes.contains(Ascii.colon) else { return false }
        let fields = bytes.split { [Ascii.tab, Ascii.semicolon, Ascii.comma, Ascii.blank].contains($0) }
        return fields.contains { $0.contains(Ascii.colon) && TableField($0).seconds != nil }
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
        var bytes = bytes
        if separator == Ascii.blank {
            // Several blanks separate as one does.
            bytes = bytes.drop(while: Ascii.isBlank)
            while let last = bytes.last, Ascii.isBlank(last) { bytes.removeLast() }
        }
        for byte in bytes {
            if separator == Ascii.blank, byte == separator, !isQuoted, field.isEmpty { continue }
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
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let backslash: UInt8 = 0x5C

    static func isBlank(_ byte: UInt8) -> Bool { byte == blank || byte == tab }
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
