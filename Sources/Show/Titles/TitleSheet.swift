import Basics

/// Lists of titles as comma-separated values (RFC 4180), for spreadsheets.
///
/// The first row names the columns in any order: `number,bar,text,fade_in,fade_out,double_cut,lead,position,note`. A
/// text in a language has a column such as `text_de`. Only one column of texts is required. The rows are the titles in
/// their order; a number that is not the row's own, such as `12a`, is the title's ``Title/label``. Texts that a spreadsheet would run as formulas are escaped
/// (``SpreadsheetFormulaEscaping``). Semicolons or tabs between the fields are accepted too.
public enum TitleSheet {
    /// The most bytes of a file. A list of ``TitleList/maximumBytes`` fits, also if every sign is a quote that is
    /// doubled.
    public static let maximumBytes = 2_200_000
    private static let columnNames = [
        "number", "bar", "text", "fade_in", "fade_out", "double_cut", "lead", "position", "note",
    ]

    /// Writes a list of titles as a CSV sheet.
    public static func csv(of list: TitleList) -> String {
        let languages = list.languages.isEmpty ? [""] : list.languages
        var rows = [
            ["number", "bar"] + languages.map { $0.isEmpty ? "text" : "text_\($0)" }
                + ["fade_in", "fade_out", "double_cut", "lead", "position", "note"]
        ]
        for (index, title) in list.titles.enumerated() {
            rows.append(
                [
                    title.label.isEmpty
                        ? "\(index + 1)" : SpreadsheetFormulaEscaping.formulaEscaped(title.label),
                    SpreadsheetFormulaEscaping.formulaEscaped(title.place ?? ""),
                ]
                    + languages.map { language in
                        let text = title.texts.first { $0.language == language }?.text ?? ""
                        return SpreadsheetFormulaEscaping.formulaEscaped(text)
                    }
                    + [
                        written(title.fadeIn), written(title.fadeOut), title.doubleCut.map(exactly) ?? "",
                        written(title.lead), title.position?.rawValue ?? "",
                        SpreadsheetFormulaEscaping.formulaEscaped(title.note),
                    ])
        }
        return CSVText.serialize(rows)
    }

    /// Reads a CSV sheet. The places are not looked up in a piece.
    /// - Throws: ``ExplainedError`` naming the line of the first mistake.
    /// - Complexity: linear in the bytes.
    public static func titles(of bytes: [UInt8]) throws(ExplainedError) -> [Title] {
        guard bytes.count <= maximumBytes else {
            throw ExplainedError(
                "The file has \(bytes.count) bytes; a list of titles has \(TitleSheet.maximumBytes) at most.")
        }
        let rows: [CSVText.Row]
        do throws(CSVText.Fault) { rows = try CSVText.parseRows(bytes) } catch {
            switch error {
            case .notUTF8:
                throw ExplainedError(
                    "The file is neither UTF-8 nor UTF-16 text; save it with one of these encodings.")
            case .unclosedQuote(let line):
                throw ExplainedError(
                    "A quote that opens on line \(line) is never closed; close or double it.")
            case .strayQuote(let line):
                throw ExplainedError(
                    "A quote on line \(line) is neither doubled nor around a whole field; double it.")
            }
        }
        guard let header = rows.first else {
            throw ExplainedError(
                "The file has no titles; a CSV sheet begins with a row of column names, such as “bar,text”.")
        }
        let columns = try Columns(header.fields)
        var titles: [Title] = []
        for row in rows.dropFirst() {
            guard row.fields.count == header.fields.count else {
                throw ExplainedError(
                    "Line \(row.firstLineNumber) has \(row.fields.count) fields, but the first row "
                        + "has \(header.fields.count); quote texts that contain the separator.")
            }
            titles.append(try columns.title(row, number: titles.count + 1))
        }
        return titles
    }

    private static func written(_ seconds: Double) -> String { seconds == 0 ? "" : exactly(seconds) }

    private static func exactly(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }

    /// The columns of a sheet, in the order of its header row.
    private struct Columns {
        private let names: [String]
        private let languages: [(language: String, column: Int)]

        /// More than a sheet with a text in each of the eight languages has.
        private static let mostColumns = 40

        init(_ header: [String]) throws(ExplainedError) {
            guard header.count <= Self.mostColumns else {
                throw ExplainedError(
                    "There is no column “\((header[Self.mostColumns]).prefix(40))”; the columns are "
                        + "number, bar, text or text_LANGUAGE, fade_in, fade_out, double_cut, lead, position "
                        + "and note.")
            }
            names = header.map { $0.lowercased() }
            var languages: [(String, Int)] = []
            for (index, name) in names.enumerated() {
                guard names.firstIndex(of: name) == index else {
                    throw ExplainedError("The column “\(name.prefix(40))” occurs twice; remove one.")
                }
                if name == "text" || name.hasPrefix("text_") {
                    languages.append((TitleText.usualTag(String(header[index].dropFirst(5))), index))
                } else if !TitleSheet.columnNames.contains(name) {
                    throw ExplainedError(
                        "There is no column “\((header[index]).prefix(40))”; the columns are number, "
                            + "bar, text or text_LANGUAGE, fade_in, fade_out, double_cut, lead, position "
                            + "and note.")
                }
            }
            guard !languages.isEmpty else {
                throw ExplainedError("The column “text” is missing; add it to the first row.")
            }
            self.languages = languages
        }

        private func value(_ column: String, _ row: CSVText.Row) -> String {
            names.firstIndex(of: column).map { SpreadsheetFormulaEscaping.formulaUnescaped(row.fields[$0]) }
                ?? ""
        }

        func title(_ row: CSVText.Row, number: Int) throws(ExplainedError) -> Title {
            let label = value("number", row).filter { !$0.isWhitespace }
            let place = value("bar", row)
            let edge = value("position", row).lowercased()
            guard edge.isEmpty || TitlePosition(rawValue: edge) != nil else {
                throw ExplainedError(
                    "Line \(row.firstLineNumber): “\(value("position", row).prefix(40))” is no "
                        + "position; write bottom or top, or leave it empty.")
            }
            return Title(
                texts: languages.map { language, column in
                    let text = SpreadsheetFormulaEscaping.formulaUnescaped(row.fields[column])
                    return TitleText(language: language, text: withPlainLineEnds(text))
                }, place: place.isEmpty ? nil : place,
                lead: try seconds("lead", row) ?? 0, fadeIn: try seconds("fade_in", row) ?? 0,
                fadeOut: try seconds("fade_out", row) ?? 0, doubleCut: try seconds("double_cut", row),
                position: TitlePosition(rawValue: edge), note: withPlainLineEnds(value("note", row)),
                label: label == "\(number)" ? "" : label)
        }

        /// Reads seconds such as `1.5`, also written with a decimal comma; nil for an empty field.
        private func seconds(_ column: String, _ row: CSVText.Row) throws(ExplainedError) -> Double? {
            let text = value(column, row)
            guard !text.isEmpty else { return nil }
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }
            guard isPlain, let number = Double(text.replacing(",", with: ".")) else {
                throw ExplainedError(
                    "Line \(row.firstLineNumber): “\(text.prefix(40))” in “\(column)” is no number of "
                        + "seconds; write one such as 0.5.")
            }
            return number
        }
    }
}

/// Returns a text whose lines end with line feeds, whichever line ends it was written with.
public func withPlainLineEnds(_ text: String) -> String {
    guard text.utf8.contains(13) else { return text }
    var bytes: [UInt8] = []
    var isAfterReturn = false
    for byte in text.utf8 {
        if byte == 13 { bytes.append(10) } else if byte != 10 || !isAfterReturn { bytes.append(byte) }
        isAfterReturn = byte == 13
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// The first mistake in a file of titles.
public enum TitleFileFault {
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(max(seconds, 0))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    public static func afterTheEnd(number: Int, start: Double, end: Double) -> ExplainedError {
        ExplainedError(
            "Title \(number) begins at \(clock(start)), after the end of the recording (\(clock(end))); choose the "
                + "subtitles of this recording, or remove the title.")
    }

    public static func noTimes(line: Int) -> ExplainedError {
        ExplainedError(
            "Line \(line) should have the times of a title, such as 00:01:02,500 --> 00:01:05,000.")
    }
}
