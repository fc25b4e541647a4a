import Diary
import Foundation
import GRDB

extension DiaryStore {
    /// Answers a question, in the order of time.
    /// - Parameters:
    ///   - limit: the most concerts on the page; the totals count all.
    ///   - newestFirst: true for the opposite order, in which `offset` counts from the newest concert.
    public func find(
        _ query: DiaryQuery, offset: Int = 0, limit: Int = 50, newestFirst: Bool = false
    ) async throws(CatalogueError) -> DiaryPage {
        try await read { db in
            try Self.page(query, offset: offset, limit: limit, newestFirst: newestFirst, db)
        }
    }

    static func page(_ query: DiaryQuery, offset: Int, limit: Int, newestFirst: Bool, _ db: Database) throws
        -> DiaryPage
    {
        var (page, rows) = try rows(query, offset: offset, limit: limit, newestFirst: newestFirst, db)
        page.concerts = try rows.map { row in
            FoundConcert(
                concert: try decode(DiaryConcert.self, row["document"]), programme: row["programmeID"],
                ensemble: row["ensembleID"], ensembleName: row["ensembleName"], season: row["season"],
                visibility: ConcertProgramme.Visibility(number: row["visibility"]))
        }
        return page
    }

    /// Answers a question as JSON: `total`, `programmes`, `first`, `last`, `offset`, `concerts`.
    ///
    /// The database joins the stored JSON of the concerts, so that thousands of them take some milliseconds.
    public func findJSON(
        _ query: DiaryQuery, offset: Int = 0, limit: Int = 50
    ) async throws(CatalogueError) -> [UInt8] {
        try await read { db in
            let condition = try DiaryFindConditions(db).sql(query) ?? ("0", StatementArguments())
            let row = try Row.fetchOne(
                db,
                sql: """
                    WITH found AS MATERIALIZED (
                        SELECT number, programme, date, time, id FROM concert WHERE \(condition.sql)
                    )
                    SELECT '{"total":' || count(*) || ',"programmes":' || count(DISTINCT programme)
                        || ',"first":' || \(Self.daySQL("min(date)")) || ',"last":' || \(Self.daySQL("max(date)"))
                        || ',"offset":' || ? || ',"concerts":[' || char(10)
                        || ifnull((\(Self.concertsSQL)), '') || char(10) || ']}' || char(10)
                    FROM found
                    """, arguments: condition.arguments + [offset, limit, offset])
            return row.map { Array(($0[0] as String).utf8) } ?? []
        }
    }

    /// A day such as 18931216 as JSON.
    private static func daySQL(_ day: String) -> String {
        "iif(\(day) IS NULL, 'null', printf('\"%04d-%02d-%02d\"', \(day) / 10000, \(day) / 100 % 100, \(day) % 100))"
    }

    /// The concerts of a page of `found`, each with what a list shows of its programme.
    private static let concertsSQL = """
        SELECT group_concat(json, ',' || char(10)) FROM (
            SELECT rtrim(CAST(concert.document AS TEXT), '}') || ',"programme":' || json_quote(programme.id)
                || ',"ensemble":' || json_quote(ensemble.id) || ',"ensembleName":' || json_quote(ensemble.name)
                || iif(concert.season IS NULL, '', ',"season":' || json_quote(concert.season))
                || ',"visibility":"' || CASE concert.visibility WHEN 0 THEN 'proposed' WHEN 1 THEN 'published'
                    ELSE 'private' END || '"}' AS json
            FROM (SELECT number FROM found ORDER BY date, time, id LIMIT ? OFFSET ?) AS page
            JOIN concert ON concert.number = page.number
            JOIN programme ON programme.number = concert.programme
            JOIN ensemble ON ensemble.number = concert.ensemble
            ORDER BY concert.date, concert.time, concert.id
        )
        """

    private static func rows(
        _ query: DiaryQuery, offset: Int, limit: Int, newestFirst: Bool, _ db: Database
    ) throws -> (DiaryPage, [Row]) {
        guard let condition = try DiaryFindConditions(db).sql(query) else { return (DiaryPage(), []) }
        let totals = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*), count(DISTINCT programme), min(date), max(date) FROM concert
                    WHERE \(condition.sql)
                    """), arguments: condition.arguments)
        let page = DiaryPage(
            total: totals?[0] ?? 0, programmes: totals?[1] ?? 0,
            first: (totals?[2] as Int?).flatMap { CalendarDate(number: $0) },
            last: (totals?[3] as Int?).flatMap { CalendarDate(number: $0) })
        guard page.total > offset, limit > 0 else { return (page, []) }
        // The day and time of the page's last concert come from an index alone. So only the documents of the page are
        // read, and not those of all concerts that must be sorted.
        let (order, compare, furthest) =
            newestFirst ? (" DESC", ">=", (0, -1)) : ("", "<=", (99_999_999, 9_999))
        let statement = try db.cachedStatement(
            sql: """
                WITH edge AS MATERIALIZED (
                    SELECT date AS day, time AS moment FROM concert WHERE \(condition.sql)
                    ORDER BY date\(order), time\(order) LIMIT 1 OFFSET ?
                )
                SELECT found.document, found.visibility, found.season, programme.id AS programmeID,
                    ensemble.id AS ensembleID, ensemble.name AS ensembleName
                FROM (
                    SELECT * FROM concert WHERE \(condition.sql) AND (date, time) \(compare) (
                        SELECT ifnull(max(day), \(furthest.0)), ifnull(max(moment), \(furthest.1)) FROM edge
                    )
                    ORDER BY date\(order), time\(order), id\(order) LIMIT ? OFFSET ?
                ) AS found
                JOIN programme ON programme.number = found.programme
                JOIN ensemble ON ensemble.number = found.ensemble
                ORDER BY found.date\(order), found.time\(order), found.id\(order)
                """)
        let rows = try Row.fetchAll(
            statement,
            arguments: condition.arguments + [offset + limit - 1] + condition.arguments + [limit, offset])
        return (page, rows)
    }
}

extension ConcertProgramme.Visibility {
    init(number: Int64) { self = Self.allCases.first { $0.number == number } ?? .private }
}
