import Basics

/// Cue lists as comma-separated values (RFC 4180), for spreadsheets.
///
/// The first row names the columns in any order: `piece,place,name,kind,auto,earliness_ms,notes,target,payload`.
/// Only `place`, `name` and `kind` are required. A column `begin` follows if a cue waits for a person to begin the piece:
/// `person`, otherwise `certain`. A piece is given by its number from 1, its folder or its name.
/// Texts that a spreadsheet would run as formulas are escaped (``SpreadsheetFormulaEscaping``). Semicolons or tabs
/// between the fields are accepted too.
public enum CueSheet {
    public static let columnNames = [
        "piece", "place", "name", "kind", "auto", "earliness_ms", "notes", "target", "payload",
        beginColumnName,
    ]
    fileprivate static let beginColumnName = "begin"
    public static let maximumBytes = 1_000_000

    /// Writes the cues of one piece or of all pieces as a CSV sheet.
    /// - Parameter piece: the index of the piece whose cues are written; nil for all pieces.
    public static func csv(of course: ShowProgramme, piece: Int? = nil) -> String {
        let parts = course.pieces.enumerated().filter { piece == nil || piece == $0.offset }
        // Sheets without such cues stay readable for earlier versions.
        let hasBeginColumn = parts.contains { $0.element.cues.cues.contains(where: \.waitsForPerson) }
        var rows = [hasBeginColumn ? columnNames : columnNames.dropLast()]
        for (index, part) in parts {
            for cue in part.cues.cues {
                rows.append(
                    [
                        "\(index + 1)", SpreadsheetFormulaEscaping.formulaEscaped(cue.place.description),
                        SpreadsheetFormulaEscaping.formulaEscaped(cue.name), cue.kind.rawValue,
                        cue.isAutomatic ? "yes" : "no",
                        "\(cue.earlinessMilliseconds)", SpreadsheetFormulaEscaping.formulaEscaped(cue.notes),
                        SpreadsheetFormulaEscaping.formulaEscaped(cue.target),
                        SpreadsheetFormulaEscaping.formulaEscaped(cue.payload),
                    ] + (hasBeginColumn ? [CueBeginning(cue).rawValue] : []))
            }
        }
        return CSVText.serialize(rows)
    }

    /// Replaces the cues of a programme by the cues of a sheet.
    ///
    /// A cue with the same name at the same measure as an old one keeps its id.
    /// - Parameter piece: the index of the only piece that the sheet may contain; the sheet needs no column `piece`
    ///   then. Nil if the sheet is for all pieces; a piece without rows then loses its cues.
    /// - Parameter isStored: true for a piece's own file, which was written when the piece may have had another number
    ///   in the programme; numbers in the column `piece` are then ignored.
    /// - Throws: ``CueSheetFault`` naming the cue and the line of the first mistake; nothing is changed then.
    /// - Complexity: linear in the bytes, times the number of measures to resolve each place.
    public static func importCues(
        _ bytes: [UInt8], into course: ShowProgramme, piece: Int? = nil, isStored: Bool = false
    ) throws(CueSheetFault) -> ShowProgramme {
        guard bytes.count <= maximumBytes else { throw .tooLong(bytes: bytes.count) }
        let rows: [CSVText.Row]
        do throws(CSVText.Fault) { rows = try CSVText.parseRows(bytes) } catch {
            throw CueSheetFault(error)
        }
        guard let header = rows.first else { throw .empty }
        let sheet = try CueSheetColumns(header.fields)
        var cues = [[Cue]](repeating: [], count: course.pieces.count)
        for row in rows.dropFirst() {
            guard row.fields.count == header.fields.count else {
                throw .wrongFieldCount(
                    line: row.firstLineNumber, found: row.fields.count, wanted: header.fields.count)
            }
            let index = try sheet.pieceIndex(row, of: course, only: piece, ignoringNumber: isStored)
            let cue: Cue
            do throws(CueSheetFault) { cue = try sheet.parseCue(row, of: course.pieces[index]) } catch {
                let name = sheet.cueName(row)
                throw name.isEmpty ? error : .inCue(name, error)
            }
            do throws(CueFault) { try cue.check(measureCount: course.pieces[index].playedMeasureCount) } catch
            {
                throw .invalidCue(line: row.firstLineNumber, error)
            }
            cues[index].append(cue)
        }
        var changed = course
        for index in course.pieces.indices where piece == nil || piece == index {
            let old = course.pieces[index]
            do throws(CueFault) {
                let list = try CueList(cues[index], measureCount: old.playedMeasureCount, replacing: old.cues)
                changed = try changed.replacingCues(of: index, by: list)
            } catch {
                throw .invalidCueList(error)
            }
        }
        return changed
    }
}

/// The columns of a cue sheet, in the order of its header row.
private struct CueSheetColumns {
    private let names: [String]

    init(_ header: [String]) throws(CueSheetFault) {
        names = header.map { $0.lowercased() }
        for (index, name) in names.enumerated() {
            guard CueSheet.columnNames.contains(name) else { throw .unknownColumn(header[index]) }
            guard names.firstIndex(of: name) == index else { throw .columnTwice(name) }
        }
        for name in ["place", "name", "kind"] where !names.contains(name) { throw .missingColumn(name) }
    }

    private func value(_ column: String, _ row: CSVText.Row) -> String {
        names.firstIndex(of: column).map { SpreadsheetFormulaEscaping.formulaUnescaped(row.fields[$0]) } ?? ""
    }

    func cueName(_ row: CSVText.Row) -> String { value("name", row) }

    func pieceIndex(
        _ row: CSVText.Row, of course: ShowProgramme, only: Int?, ignoringNumber: Bool
    ) throws(CueSheetFault) -> Int {
        let text = value("piece", row)
        if text.isEmpty || (ignoringNumber && only != nil && Int(text) != nil) {
            guard let only else {
                throw .unknownPiece(line: row.firstLineNumber, piece: text, count: course.pieces.count)
            }
            return only
        }
        let index =
            Int(text).map { $0 - 1 }
            ?? course.pieces.firstIndex { $0.folder == text || $0.name.text == text }
        guard let index, course.pieces.indices.contains(index) else {
            throw .unknownPiece(line: row.firstLineNumber, piece: text, count: course.pieces.count)
        }
        guard only == nil || only == index else { throw .wrongPiece(line: row.firstLineNumber, piece: text) }
        return index
    }

    func parseCue(_ row: CSVText.Row, of piece: ShowPiece) throws(CueSheetFault) -> Cue {
        let written = value("place", row)
        guard let place = MeasureReference(written) else { throw .emptyPlace(line: row.firstLineNumber) }
        let played: Int
        do throws(MeasureReferenceFault) { played = try place.resolve(in: piece) } catch {
            throw .invalidPlace(line: row.firstLineNumber, error)
        }
        guard let kind = CueKind(rawValue: value("kind", row).lowercased()) else {
            throw .unknownKind(line: row.firstLineNumber, value("kind", row))
        }
        let earliness = value("earliness_ms", row)
        guard let milliseconds = Self.parseMilliseconds(earliness) else {
            throw .invalidEarliness(line: row.firstLineNumber, earliness)
        }
        return Cue(
            place: place, played: played, name: value("name", row), kind: kind,
            isAutomatic: try parseAutomaticFlag(row), earlinessMilliseconds: milliseconds,
            waitsForPerson: try parseBeginning(row) == .person, notes: value("notes", row),
            target: value("target", row), payload: value("payload", row))
    }

    /// Parses whole milliseconds such as `250`, also written as `250,0` or `250.4`, as spreadsheets do. An empty text
    /// means 0.
    private static func parseMilliseconds(_ text: String) -> Int? {
        if text.isEmpty { return 0 }
        if let whole = Int(text) { return whole }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }),
            let value = Double(text.replacing(",", with: ".")), value < 1e9
        else { return nil }
        return Int(value.rounded())
    }

    private func parseBeginning(_ row: CSVText.Row) throws(CueSheetFault) -> CueBeginning {
        let text = value(CueSheet.beginColumnName, row)
        guard let beginning = text.isEmpty ? .certain : CueBeginning(rawValue: text.lowercased()) else {
            throw .invalidBeginning(line: row.firstLineNumber, text)
        }
        return beginning
    }

    private func parseAutomaticFlag(_ row: CSVText.Row) throws(CueSheetFault) -> Bool {
        let text = value("auto", row)
        switch text.lowercased() {
        case "", "yes", "true", "1", "on": return true
        case "no", "false", "0", "off": return false
        default: throw .invalidAutomatic(line: row.firstLineNumber, text)
        }
    }
}
