import Diary
import GRDB

/// Ensembles, places and events.
extension DiaryWriter {
    func ensembleNumber(_ id: String, of programme: String) throws -> Int64 {
        if let known = ensembles[id] { return known }
        guard
            let number = try Int64.fetchOne(
                db, sql: "SELECT number FROM ensemble WHERE id = ?", arguments: [id])
        else {
            throw CatalogueError.diaryRefused(
                "The entry “\(programme.prefix(60))” names the ensemble “\(id.prefix(60))”, which does not exist; "
                    + "add it first.")
        }
        ensembles[id] = number
        return number
    }

    func hasEnsemble(_ id: String) throws -> Bool {
        if ensembles[id] != nil { return true }
        ensembles[id] = try Int64.fetchOne(
            db, sql: "SELECT number FROM ensemble WHERE id = ?", arguments: [id])
        return ensembles[id] != nil
    }

    func save(_ ensemble: Ensemble) throws {
        guard (1...100).contains(ensemble.id.utf8.count), !ensemble.name.isEmpty else {
            throw CatalogueError.diaryRefused("An ensemble needs a name, and an id of 1 to 100 bytes.")
        }
        if let mbid = ensemble.mbid,
            let other = try String.fetchOne(
                db, sql: "SELECT id FROM ensemble WHERE mbid = ? AND id <> ?", arguments: [mbid, ensemble.id])
        {
            throw CatalogueError.diaryRefused(
                "The MBID \(mbid.prefix(60)) belongs to “\(other)” already; use that one.")
        }
        try db.execute(
            sql: """
                INSERT INTO ensemble (id, mbid, name, folded, document) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET mbid = excluded.mbid, name = excluded.name, folded = excluded.folded,
                document = excluded.document
                """,
            arguments: [
                ensemble.id, ensemble.mbid, ensemble.name, FoldedName.fold(ensemble.name),
                try DiaryStore.encode(ensemble),
            ])
        _ = try nameNumber(ensemble.name, .ensemble)
    }

    func savePlaces(of concert: DiaryConcert) throws {
        let (city, code) = (concert.city ?? "", concert.countryCode ?? "")
        if let name = concert.venue { try saveOnce(Venue(name: name, city: city, countryCode: code)) }
        if !city.isEmpty { try saveOnce(City(city: city, countryCode: code)) }
    }

    // A place keeps its first spelling: which concert of several was written last says nothing of its name.
    private func saveOnce(_ venue: Venue) throws {
        if places.insert(venue.id).inserted, try !has("venue", venue.id) { try save(venue) }
    }

    private func saveOnce(_ city: City) throws {
        if places.insert(city.id).inserted, try !has("city", city.id) { try save(city) }
    }

    private func has(_ table: String, _ id: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)"), arguments: [id])
            ?? false
    }

    func save(_ venue: Venue) throws {
        try db.execute(
            sql: """
                INSERT INTO venue (id, name, city, countryCode, folded) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, city = excluded.city
                """,
            arguments: [venue.id, venue.name, venue.city, venue.countryCode, FoldedName.fold(venue.name)])
    }

    func save(_ city: City) throws {
        try db.execute(
            sql: """
                INSERT INTO city (id, city, countryCode, folded) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET city = excluded.city
                """, arguments: [city.id, city.city, city.countryCode, FoldedName.fold(city.city)])
    }

    func save(_ country: Country) throws {
        try db.execute(
            sql: """
                INSERT INTO country (code, document) VALUES (?, ?)
                ON CONFLICT (code) DO UPDATE SET document = excluded.document
                """, arguments: [country.code, try DiaryStore.encode(country)])
        try DiaryTables.insertNames(of: country, db)
    }

    func save(_ event: DiaryEvent) throws {
        guard (1...200).contains(event.id.utf8.count), event.startDate <= event.endDate else {
            throw CatalogueError.diaryRefused("An event needs an id, and ends no earlier than it begins.")
        }
        let place = [event.venue ?? "", event.city ?? "", event.countryCode].map { FoldedName.fold($0) }
        try db.execute(
            sql: """
                INSERT INTO event (id, folded, place, startDate, endDate, document) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET folded = excluded.folded, place = excluded.place,
                startDate = excluded.startDate, endDate = excluded.endDate, document = excluded.document
                """,
            arguments: [
                event.id, FoldedName.fold(event.description), place.joined(separator: " "),
                event.startDate.number, event.endDate.number, try DiaryStore.encode(event),
            ])
        _ = try nameNumber(FoldedName.fold(event.description), .event)
    }
}
