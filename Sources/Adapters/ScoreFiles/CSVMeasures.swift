/// Reads tables of measure and time.
///
/// A header names the columns in any order (`measure`, `bar` or `printed`; `time`, `seconds` or `onset`; `played`).
/// Without a header the columns are measure and time. A row whose measure is `end` gives the end of the last measure.
enum CSVMeasures {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func times(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var list = MeasureMarkList()
        var columns: ColumnPositions?
        var separator = Ascii.comma
        var lastPlayed: Int?
        for line in lines {
            guard let columns else {
                separator = line.separator
                let fields = try line.fields(separator: separator)
                let found = try ColumnPositions(openingLine: line, fields: fields)
                columns = found
                if !found.isHeader { try add(line, fields, found, to: &list, &lastPlayed) }
                continue
            }
            try add(line, line.fields(separator: separator), columns, to: &list, &lastPlayed)
        }
        return try list.times(.csv, path: lines.path)
    }

    private static func add(
        _ line: TextLine, _ fields: [TableField], _ columns: ColumnPositions, to list: inout MeasureMarkList,
        _ lastPlayed: inout Int?
    ) throws(MeasureTimesError) {
        try columns.checkFieldCount(of: fields, in: line)
        let seconds = try line.seconds(fields[columns.time])
        guard fields[columns.printed].text.lowercased() != "end" else {
            try list.setEnd(atSeconds: seconds, from: line)
            return
        }
        if let column = columns.played {
            let played = try line.measureNumber(fields[column])
            if let last = lastPlayed, played != last + 1 {
                throw line.fault(.playedOutOfStep(found: played, expected: last + 1))
            }
            lastPlayed = played
        }
        let printed = try line.measureNumber(fields[columns.printed])
        try list.append(printed: printed, seconds: seconds, from: line)
    }

    /// The positions of the columns in a row.
    private struct ColumnPositions {
        var printed = 0
        var time = 1
        var played: Int?
        var count: Int
        var isHeader = false

        /// Reads the positions from the first line.
        /// - Throws: ``MeasureTimesError`` if the line neither names the columns nor has exactly two.
        init(openingLine line: TextLine, fields: [TableField]) throws(MeasureTimesError) {
            count = fields.count
            if fields.contains(where: \.isNumeric) {
                if count == 3 { throw line.fault(.threeColumnsNeedAHeader) }
                guard count == 2 else { throw line.fault(.wrongColumnCount(found: count, expected: 2)) }
                return
            }
            let names = fields.map { $0.text.lowercased() }
            guard let printed = names.firstIndex(where: MeasureColumnNames.printed.contains),
                let time = names.firstIndex(where: MeasureColumnNames.time.contains)
            else { throw line.fault(.header(String(decoding: line.bytes, as: UTF8.self))) }
            self.printed = printed
            self.time = time
            played = names.firstIndex(where: MeasureColumnNames.played.contains)
            isHeader = true
        }

        /// Throws if a row has more or fewer fields than the first line. In a table separated by commas, one field too
        /// many usually means a decimal comma.
        func checkFieldCount(of fields: [TableField], in line: TextLine) throws(MeasureTimesError) {
            guard fields.count != count else { return }
            if fields.count == count + 1, time == count - 1, line.bytes.contains(Ascii.comma),
                fields.suffix(2).allSatisfy(\.isDigits)
            {
                throw line.fault(.decimalComma(fields.suffix(2).map(\.text).joined(separator: ",")))
            }
            throw line.fault(.wrongColumnCount(found: fields.count, expected: count))
        }
    }
}

/// The accepted names of columns, in lower case.
enum MeasureColumnNames {
    static let printed: Set<String> = ["measure", "printed", "bar", "measure number", "bar number"]
    static let time: Set<String> = ["time", "seconds", "onset", "start", "time (s)"]
    static let played: Set<String> = ["played"]
}
