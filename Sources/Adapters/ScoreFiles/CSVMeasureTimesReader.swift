/// Reads tables of measure and time.
///
/// A header names the columns in any order (`measure`, `bar` or `printed`; `time`, `seconds` or `onset`; `played`).
/// Without a header the columns are measure and time. A row whose measure is `end` gives the end of the last measure.
/// With a column `beat`, a measure begins at its first beat, and where the number of the measure changes.
enum CSVMeasureTimesReader {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func measureTimes(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var list = MeasureMarkList()
        var columns: ColumnPositions?
        var separator = Ascii.comma
        var lastPlayed: Int?
        for line in lines {
            guard var known = columns else {
                separator = line.detectedSeparator
                let fields = try line.splitFields(separator: separator)
                var found = try ColumnPositions(openingLine: line, fields: fields)
                if !found.hasHeader { try addRow(line, fields, &found, to: &list, &lastPlayed) }
                columns = found
                continue
            }
            try addRow(line, line.splitFields(separator: separator), &known, to: &list, &lastPlayed)
            columns = known
        }
        let notes =
            columns?.beatColumn == nil
            ? [] : ["The rows are beats: measures are those with beat 1, numbered as they are."]
        return try list.measureTimes(.csv, path: lines.path, notes: notes)
    }

    private static func addRow(
        _ line: TextLine, _ fields: [TableField], _ columns: inout ColumnPositions,
        to list: inout MeasureMarkList,
        _ lastPlayed: inout Int?
    ) throws(MeasureTimesError) {
        try columns.checkFieldCount(of: fields, in: line)
        let seconds = try line.parseSeconds(fields[columns.timeColumn])
        guard fields[columns.printedNumberColumn].text.lowercased() != "end" else {
            try list.setEnd(atSeconds: seconds, from: line)
            return
        }
        if let column = columns.playedNumberColumn {
            let played = try line.parseMeasureNumber(fields[column])
            if let last = lastPlayed, played != last + 1 {
                throw line.makeRowError(.playedNumberNotConsecutive(found: played, expected: last + 1))
            }
            lastPlayed = played
        }
        let printed = try line.parseMeasureNumber(fields[columns.printedNumberColumn])
        if let column = columns.beatColumn {
            guard let beat = fields[column].beatNumber else {
                throw line.makeRowError(.notABeat(fields[column].text))
            }
            defer { columns.lastBar = printed }
            guard beat == 1 || printed != columns.lastBar else { return }
        }
        try list.append(printed: printed, seconds: seconds, from: line)
    }

    /// The positions of the columns in a row.
    private struct ColumnPositions {
        var printedNumberColumn = 0
        var timeColumn = 1
        var playedNumberColumn: Int?
        var beatColumn: Int?
        /// The measure of the row before, in a table of beats.
        var lastBar: Int?
        var columnCount: Int
        var hasHeader = false

        /// Reads the positions from the first line.
        /// - Throws: ``MeasureTimesError`` if the line neither names the columns nor has exactly two.
        init(openingLine line: TextLine, fields: [TableField]) throws(MeasureTimesError) {
            columnCount = fields.count
            if fields.contains(where: \.isNumeric) {
                if columnCount == 3 { throw line.makeRowError(.threeColumnsNeedAHeader) }
                guard columnCount == 2 else {
                    throw line.makeRowError(.wrongColumnCount(found: columnCount, expected: 2))
                }
                return
            }
            let names = fields.map { $0.text.lowercased() }
            guard
                let printed = names.firstIndex(where: AcceptedMeasureColumnNames.printedNumberNames.contains),
                let time = names.firstIndex(where: AcceptedMeasureColumnNames.timeNames.contains)
            else { throw line.makeRowError(.invalidHeader(String(decoding: line.bytes, as: UTF8.self))) }
            self.printedNumberColumn = printed
            self.timeColumn = time
            playedNumberColumn = names.firstIndex(
                where: AcceptedMeasureColumnNames.playedNumberNames.contains)
            beatColumn = names.firstIndex(where: AcceptedMeasureColumnNames.beatNames.contains)
            hasHeader = true
        }

        /// Throws if a row has more or fewer fields than the first line. In a table separated by commas, one field too
        /// many usually means a decimal comma.
        func checkFieldCount(of fields: [TableField], in line: TextLine) throws(MeasureTimesError) {
            guard fields.count != columnCount else { return }
            if fields.count == columnCount + 1, timeColumn == columnCount - 1,
                line.bytes.contains(Ascii.comma),
                fields.suffix(2).allSatisfy(\.isDigits)
            {
                throw line.makeRowError(.decimalComma(fields.suffix(2).map(\.text).joined(separator: ",")))
            }
            throw line.makeRowError(.wrongColumnCount(found: fields.count, expected: columnCount))
        }
    }
}

/// The accepted names of columns, in lower case.
enum AcceptedMeasureColumnNames {
    static let printedNumberNames: Set<String> = [
        "measure", "printed", "bar", "measure number", "bar number",
    ]
    static let timeNames: Set<String> = ["time", "seconds", "onset", "start", "time (s)"]
    static let beatNames: Set<String> = ["beat", "beat number", "beat_number", "beat in bar", "position"]
    static let playedNumberNames: Set<String> = ["played"]
}
