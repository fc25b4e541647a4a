import Catalogue
import Diary
import Foundation

/// A concert as a row of a list.
struct ConcertRowJSON: Encodable {
    struct Work: Encodable, Hashable {
        var composer: String
        var title: String
    }

    /// The most works that a row names, and the most conductors.
    private static let mostWorks = 4
    private static let mostConductors = 3

    var id: String
    var title: String
    var date: String
    var start: String?
    var venue: String?
    var city: String?
    var ensemble: String
    var state: String?
    var isPrivate: Bool
    var works: [Work]
    var workCount: Int
    /// The conductors in the order of the programme, each once.
    var conductors: [String]

    init(_ found: FoundConcert, _ programme: ProgrammeOutline?) {
        self.init(
            found.concert, of: programme, ensembleName: found.ensembleName, visibility: found.visibility)
    }

    init(
        _ concert: DiaryConcert, of programme: ProgrammeOutline?, ensembleName: String,
        visibility: ConcertProgramme.Visibility
    ) {
        let groups = programme.map { WorkGroup.groups(of: $0.items) } ?? []
        id = concert.id
        date = concert.date.description
        start = concert.time.map { "\(concert.date)T\($0)" }
        venue = concert.venue
        city = concert.city ?? concert.location
        ensemble = ensembleName
        title = programme?.title ?? ensembleName
        state = visibility == .proposed ? "proposed" : nil
        isPrivate = visibility == .private
        works = groups.prefix(Self.mostWorks).map { Work(composer: $0.composer, title: $0.title) }
        workCount = groups.count
        let all = programme?.items.flatMap(\.conductors) ?? []
        conductors = Array(all.withoutRepeats.prefix(Self.mostConductors))
    }
}

/// A concert's page.
struct ConcertJSON: Encodable {
    struct Movement: Encodable {
        var title: String
        var start: String?
        var seconds: Double?
        var source: String
        /// The index of the item in ``/evening``; nil if nothing was heard of it.
        var playing: Int?
    }

    struct Item: Encodable {
        var kind: String
        var id: String?
        var composer: String?
        var title: String
        var movements: [Movement]?
        var conductors: [String]?
        var soloists: [ProgrammeItem.Soloist]?
        var isEncore: Bool?
        var seconds: Double?
        var source: String
        /// The origin of conductors and soloists, such as `typed`.
        var peopleSource: String?
        /// The house's material for the work that the visitor may open.
        var holdings: [WorkHoldings.Holding]?
    }

    struct Intervention: Encodable {
        var time: String
        var who: String
        var what: String
    }

    struct Comparable: Encodable {
        var id: String
        var date: String
        var title: String
    }

    struct Imported: Encodable {
        var source: String
        var link: String
    }

    var id: String
    var entry: String
    var title: String
    var date: String
    var start: String?
    var end: String?
    var venue: String?
    var stage: String?
    var city: String?
    var country: String?
    var type: String?
    var season: String?
    var event: String?
    var isSupportAct: Bool
    /// The addresses of recordings on the web, for people to open.
    var recordings: [String]
    var ensemble: String
    var ensembleID: String
    /// `proposed` or `confirmed` for entries of the house; nil for imported ones, which nobody has to confirm.
    var state: String?
    var isPrivate: Bool
    /// The number of the concerts that are published or hidden together with this one, itself counted.
    var concertsOfEntry: Int
    var mayEdit: Bool
    var source: String
    var programme: [Item]
    var comment: String
    var servedBy: [String]?
    var interventions: [Intervention]?
    /// The origins of the fields that differ from ``source``, by the field's name.
    var sources: [String: String] = [:]
    /// The record at an outside source from which the entry was imported.
    var imported: Imported?
    var mayRemove: Bool
    var comparable: [Comparable] = []
    var links: [String: String] = [:]

    init(
        _ concert: DiaryConcert, of programme: ConcertProgramme, ensembleName: String, for viewer: DiaryViewer
    ) {
        id = concert.id
        entry = programme.id
        title = programme.title ?? ensembleName
        date = concert.date.description
        start = concert.time.map { "\(concert.date)T\($0)" }
        end = concert.endTime.map { "\(concert.endDate ?? concert.date)T\($0)" }
        (venue, stage, city) = (concert.venue, concert.stage, concert.city ?? concert.location)
        (country, type, season) = (concert.countryCode, concert.type, programme.season)
        (event, isSupportAct) = (concert.event, concert.isSupportAct)
        recordings = concert.recordings.map(\.address)
        (ensemble, ensembleID) = (ensembleName, programme.ensemble)
        mayEdit = viewer.mayEdit(programme)
        isPrivate = programme.visibility == .private
        concertsOfEntry = programme.concerts.count
        state =
            programme.visibility == .proposed
            ? "proposed" : programme.provenance.usual == .imported ? nil : "confirmed"
        source = programme.provenance.usual.rawValue
        mayRemove = viewer.person?.role == .administrator && programme.owner == nil
        imported = programme.provenance.record.map {
            Imported(source: programme.provenance.source, link: $0.link)
        }
        let place = programme.concerts.firstIndex { $0.id == concert.id } ?? 0
        let paths = [
            "title": "title", "comment": "note", "ensemble": "ensemble", "date": "concerts/\(place)/date",
            "start": "concerts/\(place)/time", "end": "concerts/\(place)/endTime",
            "venue": "concerts/\(place)/venue", "city": "concerts/\(place)/city",
            "stage": "concerts/\(place)/stage", "country": "concerts/\(place)/countryCode",
            "recordings": "concerts/\(place)/recordings",
        ]
        sources = paths.mapValues { programme.provenance.origin(of: $0).rawValue }.filter {
            [source] in $0.value != source
        }
        let zone = concert.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        self.programme = programme.itemsJSON(in: zone)
        comment = programme.note
        guard viewer.isStaff else { return }
        servedBy = programme.servedBy
        interventions = programme.items.flatMap { $0.heard?.interventions ?? [] }.map {
            Intervention(time: Self.moment($0.milliseconds, in: zone), who: $0.by, what: $0.what)
        }
    }

    static func moment(_ milliseconds: Int64, in zone: TimeZone) -> String {
        let moment = LocalMoment(milliseconds, in: zone)
        return "\(moment.date)T\(moment.time)"
    }
}

/// Items of one work that follow each other: its movements.
struct WorkGroup {
    var composer: String
    var title: String
    /// Indices into ``ConcertProgramme/items``.
    var items: [Int]

    /// The works in their order, each with its items.
    static func groups(of items: [ProgrammeOutline.Item]) -> [WorkGroup] {
        var groups: [WorkGroup] = []
        var isBroken = true
        for (index, item) in items.enumerated() {
            guard item.kind == .work else {
                isBroken = true
                continue
            }
            if !isBroken, let last = groups.last, last.title == item.title, last.composer == item.composer,
                items[last.items[0]].isEncore == item.isEncore
            {
                groups[groups.count - 1].items.append(index)
            } else {
                groups.append(WorkGroup(composer: item.composer, title: item.title, items: [index]))
            }
            isBroken = false
        }
        return groups
    }
}

extension ConcertProgramme {
    /// The works in their order, each with its items.
    var workGroups: [WorkGroup] { WorkGroup.groups(of: ProgrammeOutline(self).items) }

    fileprivate func itemsJSON(in zone: TimeZone) -> [ConcertJSON.Item] {
        let groups = Dictionary(uniqueKeysWithValues: workGroups.map { ($0.items[0], $0) })
        return items.indices.compactMap { index in
            let item = items[index]
            let source = provenance.origin(of: "items/\(index)").rawValue
            guard item.kind == .work else {
                return ConcertJSON.Item(
                    kind: "intermission", title: item.title, seconds: item.heard?.lengthSeconds,
                    source: source)
            }
            guard let group = groups[index] else { return nil }
            let conductors = group.items.flatMap { items[$0].conductors }
            let soloists = group.items.flatMap { items[$0].soloists }
            return ConcertJSON.Item(
                kind: "work", id: item.work, composer: item.composer, title: item.title,
                movements: movementsJSON(group, in: zone), conductors: conductors.withoutRepeats,
                soloists: soloists.withoutRepeats, isEncore: item.isEncore, source: source,
                peopleSource: conductors.isEmpty && soloists.isEmpty ? nil : peopleOrigin(of: index).rawValue)
        }
    }

    /// The origin of an item's people: typed, if a person typed any of them.
    private func peopleOrigin(of index: Int) -> FieldOrigin {
        let origins = ["conductors", "soloists"].map { provenance.origin(of: "items/\(index)/\($0)") }
        return origins.contains(.typed) ? .typed : origins[0]
    }

    private func movementsJSON(_ group: WorkGroup, in zone: TimeZone) -> [ConcertJSON.Movement] {
        group.items.flatMap { index -> [ConcertJSON.Movement] in
            let item = items[index]
            let source = provenance.origin(of: "items/\(index)").rawValue
            guard let heard = item.heard else {
                return item.movements.map { ConcertJSON.Movement(title: $0, source: source) }
            }
            return [
                ConcertJSON.Movement(
                    title: item.movements.joined(separator: ", "),
                    start: ConcertJSON.moment(heard.startMilliseconds, in: zone),
                    seconds: heard.lengthSeconds,
                    source: source, playing: index)
            ]
        }
    }
}

extension Array where Element: Hashable {
    /// The elements in their order, each once.
    var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The bars of an evening, for the tempo curves: for each item of the programme what was heard of it.
struct EveningJSON: Encodable {
    struct Playing: Encodable {
        var work: String
        var movement: String
        var model: String
        var confidence: Double?
        var tempoRatio: Double?
        /// Each bar: printed number, played index, seconds since the beginning, length in seconds or null.
        var bars: [[Double?]]
    }

    /// Null for an item that was not heard.
    var playings: [Playing?]

    init(_ programme: ConcertProgramme) {
        playings = programme.items.map { item in
            guard let heard = item.heard, !heard.model.isEmpty else { return nil }
            let lengths = heard.barLengths
            return Playing(
                work: item.title, movement: item.movements.joined(separator: ", "), model: heard.model,
                confidence: heard.confidence, tempoRatio: heard.tempoRatio,
                bars: heard.bars.map {
                    [Double($0.printed), Double($0.played), $0.seconds, lengths[$0.played]]
                })
        }
    }
}
