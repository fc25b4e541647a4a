import Catalogue
import Diary

/// A page of a list of concerts, newest first.
struct ConcertPageJSON: Encodable {
    /// The number of all concerts that the question finds.
    var count: Int
    var concerts: [ConcertRowJSON]
    /// The value of `before` that gives the next page; nil after the last one.
    var next: Int?
}

struct WorkJSON: Encodable {
    struct Measured: Encodable {
        var id: String
        var date: String
        var title: String
        var seconds: Double
    }

    var id: String
    var title: String
    var composer: String
    var catalogueNumber: String?
    var movements: [String]
    var count: Int
    var concerts: [ConcertRowJSON]
    var next: Int?
    var measured: [Measured]
    /// The work's id in MusicBrainz.
    var mbid: String?
    /// The house's material for the work that the visitor may open.
    var holdings: [WorkHoldings.Holding] = []
    /// The ids that are linked by hand, for those who may change them.
    var linked: MusicalWork.Links?
    var mayEdit = false

    init(_ work: MusicalWork, _ rows: ConcertPageJSON, _ measured: [Measured]) {
        (id, title, composer) = (work.id, work.title, work.composer)
        (catalogueNumber, movements, mbid) = (work.catalogueNumber, work.movements, work.mbid)
        (count, concerts, next, self.measured) = (rows.count, rows.concerts, rows.next, measured)
    }
}

struct PersonJSON: Encodable {
    var name: String
    var roles: [String]
    var count: Int
    var concerts: [ConcertRowJSON]
    var next: Int?

    init(name: String, roles: [String], rows: ConcertPageJSON) {
        (self.name, self.roles) = (name, roles)
        (count, concerts, next) = (rows.count, rows.concerts, rows.next)
    }
}

struct EnsembleRowJSON: Encodable {
    var id: String
    var name: String
    var count: Int
}

struct EnsembleJSON: Encodable {
    var id: String
    var name: String
    var genre: String
    var biography: String
    var mbid: String?
    /// The source of the facts: a name, or an address.
    var source: String
    var mayEdit = false
    var count: Int
    var concerts: [ConcertRowJSON]
    var next: Int?

    init(_ ensemble: Ensemble, _ rows: ConcertPageJSON) {
        (id, name, genre) = (ensemble.id, ensemble.name, ensemble.genre)
        (mbid, source) = (ensemble.mbid, ensemble.source)
        biography = ensemble.biography["en"] ?? ensemble.biography.min { $0.key < $1.key }?.value ?? ""
        (count, concerts, next) = (rows.count, rows.concerts, rows.next)
    }
}

/// The answer to a search as one types.
struct SearchJSON: Encodable {
    struct Work: Encodable {
        var id: String
        var composer: String
        var title: String
        var count: Int
    }

    struct Person: Encodable {
        var id: String
        var name: String
        var roles: [String]
        var count: Int
    }

    struct Hall: Encodable {
        var name: String
        var count: Int
    }

    struct Year: Encodable {
        var year: String
        var count: Int
    }

    /// A festival, a town or a country; the id of a country is its code.
    struct Named: Encodable {
        var id: String
        var name: String
        var count: Int

        init(_ found: DiarySuggestions.Named) { (id, name, count) = (found.id, found.name, found.count) }
    }

    var count: Int
    var works: [Work]
    var people: [Person]
    var ensembles: [EnsembleRowJSON]
    var halls: [Hall]
    var events: [Named]
    var towns: [Named]
    var countries: [Named]
    var years: [Year]
    var concerts: [ConcertRowJSON]

    init(_ found: DiarySuggestions, _ rows: ConcertPageJSON) {
        count = rows.count
        works = found.works.map { Work(id: $0.id, composer: $0.composer, title: $0.title, count: $0.count) }
        people = found.people.map { Person(id: $0.name, name: $0.name, roles: $0.roles, count: $0.count) }
        ensembles = found.ensembles.map { EnsembleRowJSON(id: $0.id, name: $0.name, count: $0.count) }
        halls = found.venues.map { Hall(name: $0.name, count: $0.count) }
        events = found.events.map { Named($0) }
        (towns, countries) = (found.towns.map { Named($0) }, found.countries.map { Named($0) })
        years = found.year.map { [Year(year: String($0.year), count: $0.count)] } ?? []
        concerts = rows.concerts
    }
}

/// A festival or another event of several ensembles. The fields have the names of the API.
struct EventJSON: Encodable {
    struct Slot: Encodable {
        var bandId: String
        var startTime: String?
        var endTime: String?
    }

    var id: String
    var description: String
    var startDate: String
    var endDate: String
    var venue: String?
    var city: String?
    var countryCode: String
    var performances: [String: [String: [Slot]]]
    /// The names of the ensembles by id; nil in the API.
    var names: [String: String]?
    /// The entries of its concerts; nil in lists.
    var concerts: [Concert]?
    /// The revision for an edit; nil for those who may not edit.
    var revision: String?
    var mayEdit: Bool?

    /// A concert of the event as a row, with its stage.
    struct Concert: Encodable {
        var row: ConcertRowJSON
        var stage: String?

        func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encodeIfPresent(stage, forKey: .stage)
        }

        private enum CodingKeys: CodingKey { case stage }
    }

    init(_ event: DiaryEvent, names: [String: String]? = nil) {
        (id, description, venue, city) = (event.id, event.description, event.venue, event.city)
        (startDate, endDate, countryCode) = (
            event.startDate.description, event.endDate.description, event.countryCode
        )
        performances = event.performances.mapValues { stages in
            stages.mapValues { slots in
                slots.map { Slot(bandId: $0.ensemble, startTime: $0.startTime, endTime: $0.endTime) }
            }
        }
        self.names = names
    }
}

extension DiaryEvent {
    /// The ids of all ensembles that play, each once.
    var ensembleIDs: [String] {
        performances.values.flatMap(\.values).joined().map(\.ensemble).sorted().withoutRepeats
    }
}
