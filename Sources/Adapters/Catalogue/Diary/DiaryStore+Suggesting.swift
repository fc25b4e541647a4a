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
    /// Festivals and tours; the count is that of their concerts, also 0.
    public var events: [Named] = []
    /// Towns with just this name; the id is the name.
    public var towns: [Named] = []
    /// Countries with just this name; the id is the code.
    public var countries: [Named] = []
    public var year: Year?

    public init() {}

    public var isEmpty: Bool {
        works.isEmpty && people.isEmpty && ensembles.isEmpty && venues.isEmpty && events.isEmpty
            && towns.isEmpty
            && countries.isEmpty && year == nil
    }

    /// Adds what another text for the same thing means.
    fileprivate mutating func add(_ other: DiarySuggestions) {
        func sorted<Element>(_ all: [Element], _ id: KeyPath<Element, String>, _ count: KeyPath<Element, Int>)
            -> [Element]
        {
            var seen: Set<String> = []
            return all.filter { seen.insert($0[keyPath: id]).inserted }
                .sorted { ($1[keyPath: count], $0[keyPath: id]) < ($0[keyPath: count], $1[keyPath: id]) }
        }
        works = sorted(works + other.works, \.id, \.count)
        people = sorted(people + other.people, \.name, \.count)
        ensembles = sorted(ensembles + other.ensembles, \.id, \.count)
        venues = sorted(venues + other.venues, \.id, \.count)
        events = sorted(events + other.events, \.id, \.count)
        towns = sorted(towns + other.towns, \.id, \.count)
        countries = sorted(countries + other.countries, \.id, \.count)
    }

    fileprivate mutating func limit(to most: Int) {
        (works, people) = (works.prefixArray(most), people.prefixArray(most))
        (ensembles, venues, events) = (
            ensembles.prefixArray(most), venues.prefixArray(most), events.prefixArray(most)
        )
    }

    /// Narrows a question to what the text most likely means: a year, a country or a town, else the meaning with most
    /// concerts. A text that names nothing of it as a whole is taken apart.
    public func narrowed(_ query: DiaryQuery) -> DiaryQuery {
        var query = query
        if let country = countries.first {
            // Several countries of one name are taken apart.
            if countries.count == 1 { query.countryCode = country.id } else { query.words = words }
            return query
        }
        // A person whose name has just these words may be meant rather than a town of this name.
        let asked = Set(FoldedName.words(words))
        let named = people.first { asked.isSubset(of: FoldedName.words($0.name)) }
        if let town = towns.first, town.count >= named?.count ?? 0 {
            query.location = town.id
            return query
        }
        if let year {
            query.start = CalendarDate(year: year.year, month: 1, day: 1)
            query.end = CalendarDate(year: year.year, month: 12, day: 31)
            return query
        }
        let best = [people.first?.count, works.first?.count, venues.first?.count, ensembles.first?.count]
            .compactMap { $0 }.max()
        switch best {
        case nil where events.first?.count ?? 0 > 0: query.event = events.first?.id
        case nil: query.words = words
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
    fileprivate static let mostCandidates = 60

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
            if found.year != nil { return found }
        }
        found.add(try search.meanings())
        let known = KnownNames.names(FoldedName.words(text, splittingAtApostrophes: false))
        for name in known { found.add(try search.meanings(of: name)) }
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        if words.count == 1, !found.isEmpty {
            for other in try DiaryWordSearch(db: db).soundingTheSame(words[0]) {
                found.add(try search.meanings(of: .words([other])))
            }
        }
        if found.isEmpty {
            found.works = try search.works(
                DiaryNameSearch(db).worksWithComposer(text, most: Self.mostCandidates))
        }
        if found.isEmpty {
            for text in try DiaryWordSearch(db: db).corrected(text) {
                found.add(
                    try DiarySuggestionSearch(db: db, text: text, visible: condition, most: most).meanings())
            }
        }
        found.limit(to: most)
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

    /// Works, people, ensembles and halls whose names have the whole text.
    func meanings() throws -> DiarySuggestions {
        var found = DiarySuggestions()
        found.works = try works(DiaryStore.limitedCandidates(try DiaryNameSearch(db).workIdentities(text)))
        (found.people, found.venues, found.ensembles) = (try people(), try venues(), try ensembles())
        (found.events, found.towns, found.countries) = (try events(), try towns(), try countries())
        return found
    }

    /// Entries that have the name under which the archive lists what a person typed.
    func meanings(of name: KnownNames.Name) throws -> DiarySuggestions {
        var found = DiarySuggestions()
        switch name {
        case .words(let words):
            let other = words.joined(separator: " ")
            guard other != FoldedName.words(text, splittingAtApostrophes: false).joined(separator: " ") else {
                break
            }
            found = try Self(db: db, text: other, visible: visible, most: most).meanings()
        case .work(let composer, let title):
            let words = (composer + title).joined(separator: " ")
            found.works = try works(
                DiaryNameSearch(db).worksWithComposer(words, most: DiaryStore.mostCandidates))
        case .country(let code): found.countries = try countries([code])
        }
        return found
    }

    func events() throws -> [DiarySuggestions.Named] {
        let condition = WordConditions(text, in: "folded")
        return try rows(
            """
            SELECT id, json_extract(CAST(document AS TEXT), '$.description') AS name, (
                SELECT count(*) FROM concert WHERE concert.event = event.id AND \(visible.sql)
            ) AS concerts FROM event WHERE \(condition.sql) ORDER BY startDate DESC LIMIT 20
            """, visible.arguments + condition.arguments
        ).map { .init(id: $0["id"], name: $0["name"] ?? "", count: $0["concerts"]) }.prefixArray(most)
    }

    /// The towns with just this name; only those with a concert that counts.
    func towns() throws -> [DiarySuggestions.Named] {
        let folded = FoldedName.fold(text)
        guard
            let name = try String.fetchOne(
                db.cachedStatement(sql: "SELECT city FROM city WHERE folded = ? ORDER BY id"),
                arguments: [folded])
        else { return [] }
        let place = WordConditions(name, in: "place")
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM concert WHERE \(place.sql) AND \(visible.sql)"),
            arguments: place.arguments + visible.arguments)
        return count.flatMap { $0 > 0 ? [.init(id: name, name: name, count: $0)] : nil } ?? []
    }

    func countries() throws -> [DiarySuggestions.Named] {
        try countries(DiaryWordSearch(db: db).countries(named: FoldedName.words(text)))
    }

    /// Those of the countries that have a concert that counts, by their English names.
    private func countries(_ codes: [String]) throws -> [DiarySuggestions.Named] {
        try codes.compactMap { code in
            let place = DiaryWordSearch.isIn(code)
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM concert WHERE \(place.sql) AND \(visible.sql)"),
                arguments: place.arguments + visible.arguments)
            guard let count, count > 0 else { return nil }
            let document = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT document FROM country WHERE code = ?"), arguments: [code])
            let name = try document.map { try DiaryStore.decode(Country.self, $0).name }?["en"]
            return .init(id: code, name: name ?? text, count: count)
        }
    }

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
