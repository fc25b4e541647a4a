import Diary
import Foundation
import GRDB

extension DiaryStore {
    /// Takes records into the diary within one import.
    public final class Import {
        private let writer: DiaryWriter
        private var merges: [(part: String, whole: String)] = []
        public private(set) var counts = ImportCounts()

        init(_ writer: DiaryWriter) { self.writer = writer }

        /// Adds an ensemble unless there is one with its id.
        public func addIfMissing(_ ensemble: Ensemble) throws { try writer.addIfMissing(ensemble) }

        /// Adds an entry of a source, or brings it up to date. One that a person corrected stays as it is, and one
        /// that a person hid stays hidden: who sees an entry is decided here, and by no source.
        public func add(_ given: ConcertProgramme) throws {
            var programme = given
            counts.concerts += programme.concerts.count
            if let chosen = try writer.visibility(of: programme.id) { programme.visibility = chosen }
            if try writer.isCorrected(programme.id) {
                counts.kept += 1
            } else {
                count(try writer.save(programme).outcome)
            }
        }

        /// Writes a record of the diary's own file; it replaces the one with its id.
        public func restore(_ record: DiaryRecord) throws {
            switch record {
            case .ensemble(let ensemble): try writer.save(ensemble)
            case .work(let work):
                try writer.save(work)
                if let whole = work.mergedInto { merges.append((work.id, whole)) }
            case .country(let country): try writer.save(country)
            case .city(let city): try writer.save(city)
            case .venue(let venue): try writer.save(venue)
            case .event(let event): try writer.save(event)
            case .programme(let programme):
                counts.concerts += programme.concerts.count
                count(try writer.save(programme).outcome)
            }
        }

        private func count(_ outcome: DiaryWriter.Outcome) {
            switch outcome {
            case .added: counts.added += 1
            case .changed: counts.changed += 1
            case .unchanged: counts.unchanged += 1
            }
        }

        func finish() throws { try writer.restoreMerges(merges) }
    }

    /// Imports records: all that `feed` passes on, or nothing if it throws or the process ends.
    /// - Parameters:
    ///   - format: the format's name, for the list of imports.
    ///   - feed: passes the records to the import, on a thread of the database; returns the report, as JSON.
    public func importRecords(
        format: String, atMilliseconds now: Int64, _ feed: @escaping @Sendable (Import) throws -> [UInt8]
    ) async throws -> ImportCounts {
        // Without older changes the log can be emptied again also on a disk on which the database cannot grow.
        try? await giveBackLogSpace()
        do {
            return try await databaseWriter.write { db in
                let records = Import(DiaryWriter(db))
                let report = try feed(records)
                try records.finish()
                try db.execute(
                    sql: "INSERT INTO importRun (format, finishedAt, report) VALUES (?, ?, ?)",
                    arguments: [format, now, Data(report)])
                return records.counts
            }
        } catch {
            // A large import that failed has left its pages in the write-ahead log, most harmful on a full disk.
            try? await giveBackLogSpace()
            throw (error as? DatabaseError).map { CatalogueError.wrapping($0, path: path) } ?? error
        }
    }

    /// Empties the write-ahead log, if nobody reads from it for longer than a second.
    private func giveBackLogSpace() async throws {
        try await databaseWriter.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA busy_timeout = 1000")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(Self.busySeconds * 1_000)") }
            _ = try db.checkpoint(.truncate)
        }
    }

    /// The records of the diary at one moment, as JSON.
    public struct Export {
        let db: Database

        /// Passes on all records, kind by kind in the order of ``DiaryRecord/Kind``, sorted by id.
        public func forEach(
            _ kinds: [DiaryRecord.Kind] = DiaryRecord.Kind.allCases,
            _ receive: (DiaryRecord.Kind, Data) throws -> Void
        ) throws {
            for kind in kinds { try DiaryStore.export(kind, db, receive) }
        }
    }

    /// Reads the records of one moment, on a thread of the database.
    public func exportRecords(_ body: @escaping @Sendable (Export) throws -> Void) async throws {
        do {
            try await databaseWriter.read { db in try body(Export(db: db)) }
        } catch let error as DatabaseError {
            throw CatalogueError.wrapping(error, path: path)
        }
    }

    fileprivate static func export(
        _ kind: DiaryRecord.Kind, _ db: Database, _ receive: (DiaryRecord.Kind, Data) throws -> Void
    ) throws {
        let table =
            switch kind {
            case .ensembles: "ensemble"
            case .works: "work"
            case .countries: "country"
            case .cities: "city"
            case .venues: "venue"
            case .events: "event"
            case .programmes: "programme"
            }
        switch kind {
        case .cities, .venues:
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY id")
            while let row = try rows.next() {
                let (city, code): (String, String) = (row["city"], row["countryCode"])
                try receive(
                    kind,
                    kind == .cities
                        ? encode(City(city: city, countryCode: code))
                        : encode(Venue(name: row["name"], city: city, countryCode: code)))
            }
        default:
            let key = kind == .countries ? "code" : "id"
            let documents = try Data.fetchCursor(db, sql: "SELECT document FROM \(table) ORDER BY \(key)")
            while let document = try documents.next() { try receive(kind, document) }
        }
    }
}

extension DiaryWriter {
    func addIfMissing(_ ensemble: Ensemble) throws {
        if try !hasEnsemble(ensemble.id) { try save(ensemble) }
    }

    /// The visibility of the stored entry; nil if there is none.
    func visibility(of id: String) throws -> ConcertProgramme.Visibility? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT visibility FROM programme WHERE id = ?"), arguments: [id]
        ).map { ConcertProgramme.Visibility(number: $0) }
    }

    /// True if a person typed a field of the stored entry.
    func isCorrected(_ id: String) throws -> Bool {
        let stored = try Data.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT document FROM programme WHERE id = ? AND instr(document, CAST('\"typed\"' AS BLOB)) > 0"
            ),
            arguments: [id])
        guard let stored else { return false }
        let provenance = try DiaryStore.decode(ConcertProgramme.self, stored).provenance
        return provenance.hasTypedField
    }

    /// Merges works as a file says; those that are merged so already stay.
    func restoreMerges(_ merges: [(part: String, whole: String)]) throws {
        for (part, whole) in merges {
            let stored = try Data.fetchOne(
                db, sql: "SELECT document FROM work WHERE id = ?", arguments: [part])
            let present = try stored.map { try DiaryStore.decode(MusicalWork.self, $0).mergedInto }
            if present != whole { try merge(part, into: whole) }
        }
    }
}
