import Diary
import Foundation
import GRDB

/// Ensembles, events, venues, cities and countries.
extension DiaryStore {
    // MARK: Ensembles

    /// Returns all ensembles by name.
    public func ensembles() async throws(CatalogueError) -> [Ensemble] {
        try await read { db in
            try Data.fetchAll(db, sql: "SELECT document FROM ensemble ORDER BY folded, id")
                .map { try Self.decode(Ensemble.self, $0) }
        }
    }

    /// Returns an ensemble by its id or its MBID; nil if there is none.
    public func ensemble(_ id: String) async throws(CatalogueError) -> Ensemble? {
        try await read { db in
            try Data.fetchOne(
                db, sql: "SELECT document FROM ensemble WHERE id = ? OR mbid = ? ORDER BY id = ? DESC",
                arguments: [id, id, id]
            ).map { try Self.decode(Ensemble.self, $0) }
        }
    }

    /// Returns the ensembles whose names have all words of a text, the last one also as the beginning of a word.
    public func ensembles(named text: String) async throws(CatalogueError) -> [Ensemble] {
        try await read { db in
            try Data.fetchAll(
                db,
                sql:
                    "SELECT document FROM ensemble WHERE \(WordConditions(text, in: "folded").sql) ORDER BY folded",
                arguments: WordConditions(text, in: "folded").arguments
            ).map { try Self.decode(Ensemble.self, $0) }
        }
    }

    /// The ensemble of a name with its id, if there is one; otherwise an id that no ensemble has.
    public func ensembleOrFreeID(
        named name: String
    ) async throws(CatalogueError) -> (known: Ensemble?, id: String) {
        if let known = try await ensembles(named: name).first(where: { $0.isNamed(name) }) {
            return (known, known.id)
        }
        let made = DiaryID.make("ensemble", name)
        var (id, number) = (made, 1)
        while let other = try await ensemble(id) {
            if other.isNamed(name) { return (other, other.id) }
            number += 1
            id = "\(made)-\(number)"
        }
        return (nil, id)
    }

    /// Adds an ensemble, or replaces the one with its id.
    /// - Throws: ``CatalogueError/diaryRefused(_:)`` if its MBID belongs to another ensemble.
    public func save(_ ensemble: Ensemble) async throws(CatalogueError) {
        try await write { db in try DiaryWriter(db).save(ensemble) }
    }

    // MARK: Events

    public func event(_ id: String) async throws(CatalogueError) -> DiaryEvent? {
        try await read { db in
            try Data.fetchOne(db, sql: "SELECT document FROM event WHERE id = ?", arguments: [id])
                .map { try Self.decode(DiaryEvent.self, $0) }
        }
    }

    /// Returns the events with all words of a text that touch the days from `start` to `end`, by date.
    public func events(
        named text: String = "", start: CalendarDate? = nil, end: CalendarDate? = nil, location: String? = nil
    ) async throws(CatalogueError) -> [DiaryEvent] {
        try await read { db in
            let name = WordConditions(text, in: "folded")
            let place = WordConditions(location ?? "", in: "place")
            return try Data.fetchAll(
                db,
                sql: """
                    SELECT document FROM event WHERE \(name.sql) AND \(place.sql) AND endDate >= ? AND startDate <= ?
                    ORDER BY startDate, id
                    """,
                arguments: name.arguments + place.arguments + [start?.number ?? 0, end?.number ?? 99_999_999]
            ).map { try Self.decode(DiaryEvent.self, $0) }
        }
    }

    public func save(_ event: DiaryEvent) async throws(CatalogueError) {
        try await write { db in try DiaryWriter(db).save(event) }
    }

    // MARK: Places

    /// Returns the venues with all words of a text, by name.
    public func venues(
        named text: String = "", city: String? = nil, countryCode: String? = nil
    ) async throws(CatalogueError) -> [Venue] {
        try await read { db in
            let name = WordConditions(text, in: "folded")
            return try Row.fetchAll(
                db, sql: "SELECT * FROM venue WHERE \(name.sql) ORDER BY name, id", arguments: name.arguments
            ).map { Venue(name: $0["name"], city: $0["city"], countryCode: $0["countryCode"]) }
                .filter { venue in
                    (city.map { FoldedName.fold($0) == FoldedName.fold(venue.city) } ?? true)
                        && (countryCode.map { $0.uppercased() == venue.countryCode } ?? true)
                }
        }
    }

    public func save(_ venue: Venue) async throws(CatalogueError) {
        try await write { db in try DiaryWriter(db).save(venue) }
    }

    /// Returns the cities with all words of a text, by name.
    public func cities(named text: String = "", countryCode: String? = nil) async throws(CatalogueError)
        -> [City]
    {
        try await read { db in
            let name = WordConditions(text, in: "folded")
            return try Row.fetchAll(
                db, sql: "SELECT * FROM city WHERE \(name.sql) ORDER BY city, id", arguments: name.arguments
            ).map { City(city: $0["city"], countryCode: $0["countryCode"]) }
                .filter { city in countryCode.map { $0.uppercased() == city.countryCode } ?? true }
        }
    }

    public func save(_ city: City) async throws(CatalogueError) {
        try await write { db in try DiaryWriter(db).save(city) }
    }

    /// Returns all countries by code.
    public func countries() async throws(CatalogueError) -> [Country] {
        try await read { db in
            try Data.fetchAll(db, sql: "SELECT document FROM country ORDER BY code")
                .map { try Self.decode(Country.self, $0) }
        }
    }

    /// Adds countries, or replaces those with their codes; all or none.
    public func save(_ countries: [Country]) async throws(CatalogueError) {
        try await write { db in
            let writer = DiaryWriter(db)
            for country in countries { try writer.save(country) }
        }
    }
}

extension Ensemble {
    /// True if a text means this name; texts without letters and digits must be equal.
    fileprivate func isNamed(_ text: String) -> Bool {
        let folded = FoldedName.fold(text)
        return folded.isEmpty ? name == text : folded == FoldedName.fold(name)
    }
}

/// A condition that a column of folded words has all words of a text; the last one may be the beginning of a word.
struct WordConditions {
    var sql: String
    var arguments: StatementArguments

    init(_ text: String, in column: String) {
        let words = FoldedName.words(text)
        guard !words.isEmpty else {
            (sql, arguments) = ("1", StatementArguments())
            return
        }
        sql = words.map { _ in "instr(' ' || \(column) || ' ', ?) > 0" }.joined(separator: " AND ")
        arguments = StatementArguments(
            words.enumerated().map { $0.offset == words.count - 1 ? " \($0.element)" : " \($0.element) " })
    }
}
