import Diary
import GRDB

/// Turns a question into a condition on the table of concerts.
struct DiaryFindConditions {
    let db: Database
    private let search: DiaryNameSearch

    init(_ db: Database) {
        self.db = db
        search = DiaryNameSearch(db)
    }

    /// Returns the condition; nil if a name in the question is that of nothing, so that nothing can be found.
    func sql(_ query: DiaryQuery) throws -> (sql: String, arguments: StatementArguments)? {
        var conditions: [String] = []
        var arguments = StatementArguments()
        for item in itemQuestions(query) {
            guard let items = try itemsSQL(item) else { return nil }
            conditions.append("programme IN (SELECT item / \(DiaryTables.itemsPerProgramme) FROM (\(items)))")
        }
        for (values, kind, column) in [
            (query.venues, DiaryTables.NameKind.venue, "venue"), (query.types, .type, "type"),
        ] where !values.isEmpty {
            let names = try values.flatMap { try search.names($0, kind) }
            guard !names.isEmpty else { return nil }
            conditions.append("\(column) IN (\(DiaryNameSearch.list(names)))")
        }
        if let start = query.start { conditions.append("date >= \(start.number)") }
        if let end = query.end { conditions.append("date <= \(end.number)") }
        if !query.ensembles.isEmpty {
            let marks = query.ensembles.map { _ in "?" }.joined(separator: ",")
            conditions.append(
                "ensemble IN (SELECT number FROM ensemble WHERE id IN (\(marks)) OR mbid IN (\(marks)))")
            arguments += StatementArguments(query.ensembles) + StatementArguments(query.ensembles)
        }
        if let location = query.location {
            let place = WordConditions(location, in: "place")
            conditions.append(place.sql)
            arguments += place.arguments
        }
        if let event = query.event {
            conditions.append("event = ?")
            arguments += [event]
        }
        let visible = query.visibilities.map(\.number).sorted()
        if query.visibilities.count < ConcertProgramme.Visibility.allCases.count {
            conditions.append(
                "(visibility IN (\(DiaryNameSearch.list(visible)))"
                    + (query.owner == nil ? ")" : " OR owner = ?)"))
            if let owner = query.owner { arguments += [owner] }
        }
        return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
    }

    // MARK: Items

    /// A question about one item of a programme.
    private struct ItemQuestion {
        var conductor: String?
        var soloist: String?
        var composer: String?
        var work: String?
    }

    /// The questions about items: what is given once holds for each item, what is given several times for one item
    /// each.
    private func itemQuestions(_ query: DiaryQuery) -> [ItemQuestion] {
        let lists = [query.conductors, query.soloists, query.composers, query.works]
        return (0..<(lists.map(\.count).max() ?? 0)).map { index in
            func value(_ list: [String]) -> String? {
                list.count == 1 ? list[0] : list.indices.contains(index) ? list[index] : nil
            }
            return ItemQuestion(
                conductor: value(query.conductors), soloist: value(query.soloists),
                composer: value(query.composers), work: value(query.works))
        }
    }

    /// The items that answer a question; nil if there are none.
    private func itemsSQL(_ question: ItemQuestion) throws -> String? {
        var parts: [String] = []
        var composerSQL: String?
        for (text, kind, role) in [
            (question.composer, DiaryTables.NameKind.composer, DiaryTables.Role.composer),
            (question.conductor, .conductor, .conductor), (question.soloist, .soloist, .soloist),
        ] {
            guard let text else { continue }
            let names = try search.names(text, kind)
            guard !names.isEmpty else { return nil }
            parts.append(marks(role, DiaryNameSearch.list(names)))
            if role == .composer { composerSQL = parts.last }
        }
        if let work = question.work {
            guard let items = try workItemsSQL(work, composerSQL) else { return nil }
            parts.append(items)
        }
        return parts.joined(separator: " INTERSECT ")
    }

    /// The items of the works that a text means: by the first reading of it that finds a work of the composer.
    private func workItemsSQL(_ text: String, _ composer: String?) throws -> String? {
        for reading in try search.workReadings(text) {
            let identities = try reading()
            guard !identities.isEmpty else { continue }
            let items = marks(.work, search.worksSQL(identities: identities))
            if try composer == nil || hasItems("\(items) INTERSECT \(composer!)") { return items }
        }
        let movements = try search.movements(text)
        guard !movements.isEmpty else { return nil }
        return marks(.movement, DiaryNameSearch.list(movements))
    }

    private func hasItems(_ sql: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))") ?? false
    }

    private func marks(_ role: DiaryTables.Role, _ references: String) -> String {
        "SELECT item FROM mark WHERE role = \(role.rawValue) AND reference IN (\(references))"
    }
}
