import Diary
import Foundation
import GRDB

extension DiaryStore {
    /// Answers a question, in the order of time.
    /// - Parameter limit: the most concerts on the page; the totals count all.
    public func find(
        _ query: DiaryQuery, offset: Int = 0, limit: Int = 50
    ) async throws(CatalogueError) -> DiaryPage {
        try await read { db in
            var (page, rows) = try Self.rows(query, offset: offset, limit: limit, db)
            page.concerts = try rows.map { row in
                FoundConcert(
                    concert: try Self.decode(DiaryConcert.self, row["document"]),
                    programme: row["programmeID"],
                    ensemble: row["ensembleID"], ensembleName: row["ensembleName"], season: row["season"],
                    visibility: ConcertProgramme.Visibility(number: row["visibility"]))
            }
            return page
        }
    }

    /// Answers a question as JSON: `total`, `programmes`, `first`, `last`, `offset`, `concerts`. The stored bytes of each
    /// concert are passed on as they are, so that it is fast for thousands of concerts.
    public func findJSON(
        _ query: DiaryQuery, offset: Int = 0, limit: Int = 50
    ) async throws(CatalogueError) -> [UInt8] {
        try await read { db in
            let (page, rows) = try Self.rows(query, offset: offset, limit: limit, db)
            var json = Array(
                """
                {"total":\(page.total),"programmes":\(page.programmes),"first":\(Self.quoted(page.first)),\
                "last":\(Self.quoted(page.last)),"offset":\(offset),"concerts":[
                """.utf8)
            json.reserveCapacity(json.count + rows.count * 450)
            for (index, row) in rows.enumerated() {
                if index > 0 { json += [UInt8(ascii: ","), 10] }
                let document: Data = row["document"]
                json += document.dropLast()
                json += Array(",\"programme\":".utf8) + Self.quoted(row["programmeID"])
                json += Array(",\"ensemble\":".utf8) + Self.quoted(row["ensembleID"])
                json += Array(",\"ensembleName\":".utf8) + Self.quoted(row["ensembleName"])
                if let season: String = row["season"] {
                    json += Array(",\"season\":".utf8) + Self.quoted(season)
                }
                let visibility = ConcertProgramme.Visibility(number: row["visibility"])
                json += ",\"visibility\":\"\(visibility.rawValue)\"}".utf8
            }
            return json + Array("\n]}\n".utf8)
        }
    }

    private static func rows(
        _ query: DiaryQuery, offset: Int, limit: Int, _ db: Database
    ) throws -> (DiaryPage, [Row]) {
        guard let condition = try DiaryFindConditions(db).sql(query) else { return (DiaryPage(), []) }
        let totals = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), count(DISTINCT programme), min(date), max(date) FROM concert WHERE \(condition.sql)
                """, arguments: condition.arguments)
        let page = DiaryPage(
            total: totals?[0] ?? 0, programmes: totals?[1] ?? 0,
            first: (totals?[2] as Int?).flatMap { CalendarDate(number: $0) },
            last: (totals?[3] as Int?).flatMap { CalendarDate(number: $0) })
        guard page.total > offset, limit > 0 else { return (page, []) }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT found.document, found.visibility, found.season, programme.id AS programmeID,
                    ensemble.id AS ensembleID, ensemble.name AS ensembleName
                FROM (
                    SELECT * FROM concert WHERE \(condition.sql) ORDER BY date, time, id LIMIT ? OFFSET ?
                ) AS found
                JOIN programme ON programme.number = found.programme
                JOIN ensemble ON ensemble.number = found.ensemble
                ORDER BY found.date, found.time, found.id
                """, arguments: condition.arguments + [limit, offset])
        return (page, rows)
    }

    /// A text as JSON.
    static func quoted(_ text: String) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: json += [0x5C, byte]
            case ..<0x20: json += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: json.append(byte)
            }
        }
        return json + [UInt8(ascii: "\"")]
    }

    private static func quoted(_ date: CalendarDate?) -> String { date.map { "\"\($0)\"" } ?? "null" }
}

extension ConcertProgramme.Visibility {
    init(number: Int64) { self = Self.allCases.first { $0.number == number } ?? .private }
}
