import Diary
import Foundation
import GRDB

/// Writes entries and what belongs to them, in one transaction of the diary. It remembers the names that it has seen,
/// so it belongs to one transaction.
final class DiaryWriter {
    let db: Database
    var names: [DiaryTables.NameKind: [String: Int64]] = [:]
    var ensembles: [String: Int64] = [:]
    var works: [String: (number: Int64, titles: Set<Int64>)] = [:]
    var places: Set<String> = []

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
            try db.cachedStatement(sql: "DELETE FROM removed WHERE id = ?").execute(arguments: [programme.id])
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
        try db.execute(sql: "INSERT OR IGNORE INTO removed (id) VALUES (?)", arguments: [id])
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
        guard programme.items.allSatisfy({ $0.heard?.isPossible ?? true }) else {
            throw CatalogueError.diaryRefused("\(name) has impossible times or bars in “heard”.")
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
            // The lists of places are for everybody, so a hidden entry adds none.
            if programme.visibility == .published { try savePlaces(of: concert) }
            let place = [concert.venue, concert.city, concert.location, concert.countryCode]
                .map { FoldedName.fold($0 ?? "") }.joined(separator: " ")
            _ = try nameNumber(place, .place)
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
}

extension HeardPerformance {
    /// The moments of the years 1970 to 9999, in milliseconds.
    private static let possibleMoments: ClosedRange<Int64> = 0...253_402_300_799_999
    private static let possibleBars = 0...10_000_000
    private static let mostSeconds = 1e7

    /// True if the times and bars are some that can be counted with.
    fileprivate var isPossible: Bool {
        let moments = [startMilliseconds, endMilliseconds] + interventions.map(\.milliseconds)
        return startMilliseconds <= endMilliseconds && moments.allSatisfy(Self.possibleMoments.contains)
            && bars.allSatisfy { Self.possibleBars.contains($0.played) && abs($0.seconds) < Self.mostSeconds }
    }
}
