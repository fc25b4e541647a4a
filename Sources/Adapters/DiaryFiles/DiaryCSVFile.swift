import Basics
import Diary
import Foundation

/// The diary as one table for spreadsheets: a row for each ensemble, work, place, event and entry; below an entry a row
/// for each concert and item, and below an item one for each soloist. What has no column of its own stands in the last
/// column, `more`, as JSON, so that nothing is lost.
public enum DiaryCSVFile {
    /// The names of the columns, which are also the names of the fields in the JSON file.
    static let columns = [
        "record", "id", "name", "number", "ensemble", "season", "date", "time", "endDate", "endTime",
        "timeZone", "type",
        "venue", "stage", "location", "city", "countryCode", "event", "kind", "work", "sourceID", "composer",
        "title",
        "catalogueNumber", "movements", "conductors", "instrument", "role", "visibility", "owner", "mbid",
        "genre",
        "imageURL", "source", "startDate", "description", "mergedInto", "note", "more",
    ]
    /// Columns of several texts, separated by `; `.
    private static let listColumns: Set<String> = ["movements", "conductors"]

    private static let rowNames: [DiaryRecord.Kind: String] = [
        .ensembles: "ensemble", .works: "work", .countries: "country", .cities: "city", .venues: "venue",
        .events: "event", .programmes: "programme",
    ]

    // MARK: Writing

    public struct Writer {
        private let sink: DiaryFileSink

        public init(_ sink: DiaryFileSink) throws {
            self.sink = sink
            try sink.write(CSVText.serialize([columns]))
        }

        public func write(_ kind: DiaryRecord.Kind, _ document: Data) throws {
            guard var fields = try JSONSerialization.jsonObject(with: document) as? [String: Any],
                let name = rowNames[kind]
            else { return }
            let concerts =
                fields.removeValue(forKey: kind == .programmes ? "concerts" : "") as? [[String: Any]]
            let items = fields.removeValue(forKey: kind == .programmes ? "items" : "") as? [[String: Any]]
            var rows = [try row(name, fields)]
            for concert in concerts ?? [] { rows.append(try row("concert", concert)) }
            for var item in items ?? [] {
                let soloists = item.removeValue(forKey: "soloists") as? [[String: Any]]
                rows.append(try row("item", item))
                for soloist in soloists ?? [] { rows.append(try row("soloist", soloist)) }
            }
            try sink.write(CSVText.serialize(rows))
        }
    }

    private static func row(_ record: String, _ fields: [String: Any]) throws -> [String] {
        var rest = fields.filter { !isEmpty($0.value) }
        var row = columns.dropLast().map { column in
            if column == "record" { return record }
            guard let value = rest[column], let text = text(value, column) else { return "" }
            rest[column] = nil
            return SpreadsheetFormulaEscaping.formulaEscaped(text)
        }
        let more = try JSONSerialization.data(
            withJSONObject: rest, options: [.sortedKeys, .withoutEscapingSlashes])
        row.append(rest.isEmpty ? "" : String(decoding: more, as: UTF8.self))
        return row
    }

    /// The value as the text of a cell; nil if the cell could not be read back.
    private static func text(_ value: Any, _ column: String) -> String? {
        guard listColumns.contains(column) else { return value as? String }
        guard let list = value as? [String],
            list.allSatisfy({ !$0.isEmpty && !$0.contains(";") && $0.first != " " && $0.last != " " })
        else { return nil }
        return list.joined(separator: "; ")
    }

    private static func isEmpty(_ value: Any) -> Bool {
        (value as? String)?.isEmpty ?? (value as? [Any])?.isEmpty ?? (value as? [String: Any])?.isEmpty
            ?? false
    }

    // MARK: Reading

    /// Reads a file and passes on its records in their order.
    public static func read(_ path: String, _ receive: (DiaryRecord) throws -> Void) throws {
        let bytes = try MappedFile.withBytes(of: path) { Array($0) }
        let rows: [CSVText.Row]
        do throws(CSVText.Fault) { rows = try CSVText.parseRows(bytes) } catch {
            let what =
                switch error {
                case .notUTF8: "is neither UTF-8 nor UTF-16; save it as CSV UTF-8"
                case .unclosedQuote(let line): "opens a quote on line \(line) that never closes"
                case .strayQuote(let line): "has a stray quote on line \(line)"
                }
            throw DiaryFileFault.wrongFormat(file: path, what: what)
        }
        guard let head = rows.first?.fields, head.contains("record"), head.contains("id") else {
            throw DiaryFileFault.wrongFormat(
                file: path, what: "is no export of the diary (its first line has no “record”)")
        }
        var assembly = Assembly(file: path, head: head)
        for row in rows.dropFirst() { try assembly.take(row, receive) }
        try assembly.finish(receive)
    }

    /// Puts entries together from their rows.
    private struct Assembly {
        let file: String
        let head: [String]
        private var programme: [String: Any]?
        private var concerts: [[String: Any]] = []
        private var items: [[String: Any]] = []
        /// The soloists of each item, by its index.
        private var soloists: [Int: [[String: Any]]] = [:]
        private var firstLine = 0
        private let decoder = JSONDecoder()

        init(file: String, head: [String]) {
            self.file = file
            self.head = head
        }

        mutating func take(_ row: CSVText.Row, _ receive: (DiaryRecord) throws -> Void) throws {
            let place = "line \(row.firstLineNumber)"
            var fields = try fields(row, place)
            guard let record = fields.removeValue(forKey: "record") as? String else {
                throw DiaryFileFault.badRecord(
                    file: file, place: place, what: "the kind of record is missing")
            }
            switch record {
            case "concert":
                try requireProgramme(place)
                concerts.append(fields)
            case "item":
                try requireProgramme(place)
                items.append(fields)
            case "soloist":
                guard programme != nil, !items.isEmpty else {
                    throw DiaryFileFault.badRecord(
                        file: file, place: place, what: "the soloist has no item above")
                }
                if fields["name"] == nil { fields["name"] = "" }
                soloists[items.count - 1, default: []].append(fields)
            default:
                try finish(receive)
                guard let kind = rowNames.first(where: { $0.value == record })?.key else {
                    throw DiaryFileFault.badRecord(
                        file: file, place: place, what: "“\(record.prefix(40))” is no kind of record")
                }
                firstLine = row.firstLineNumber
                if kind == .programmes {
                    programme = fields
                } else {
                    try receive(try decoded(kind, fields))
                }
            }
        }

        mutating func finish(_ receive: (DiaryRecord) throws -> Void) throws {
            guard var whole = programme else { return }
            for (index, list) in soloists { items[index]["soloists"] = list }
            whole["concerts"] = concerts
            whole["items"] = items
            programme = nil
            (concerts, items, soloists) = ([], [], [:])
            try receive(try decoded(.programmes, whole))
        }

        private func requireProgramme(_ place: String) throws {
            guard programme != nil else {
                throw DiaryFileFault.badRecord(file: file, place: place, what: "there is no programme above")
            }
        }

        private func decoded(_ kind: DiaryRecord.Kind, _ fields: [String: Any]) throws -> DiaryRecord {
            do {
                return try DiaryRecord(kind, try JSONSerialization.data(withJSONObject: fields), decoder)
            } catch let error as DecodingError {
                throw DiaryFileFault.badRecord(
                    file: file, place: "line \(firstLine)", what: error.plainSentence)
            }
        }

        private func fields(_ row: CSVText.Row, _ place: String) throws -> [String: Any] {
            guard row.fields.count <= head.count else {
                throw DiaryFileFault.badRecord(
                    file: file, place: place, what: "it has more cells than the first line")
            }
            var fields: [String: Any] = [:]
            for (column, cell) in zip(head, row.fields) where !cell.isEmpty {
                if column == "more" {
                    guard
                        let more = try? JSONSerialization.jsonObject(with: Data(cell.utf8)) as? [String: Any]
                    else {
                        throw DiaryFileFault.badRecord(
                            file: file, place: place, what: "“more” is no JSON object")
                    }
                    fields.merge(more) { first, _ in first }
                } else {
                    let text = SpreadsheetFormulaEscaping.formulaUnescaped(cell)
                    fields[column] =
                        listColumns.contains(column)
                        ? text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } : text
                }
            }
            return fields
        }
    }
}
