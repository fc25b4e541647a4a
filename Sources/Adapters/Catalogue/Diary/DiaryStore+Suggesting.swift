import Diary
import Foundation
import GRDB

/// Suggestions for a text while somebody types it: works, people, ensembles, halls and years, each with the number of
/// concerts that the user may see.
public struct DiarySuggestions: Equatable, Sendable {
    /// A suggested work, with the number of its concerts.
    public struct Work: Equatable, Sendable {
        public var id: String
        public var composer: String
        public var title: String
        public var count: Int
    }

    /// A suggested person, with the number of the person's concerts.
    public struct Person: Equatable, Sendable {
        public var name: String
        /// Some of composer, conductor and soloist.
        public var roles: [String]
        public var count: Int
    }

    /// A suggested ensemble or hall, with the number of its concerts.
    public struct Named: Equatable, Sendable {
        public var id: String
        public var name: String
        public var count: Int
    }

    /// A suggested year, with the number of its concerts.
    public struct Year: Equatable, Sendable {
        public var year: Int
        public var count: Int
    }

    public var words = ""
    public var works: [Work] = []
    public var people: [Person] = []
    public var ensembles: [Named] = []
    public var venues: [Named] = []
    public var year: Year?

    public init() {}

    public var isEmpty: Bool {
        works.isEmpty && people.isEmpty && ensembles.isEmpty && venues.isEmpty && year == nil
    }

    /// Narrows a question to what the text most likely means: a year, else the meaning with most concerts. A question
    /// for a text without meaning finds the concerts of places with its words.
    public func narrowed(_ query: DiaryQuery) -> DiaryQuery {
        var query = query
        if let year {
            query.start = CalendarDate(year: year.year, month: 1, day: 1)
            query.end = CalendarDate(year: year.year, month: 12, day: 31)
            return query
        }
        let best = [people.first?.count, works.first?.count, venues.first?.count, ensembles.first?.count]
            .compactMap { $0 }.max()
        switch best {
        case nil: query.location = words
        case people.first?.count:
            guard let person = people.first else { break }
            switch person.roles.first {
            case "conductor": query.conductors = [person.name]
            case "soloist": query.soloists = [person.name]
            default: query.composers = [person.name]
            }
        case works.first?.count: query.works = works.first.map { [$0.id] } ?? []
        case venues.first?.count: query.venues = venues.first.map { [$0.name] } ?? []
        default: query.ensembles = ensembles.first.map { [$0.id] } ?? []
        }
        return query
    }
}

extension DiaryStore {
    /// The names that are looked at for one kind of thing; a few typed letters fit thousands.
    private static let mostCandidates = 60

    /// Finds what a text may mean.
    /// - Parameters:
    ///   - query: its visibilities and owner say which concerts count; a thing without such a concert is not found.
    ///   - most: the most results of each kind, those with most concerts first.
    public func suggestions(
        for text: String, query: DiaryQuery, most: Int
    ) async throws(CatalogueError) -> DiarySuggestions {
        try await read { db in try Self.suggestions(for: text, query: query, most: most, db) }
    }

    static func suggestions(for text: String, query: DiaryQuery, most: Int, _ db: Database) throws
        -> DiarySuggestions
    {
        var found = DiarySuggestions()
        found.words = text
        var visible = DiaryQuery()
        (visible.visibilities, visible.owner) = (query.visibilities, query.owner)
        guard !FoldedName.words(text).isEmpty, text.utf8.count > 1,
            let condition = try DiaryFindConditions(db).sql(visible)
        else { return found }
        let search = DiarySuggestionSearch(db: db, text: text, visible: condition, most: most)
        if let year = Int(text), (1_000...9_999).contains(year) {
            found.year = try search.year(year)
            return found
        }
        let titled = Self.limitedCandidates(try DiaryNameSearch(db).workIdentities(text))
        (found.works, found.people) = (try search.works(titled), try search.people())
        (found.venues, found.ensembles) = (try search.venues(), try search.ensembles())
        if found.isEmpty {
            found.works = try search.works(
                DiaryNameSearch(db).worksWithComposer(text, most: Self.mostCandidates))
        }
        return found
    }

    fileprivate static func limitedCandidates(_ numbers: [Int64]) -> [Int64] {
        Array(numbers.prefix(mostCandidates))
    }
}

/// Searches the names of the diary for a text whose last word may be unfinished.
private struct DiarySuggestionSearch {
    let db: Database
    let text: String
    /// The condition on the table `concert` for the concerts that count.
    let visible: (sql: String, arguments: StatementArguments)
    let most: Int

    func year(_ year: Int) throws -> DiarySuggestions.Year? {
        let count = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM concert WHERE date BETWEEN ? AND ? AND " + visible.sql),
            arguments: [year * 10_000, year * 10_000 + 9_999] + visible.arguments)
        return count.flatMap { $0 > 0 ? DiarySuggestions.Year(year: year, count: $0) : nil }
    }

    func works(_ identities: [Int64]) throws -> [DiarySuggestions.Work] {
        guard !identities.isEmpty else { return [] }
        let work = DiaryTables.Role.work.rawValue
        let counting = count(
            "role = \(work) AND reference IN (SELECT number FROM work WHERE identity = one.value)")
        let rows = try rows(
            "SELECT one.value AS identity, \(counting) AS concerts FROM json_each(?) AS one",
            visible.arguments + [DiaryNameSearch.values(identities)])
        let counted = rows.map { (identity: $0["identity"] as Int64, count: $0["concerts"] as Int) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        // Only the works that may be shown are read; among equals the title decides.
        guard !counted.isEmpty else { return [] }
        let least = counted[min(most, counted.count) - 1].count
        return try counted.prefix { $0.count >= least }.compactMap { each -> DiarySuggestions.Work? in
            guard
                let document = try Data.fetchOne(
                    db.cachedStatement(sql: "SELECT document FROM work WHERE number = ?"),
                    arguments: [each.identity])
            else { return nil }
            let work = try DiaryStore.decode(MusicalWork.self, document)
            return .init(id: work.id, composer: work.composer, title: work.title, count: each.count)
        }.sorted { ($1.count, $0.title, $0.id) < ($0.count, $1.title, $1.id) }.prefixArray(most)
    }

    func people() throws -> [DiarySuggestions.Person] {
        var found: [String: DiarySuggestions.Person] = [:]
        for (role, kind, name) in [
            (DiaryTables.Role.conductor, DiaryTables.NameKind.conductor, "conductor"),
            (.soloist, .soloist, "soloist"), (.composer, .composer, "composer"),
        ] {
            for (text, count) in try names(
                kind, counting: count("role = \(role.rawValue) AND reference = name.number"))
            {
                var person = found[text] ?? DiarySuggestions.Person(name: text, roles: [], count: 0)
                if count > person.count {
                    person.roles.insert(name, at: 0)
                    person.count = count
                } else {
                    person.roles.append(name)
                }
                found[text] = person
            }
        }
        return found.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefixArray(most)
    }

    func venues() throws -> [DiarySuggestions.Named] {
        try names(
            .venue, counting: "(SELECT count(*) FROM concert WHERE venue = name.number AND \(visible.sql))"
        ).map { .init(id: $0.text, name: $0.text, count: $0.count) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefixArray(most)
    }

    func ensembles() throws -> [DiarySuggestions.Named] {
        let condition = WordConditions(text, in: "folded")
        let rows = try rows(
            """
            SELECT id, name, (
                SELECT count(*) FROM concert WHERE concert.ensemble = ensemble.number AND \(visible.sql)
            ) AS concerts FROM ensemble WHERE \(condition.sql) ORDER BY folded LIMIT 60
            """, visible.arguments + condition.arguments)
        return rows.map { DiarySuggestions.Named(id: $0["id"], name: $0["name"], count: $0["concerts"]) }
            .filter { $0.count > 0 }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefixArray(most)
    }

    /// A part of a statement: the number of concerts that count and whose programmes have such a mark.
    private func count(_ mark: String) -> String {
        """
        (SELECT count(*) FROM concert WHERE programme IN (
            SELECT item / \(DiaryTables.itemsPerProgramme) FROM mark WHERE \(mark)
        ) AND \(visible.sql))
        """
    }

    /// The names of a kind that have all words of the text, the last one also as the beginning of a word, each with the
    /// number of its concerts, if it has any that count.
    private func names(_ kind: DiaryTables.NameKind, counting count: String) throws -> [(
        text: String, count: Int
    )] {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        guard let last = words.last else { return [] }
        let terms = words.dropLast().map { "\"\(kind.letter)\($0)\"" } + ["\"\(kind.letter)\(last)\"*"]
        return try rows(
            """
            SELECT name.text AS text, \(count) AS concerts
            FROM (SELECT rowid AS number FROM nameWords WHERE nameWords MATCH ? LIMIT 60) AS found
            JOIN name ON name.number = found.number
            """, visible.arguments + [terms.joined(separator: " AND ")]
        ).map { (text: $0["text"], count: $0["concerts"]) }.filter { $0.count > 0 }
    }

    /// Runs a statement whose text is the same for all searches, so that it is prepared once.
    private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Array {
    fileprivate func prefixArray(_ count: Int) -> [Element] { Array(prefix(count)) }
}
