import Diary
import Foundation
import GRDB

/// Writes entries and what belongs to them, in one transaction of the diary. It remembers the names that it has seen, so
/// it belongs to one transaction.
final class DiaryWriter {
    let db: Database
    private var names: [DiaryTables.NameKind: [String: Int64]] = [:]
    private var ensembles: [String: Int64] = [:]
    private var works: [String: (number: Int64, titles: Set<Int64>)] = [:]
    private var places: Set<String> = []

    init(_ db: Database) { self.db = db }

    enum Outcome { case added, changed, unchanged }

    /// Writes an entry with its works and places.
    func save(_ given: ConcertProgramme) throws -> (programme: ConcertProgramme, outcome: Outcome) {
        var programme = given
        for index in programme.items.indices where programme.items[index].kind == .work {
            let item = programme.items[index]
            programme.items[index].work =
                item.work ?? MusicalWork.makeID(composer: item.composer, title: item.title)
        }
        try check(programme)
        let document = try DiaryStore.encode(programme)
        guard document.count <= 4 << 20 else {
            throw CatalogueError.diaryRefused("The entry \(programme.id) has more than 4 MB; split it.")
        }
        let stored = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, document FROM programme WHERE id = ?"),
            arguments: [programme.id])
        if let stored, stored["document"] as Data == document { return (programme, .unchanged) }
        let number: Int64
        if let stored {
            number = stored["number"]
            try clear(number, try DiaryStore.decode(ConcertProgramme.self, stored["document"]))
            try db.cachedStatement(
                sql: "UPDATE programme SET visibility = ?, owner = ?, document = ? WHERE number = ?"
            ).execute(arguments: [programme.visibility.number, programme.owner, document, number])
        } else {
            try db.cachedStatement(
                sql: "INSERT INTO programme (id, visibility, owner, document) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [programme.id, programme.visibility.number, programme.owner, document])
            number = db.lastInsertedRowID
        }
        try writeConcerts(of: programme, number)
        for mark in try marks(of: programme, number) {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO mark (role, reference, item) VALUES (?, ?, ?)")
                .execute(arguments: [mark.role.rawValue, mark.reference, mark.item])
        }
        return (programme, stored == nil ? .added : .changed)
    }

    func remove(_ id: String) throws -> Bool {
        guard
            let stored = try Row.fetchOne(
                db, sql: "SELECT number, document FROM programme WHERE id = ?", arguments: [id])
        else { return false }
        let number: Int64 = stored["number"]
        try clear(number, try DiaryStore.decode(ConcertProgramme.self, stored["document"]))
        try db.execute(sql: "DELETE FROM programme WHERE number = ?", arguments: [number])
        return true
    }

    private func check(_ programme: ConcertProgramme) throws {
        let name = "The entry “\(programme.id.prefix(60))”"
        guard (1...200).contains(programme.id.utf8.count) else {
            throw CatalogueError.diaryRefused("An entry's id has 1 to 200 bytes; give it another.")
        }
        guard (1...500).contains(programme.concerts.count) else {
            throw CatalogueError.diaryRefused(
                "\(name) needs 1 to 500 concerts; it has \(programme.concerts.count).")
        }
        guard programme.items.count <= 2_000 else {
            throw CatalogueError.diaryRefused("\(name) has more than 2,000 items; split it.")
        }
        guard Set(programme.concerts.map(\.id)).count == programme.concerts.count else {
            throw CatalogueError.diaryRefused("\(name) has a concert's id twice; give each its own.")
        }
    }

    private func writeConcerts(of programme: ConcertProgramme, _ number: Int64) throws {
        let ensemble = try ensembleNumber(programme.ensemble, of: programme.id)
        for (position, concert) in programme.concerts.enumerated() {
            let other = try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT programme.id FROM concert JOIN programme ON programme.number = concert.programme
                        WHERE concert.id = ?
                        """), arguments: [concert.id])
            if let other {
                throw CatalogueError.diaryRefused(
                    "The concert “\(concert.id.prefix(60))” belongs to the entry “\(other.prefix(60))” already; "
                        + "give it another id.")
            }
            try savePlaces(of: concert)
            let place = [concert.venue, concert.city, concert.location, concert.countryCode]
                .map { FoldedName.fold($0 ?? "") }.joined(separator: " ")
            try db.cachedStatement(
                sql: """
                    INSERT INTO concert (id, programme, position, date, time, type, venue, ensemble, place, event, season,
                        visibility, owner, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                concert.id, number, position, concert.date.number, concert.time?.minutes ?? -1,
                try concert.type.map { try nameNumber($0, .type) },
                try concert.venue.map { try nameNumber($0, .venue) }, ensemble, place, concert.event,
                programme.season, programme.visibility.number, programme.owner,
                try DiaryStore.encode(concert),
            ])
        }
    }

    /// Removes the rows that an entry has beside its own.
    private func clear(_ number: Int64, _ programme: ConcertProgramme) throws {
        for mark in try marks(of: programme, number) {
            try db.cachedStatement(sql: "DELETE FROM mark WHERE role = ? AND reference = ? AND item = ?")
                .execute(arguments: [mark.role.rawValue, mark.reference, mark.item])
        }
        try db.execute(sql: "DELETE FROM concert WHERE programme = ?", arguments: [number])
    }

    private struct Mark {
        var role: DiaryTables.Role
        var reference: Int64
        var item: Int64
    }

    private func marks(of programme: ConcertProgramme, _ number: Int64) throws -> [Mark] {
        var marks: [Mark] = []
        for (position, item) in programme.items.enumerated() {
            let place = number * DiaryTables.itemsPerProgramme + Int64(position)
            func add(_ role: DiaryTables.Role, _ name: String, _ kind: DiaryTables.NameKind) throws {
                guard !name.isEmpty else { return }
                marks.append(Mark(role: role, reference: try nameNumber(name, kind), item: place))
            }
            if item.kind == .work { try add(.composer, item.composer, .composer) }
            if let work = item.work {
                marks.append(Mark(role: .work, reference: try workNumber(work, item), item: place))
            }
            for movement in item.movements { try add(.movement, movement, .movement) }
            for conductor in item.conductors { try add(.conductor, conductor, .conductor) }
            for soloist in item.soloists { try add(.soloist, soloist.name, .soloist) }
        }
        return marks
    }

    // MARK: Names

    func nameNumber(_ text: String, _ kind: DiaryTables.NameKind) throws -> Int64 {
        if let known = names[kind]?[text] { return known }
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM name WHERE kind = ? AND text = ?"),
            arguments: [kind.rawValue, text])
        let number = try stored ?? insertName(text, kind)
        names[kind, default: [:]][text] = number
        return number
    }

    private func insertName(_ text: String, _ kind: DiaryTables.NameKind) throws -> Int64 {
        let joined = FoldedName.words(text, splittingAtApostrophes: false)
        let split = FoldedName.words(text)
        try db.cachedStatement(sql: "INSERT INTO name (kind, text, sorted) VALUES (?, ?, ?)")
            .execute(arguments: [kind.rawValue, text, joined.sorted().joined(separator: " ")])
        let number = db.lastInsertedRowID
        let words = (joined + (split == joined ? [] : ["/"] + split)).map { kind.letter + $0 }
        try db.cachedStatement(sql: "INSERT INTO nameWords (rowid, words) VALUES (?, ?)")
            .execute(arguments: [number, words.joined(separator: " ")])
        return number
    }

    // MARK: Works

    private func workNumber(_ id: String, _ item: ProgrammeItem) throws -> Int64 {
        let title = try nameNumber(item.title, .title)
        if works[id] == nil {
            let stored = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT number FROM work WHERE id = ?"), arguments: [id])
            let number = try stored ?? save(MusicalWork(id: id, composer: item.composer, title: item.title))
            works[id] = (number, [])
        }
        guard let work = works[id] else { preconditionFailure("the work was just noted") }
        if works[id]?.titles.insert(title).inserted == true { try noteTitle(title, of: work.number) }
        return work.number
    }

    private func noteTitle(_ title: Int64, of work: Int64) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO workTitle (title, work) VALUES (?, ?)")
            .execute(arguments: [title, work])
    }

    /// Adds or replaces a work; what it is merged into stays.
    @discardableResult
    func save(_ given: MusicalWork) throws -> Int64 {
        let stored = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, document FROM work WHERE id = ?"), arguments: [given.id])
        guard (1...200).contains(given.id.utf8.count) else {
            throw CatalogueError.diaryRefused("A work's id has 1 to 200 bytes; give it another.")
        }
        var work = given
        let number: Int64
        if let stored {
            number = stored["number"]
            work.mergedInto = try DiaryStore.decode(MusicalWork.self, stored["document"]).mergedInto
            try db.execute(
                sql: "UPDATE work SET document = ? WHERE number = ?",
                arguments: [try DiaryStore.encode(work), number])
        } else {
            work.mergedInto = nil
            try db.cachedStatement(sql: "INSERT INTO work (id, identity, document) VALUES (?, 0, ?)")
                .execute(arguments: [work.id, try DiaryStore.encode(work)])
            number = db.lastInsertedRowID
            try db.cachedStatement(sql: "UPDATE work SET identity = number WHERE number = ?")
                .execute(arguments: [number])
        }
        try noteTitle(try nameNumber(work.title, .title), of: number)
        return number
    }

    // MARK: Ensembles and places

    private func ensembleNumber(_ id: String, of programme: String) throws -> Int64 {
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
    }

    private func savePlaces(of concert: DiaryConcert) throws {
        let (city, code) = (concert.city ?? "", concert.countryCode ?? "")
        if let name = concert.venue { try saveOnce(Venue(name: name, city: city, countryCode: code)) }
        if !city.isEmpty { try saveOnce(City(city: city, countryCode: code)) }
    }

    private func saveOnce(_ venue: Venue) throws {
        if places.insert(venue.id).inserted { try save(venue) }
    }

    private func saveOnce(_ city: City) throws {
        if places.insert(city.id).inserted { try save(city) }
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
    }
}
