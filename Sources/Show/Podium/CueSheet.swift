/// Cue lists as comma-separated values (RFC 4180), for spreadsheets.
///
/// The first row names the columns in any order: `piece,place,name,kind,auto,earliness_ms,notes,target,payload`.
/// Only `place`, `name` and `kind` are required. A piece is given by its number from 1, its folder or its name.
/// Texts that a spreadsheet would run as formulas are escaped (``SpreadsheetText``). Semicolons or tabs between the
/// fields are accepted too.
public enum CueSheet {
    public static let columns = [
        "piece", "place", "name", "kind", "auto", "earliness_ms", "notes", "target", "payload",
    ]
    public static let longestBytes = 1_000_000

    /// - Parameter piece: index of the piece whose cues are written; nil for all pieces.
    public static func text(of course: ShowProgramme, piece: Int? = nil) -> String {
        var rows = [columns]
        for (index, part) in course.pieces.enumerated() where piece == nil || piece == index {
            for cue in part.cues.cues {
                rows.append([
                    "\(index + 1)", SpreadsheetText.formulaEscaped(cue.place.description),
                    SpreadsheetText.formulaEscaped(cue.name), cue.kind.rawValue,
                    cue.isAutomatic ? "yes" : "no",
                    "\(cue.earlinessMilliseconds)", SpreadsheetText.formulaEscaped(cue.notes),
                    SpreadsheetText.formulaEscaped(cue.target), SpreadsheetText.formulaEscaped(cue.payload),
                ])
            }
        }
        return CSVText.text(rows)
    }

    /// Replaces the cues of a programme by those of a sheet.
    ///
    /// A cue with the same name at the same measure as an old one keeps its id.
    /// - Parameter piece: the index of the only piece that the sheet may contain; the sheet needs no column `piece`
    ///   then. Nil if the sheet is for all pieces; a piece without rows then loses its cues.
    /// - Throws: ``CueSheetFault`` naming the cue and the line of the first mistake; nothing is changed then.
    /// - Complexity: linear in the bytes, times the number of measures to resolve each place.
    public static func read(
        _ bytes: [UInt8], into course: ShowProgramme, piece: Int? = nil
    ) throws(CueSheetFault) -> ShowProgramme {
        guard bytes.count <= longestBytes else { throw .tooLong(bytes: bytes.count) }
        let rows: [CSVText.Row]
        do throws(CSVText.Fault) { rows = try CSVText.rows(bytes) } catch {
            throw CueSheetFault(error)
        }
        guard let header = rows.first else { throw .empty }
        let sheet = try Columns(header.fields)
        var cues = [[Cue]](repeating: [], count: course.pieces.count)
        for row in rows.dropFirst() {
            guard row.fields.count == header.fields.count else {
                throw .fieldCount(line: row.line, found: row.fields.count, wanted: header.fields.count)
            }
            let index = try sheet.piece(row, of: course, only: piece)
            let cue: Cue
            do throws(CueSheetFault) { cue = try sheet.cue(row, of: course.pieces[index]) } catch {
                let name = sheet.name(row)
                throw name.isEmpty ? error : .ofCue(name, error)
            }
            do throws(CueFault) { try cue.check(measureCount: course.pieces[index].playedCount) } catch {
                throw .cue(line: row.line, error)
            }
            cues[index].append(cue)
        }
        var changed = course
        for index in course.pieces.indices where piece == nil || piece == index {
            let old = course.pieces[index]
            do throws(CueFault) {
                let list = try CueList(cues[index], measureCount: old.playedCount, replacing: old.cues)
                changed = try changed.replacingCues(of: index, by: list)
            } catch {
                throw .list(error)
            }
        }
        return changed
    }
}

/// The order of a sheet's columns.
private struct Columns {
    private let names: [String]

    init(_ header: [String]) throws(CueSheetFault) {
        names = header.map { $0.lowercased() }
        for (index, name) in names.enumerated() {
            guard CueSheet.columns.contains(name) else { throw .unknownColumn(header[index]) }
            guard names.firstIndex(of: name) == index else { throw .columnTwice(name) }
        }
        for name in ["place", "name", "kind"] where !names.contains(name) { throw .missingColumn(name) }
    }

    private func text(_ column: String, _ row: CSVText.Row) -> String {
        names.firstIndex(of: column).map { SpreadsheetText.formulaUnescaped(row.fields[$0]) } ?? ""
    }

    func name(_ row: CSVText.Row) -> String { text("name", row) }

    func piece(
        _ row: CSVText.Row, of course: ShowProgramme, only: Int?
    ) throws(CueSheetFault) -> Int {
        let text = text("piece", row)
        if text.isEmpty {
            guard let only else { throw .noPiece(line: row.line, piece: text, count: course.pieces.count) }
            return only
        }
        let index =
            Int(text).map { $0 - 1 }
            ?? course.pieces.firstIndex { $0.folder == text || $0.name.text == text }
        guard let index, course.pieces.indices.contains(index) else {
            throw .noPiece(line: row.line, piece: text, count: course.pieces.count)
        }
        guard only == nil || only == index else { throw .otherPiece(line: row.line, piece: text) }
        return index
    }

    func cue(_ row: CSVText.Row, of piece: ShowPiece) throws(CueSheetFault) -> Cue {
        let written = text("place", row)
        guard let place = MeasureReference(written) else { throw .emptyPlace(line: row.line) }
        let played: Int
        do throws(MeasureReferenceFault) { played = try place.played(in: piece) } catch {
            throw .place(line: row.line, error)
        }
        guard let kind = CueKind(rawValue: text("kind", row).lowercased()) else {
            throw .kind(line: row.line, text("kind", row))
        }
        let earliness = text("earliness_ms", row)
        guard let milliseconds = Self.milliseconds(earliness) else {
            throw .earliness(line: row.line, earliness)
        }
        return Cue(
            place: place, played: played, name: text("name", row), kind: kind,
            isAutomatic: try isAutomatic(row), earlinessMilliseconds: milliseconds, notes: text("notes", row),
            target: text("target", row), payload: text("payload", row))
    }

    /// Whole milliseconds: `250`, or `250,0` and `250.4` as spreadsheets write numbers; 0 for an empty text.
    private static func milliseconds(_ text: String) -> Int? {
        if text.isEmpty { return 0 }
        if let whole = Int(text) { return whole }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }),
            let value = Double(text.replacing(",", with: ".")), value < 1e9
        else { return nil }
        return Int(value.rounded())
    }

    private func isAutomatic(_ row: CSVText.Row) throws(CueSheetFault) -> Bool {
        let text = text("auto", row)
        switch text.lowercased() {
        case "", "yes", "true", "1", "on": return true
        case "no", "false", "0", "off": return false
        default: throw .automatic(line: row.line, text)
        }
    }
}
