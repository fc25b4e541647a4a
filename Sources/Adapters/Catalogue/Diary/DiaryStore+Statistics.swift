import Diary
import Foundation
import GRDB

extension DiaryStore {
    /// Counts the concerts that a question finds, by composer, conductor, and so on.
    /// - Parameter limit: the most lines of each list.
    public func statistics(of query: DiaryQuery, limit: Int = 20) async throws(CatalogueError)
        -> DiaryStatistics
    {
        try await read { db in
            guard let condition = try DiaryFindConditions(db).sql(query) else { return DiaryStatistics() }
            var result = DiaryStatistics()
            let found = "SELECT * FROM concert WHERE \(condition.sql)"
            let totals = try Row.fetchOne(
                db, sql: "SELECT count(DISTINCT programme), count(*) FROM (\(found))",
                arguments: condition.arguments)
            result.programmes = totals?[0] ?? 0
            result.concerts = totals?[1] ?? 0
            func lines(_ sql: String) throws -> [DiaryStatistics.Line] {
                try Row.fetchAll(
                    db, sql: "WITH found AS MATERIALIZED (\(found)) " + sql, arguments: condition.arguments
                ).map { DiaryStatistics.Line(name: $0[0] ?? "", concerts: $0[1]) }
            }
            // Several spellings of one name, such as “von” and “Von”, are one line.
            func people(_ role: DiaryTables.Role) throws -> [DiaryStatistics.Line] {
                try lines(
                    """
                    SELECT min(name), sum(concerts) AS total FROM (
                        SELECT DISTINCT name.sorted AS sorted, min(name.text) AS name, mark.item / 4096 AS programme
                        FROM mark JOIN name ON name.number = mark.reference
                        WHERE mark.role = \(role.rawValue) GROUP BY name.sorted, mark.item / 4096
                    ) JOIN (SELECT programme, count(*) AS concerts FROM found GROUP BY programme) USING (programme)
                    GROUP BY sorted ORDER BY total DESC, 1 LIMIT \(limit)
                    """)
            }
            result.composers = try people(.composer)
            result.conductors = try people(.conductor)
            result.soloists = try people(.soloist)
            let works = """
                SELECT DISTINCT work.identity AS identity, mark.item / 4096 AS programme
                FROM mark JOIN work ON work.number = mark.reference WHERE mark.role = \(DiaryTables.Role.work.rawValue)
                """
            result.works =
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(DISTINCT identity) FROM (\(works))
                        WHERE programme IN (SELECT programme FROM (\(found)))
                        """, arguments: condition.arguments) ?? 0
            result.mostPlayed = try lines(
                """
                SELECT work.document, sum(concerts) AS total FROM (\(works)) AS played
                JOIN (SELECT programme, count(*) AS concerts FROM found GROUP BY programme) USING (programme)
                JOIN work ON work.number = played.identity
                GROUP BY played.identity ORDER BY total DESC, work.id LIMIT \(limit)
                """
            ).map { line in
                let work = try Self.decode(MusicalWork.self, Data(line.name.utf8))
                return DiaryStatistics.Line(name: "\(work.composer): \(work.title)", concerts: line.concerts)
            }
            for (column, path) in [
                ("venue", \DiaryStatistics.venues), ("type", \DiaryStatistics.types),
            ] as [(String, WritableKeyPath<DiaryStatistics, [DiaryStatistics.Line]>)] {
                result[keyPath: path] = try lines(
                    """
                    SELECT name.text, count(*) AS total FROM found JOIN name ON name.number = found.\(column)
                    GROUP BY name.number ORDER BY total DESC, 1 LIMIT \(limit)
                    """)
            }
            result.decades = try lines(
                "SELECT (date / 100000 * 10) || 's', count(*) FROM found GROUP BY 1 ORDER BY 1")
            return result
        }
    }

    /// Proposes works that may be one; see ``DuplicateWorks``.
    public func duplicateWorks() async throws(CatalogueError) -> [DuplicateWorks.Group] {
        let works = try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT whole.document, count(mark.item) AS performances
                    FROM work JOIN work AS whole ON whole.number = work.identity
                    LEFT JOIN mark ON role = \(DiaryTables.Role.work.rawValue) AND reference = work.number
                    GROUP BY work.identity
                    """
            ).map { (work: try Self.decode(MusicalWork.self, $0[0]), performances: $0[1] as Int) }
        }
        return DuplicateWorks.find(works)
    }
}
