import Diary
import GRDB

/// Turns a question into a condition on the table of concerts.
///
/// Values are arguments, so that questions of one kind have one text and its statement is prepared once.
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
            conditions.append(
                "programme IN (SELECT item / \(DiaryTables.itemsPerProgramme) FROM (\(items.sql)))")
            arguments += items.arguments
        }
        for (values, kind, column) in [
            (query.venues, DiaryTables.NameKind.venue, "venue"), (query.types, .type, "type"),
        ] where !values.isEmpty {
            let names = try values.flatMap { try search.names($0, kind) }
            guard !names.isEmpty else { return nil }
            // One number is compared, not looked up in a list, so that an index gives the order too.
            conditions.append(
                names.count == 1 ? "\(column) = ?" : "\(column) IN (\(DiaryNameSearch.valuesSQL))")
            arguments += names.count == 1 ? [names[0]] : [DiaryNameSearch.values(names)]
        }
        if let start = query.start {
            conditions.append("date >= ?")
            arguments += [start.number]
        }
        if let end = query.end {
            conditions.append("date <= ?")
            arguments += [end.number]
        }
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
        if let code = query.countryCode {
            let country = DiaryWordSearch.isIn(code)
            conditions.append(country.sql)
            arguments += country.arguments
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
        if let words = query.words {
            let others = DiaryWordSearch.Condition(
                sql: conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments: arguments)
            guard let found = try DiaryWordSearch(db: db).condition(words, among: others) else { return nil }
            conditions.append("(\(found.sql))")
            arguments += found.arguments
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

    /// A part of a statement with its arguments.
    private struct Part {
        var sql: String
        var arguments: StatementArguments

        static func intersection(_ parts: [Part]) -> Part {
            Part(
                sql: parts.map(\.sql).joined(separator: " INTERSECT "),
                arguments: parts.reduce(StatementArguments()) { $0 + $1.arguments })
        }
    }

    /// The items that answer a question; nil if there are none.
    private func itemsSQL(_ question: ItemQuestion) throws -> Part? {
        var parts: [Part] = []
        var composer: Part?
        for (text, kind, role) in [
            (question.composer, DiaryTables.NameKind.composer, DiaryTables.Role.composer),
            (question.conductor, .conductor, .conductor), (question.soloist, .soloist, .soloist),
        ] {
            guard let text else { continue }
            let names = try search.names(text, kind)
            guard !names.isEmpty else { return nil }
            parts.append(marks(role, DiaryNameSearch.valuesSQL, names))
            if role == .composer { composer = parts.last }
        }
        if let work = question.work {
            guard let items = try workItems(work, composer) else { return nil }
            parts.append(items)
        }
        return .intersection(parts)
    }

    /// The items of the works that a text means: by the first reading of it that finds a work of the composer.
    private func workItems(_ text: String, _ composer: Part?) throws -> Part? {
        for reading in try search.workReadings(text) {
            let identities = try reading()
            guard !identities.isEmpty else { continue }
            let items = marks(.work, DiaryNameSearch.worksSQL, identities)
            if try composer.map({ try hasItems(.intersection([items, $0])) }) ?? true { return items }
        }
        let movements = try search.movements(text)
        guard !movements.isEmpty else { return nil }
        return marks(.movement, DiaryNameSearch.valuesSQL, movements)
    }

    private func hasItems(_ part: Part) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (\(part.sql))"), arguments: part.arguments) ?? false
    }

    /// - Parameter references: a statement whose argument is a list of numbers.
    private func marks(_ role: DiaryTables.Role, _ references: String, _ numbers: [Int64]) -> Part {
        Part(
            sql: "SELECT item FROM mark WHERE role = \(role.rawValue) AND reference IN (\(references))",
            arguments: [DiaryNameSearch.values(numbers)])
    }
}
