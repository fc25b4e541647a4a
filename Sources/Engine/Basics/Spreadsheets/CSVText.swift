/// Reads and writes rows of comma-separated values (RFC 4180).
///
/// Fields with a comma, a quote or a line break are quoted, and a quote in them is doubled. Rows end with CR LF; LF
/// alone, a missing last line end, a byte order mark and UTF-16 (“Unicode text” of spreadsheets) are accepted too.
/// Empty lines are skipped. Spreadsheets in countries with a decimal comma write semicolons or tabs between the fields;
/// the first line decides which separator is used.
///
/// Tables of measure times have another grammar (comments, blanks around fields, a quote anywhere): the module
/// ScoreFiles reads them.
package enum CSVText {
    package struct Row: Hashable, Sendable {
        /// The line on which the row begins, counted from 1.
        package var firstLineNumber: Int
        package var fields: [String]
    }

    package enum Fault: Error, Hashable, Sendable {
        /// The file is neither UTF-8 nor UTF-16.
        case notUTF8
        /// A quote that opens on this line is never closed.
        case unclosedQuote(line: Int)
        /// Text follows a closing quote, or a quote is inside an unquoted field.
        case strayQuote(line: Int)
    }

    /// Parses a CSV file into rows.
    /// - Complexity: linear in the number of bytes.
    package static func parseRows(_ bytes: [UInt8]) throws(Fault) -> [Row] {
        guard let decoded = DecodedText(bytes), !decoded.isGuess else { throw .notUTF8 }
        let bytes = Array(decoded.text.utf8)
        let (separator, line) = Self.detectSeparator(in: bytes[...])
        var reader = Reader(bytes: bytes, separator: separator, byteIndex: line ?? 0)
        if line != nil { reader.lineNumber = 2 }
        var rows: [Row] = []
        while reader.byteIndex < bytes.count {
            let row = try reader.readRow()
            if row.fields != [""] { rows.append(row) }
        }
        return rows
    }

    /// Detects the field separator in the first line: a comma if there is one, otherwise a semicolon or a tab.
    /// - Returns: the separator, and the index at which the rows begin if the first line only names the separator,
    ///   such as `sep=;`. Some programs write such a line.
    private static func detectSeparator(in bytes: ArraySlice<UInt8>) -> (UInt8, rows: Int?) {
        let line = bytes.prefix { $0 != 10 && $0 != 13 }
        if line.count == 5, line.starts(with: "sep=".utf8), let named = line.last {
            let end = bytes[line.endIndex...].prefix(2)
            let isPair = end.elementsEqual([13, 10])
            return (
                [semicolon, tab].contains(named) ? named : comma,
                line.endIndex + min(isPair ? 2 : 1, end.count)
            )
        }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            if byte == quote { isQuoted.toggle() } else if !isQuoted { counts[byte, default: 0] += 1 }
        }
        guard counts[comma] == nil else { return (comma, nil) }
        return ([semicolon, tab].first { counts[$0] != nil } ?? comma, nil)
    }

    package static func serialize(_ rows: [[String]]) -> String {
        rows.map { $0.map(escapedField).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func escapedField(_ text: String) -> String {
        // Compares bytes, because CR LF is one character. A field with outer spaces is quoted, because some readers
        // would trim it.
        let needsQuotes =
            text.utf8.contains { [comma, quote, 10, 13].contains($0) }
            || text.utf8.first == 0x20 || text.utf8.last == 0x20
        guard needsQuotes else { return text }
        var quoted: [UInt8] = [quote]
        for byte in text.utf8 { quoted += byte == quote ? [quote, quote] : [byte] }
        return String(decoding: quoted + [quote], as: UTF8.self)
    }

    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")
    private static let tab: UInt8 = 9
    private static let quote = UInt8(ascii: "\"")

    private struct Reader {
        let bytes: [UInt8]
        let separator: UInt8
        var byteIndex: Int
        var lineNumber = 1

        mutating func readRow() throws(Fault) -> Row {
            var row = Row(firstLineNumber: lineNumber, fields: [try readField()])
            while byteIndex < bytes.count, bytes[byteIndex] == separator {
                byteIndex += 1
                row.fields.append(try readField())
            }
            if byteIndex < bytes.count, bytes[byteIndex] == 13 { byteIndex += 1 }
            if byteIndex < bytes.count, bytes[byteIndex] == 10 { byteIndex += 1 }
            lineNumber += 1
            return row
        }

        private var isAtFieldEnd: Bool {
            byteIndex >= bytes.count || bytes[byteIndex] == separator || bytes[byteIndex] == 10
                || bytes[byteIndex] == 13
        }

        private mutating func readField() throws(Fault) -> String {
            guard byteIndex < bytes.count, bytes[byteIndex] == quote else {
                let start = byteIndex
                while !isAtFieldEnd {
                    guard bytes[byteIndex] != quote else { throw .strayQuote(line: lineNumber) }
                    byteIndex += 1
                }
                return String(decoding: bytes[start..<byteIndex], as: UTF8.self)
            }
            return try readQuotedField()
        }

        private mutating func readQuotedField() throws(Fault) -> String {
            let opened = lineNumber
            var text: [UInt8] = []
            byteIndex += 1
            while byteIndex < bytes.count {
                let byte = bytes[byteIndex]
                byteIndex += 1
                if byte == quote {
                    guard byteIndex < bytes.count, bytes[byteIndex] == quote else {
                        guard isAtFieldEnd else { throw .strayQuote(line: lineNumber) }
                        return String(decoding: text, as: UTF8.self)
                    }
                    byteIndex += 1
                }
                if byte == 10 { lineNumber += 1 }
                text.append(byte)
            }
            throw .unclosedQuote(line: opened)
        }
    }
}
