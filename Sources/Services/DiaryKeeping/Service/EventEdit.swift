import Catalogue
import Diary
import Editing
import Platform
import WebServer

/// A festival or a tour as people enter it on the page: its name, its days, and its concerts.
struct EventEdit: Decodable, Sendable {
    struct Concert: Decodable, Sendable {
        /// The concert's id; nil or empty for a new one.
        var id: String?
        var date: String
        var start: String?
        var ensemble: String
        var stage: String?
        var venue: String?
        var city: String?
    }

    /// The revision that the person saw; empty for a new event.
    var revision: String?
    var description: String
    var startDate: String
    var endDate: String
    var venue: String?
    var city: String?
    var countryCode: String?
    var concerts: [Concert]

    static let mostConcerts = 300

    var isNew: Bool { revision?.isEmpty ?? true }

    /// The revision of an event as it is stored.
    static func revision(of event: DiaryEvent, _ programmes: [ConcertProgramme]) -> String {
        let concerts = programmes.flatMap(\.concerts).filter { $0.event == event.id }
        return Digest(of: JSONBody.encode(event) + JSONBody.encode(concerts)).description
    }

    /// The event without its performances, checked.
    /// - Parameter known: the event as it is stored; nil for a new one.
    func event(_ id: String, changing known: DiaryEvent?) throws(DiaryInputFault) -> DiaryEvent {
        guard concerts.count <= Self.mostConcerts else {
            throw DiaryInputFault("concerts", "An event has at most \(Self.mostConcerts) concerts; split it.")
        }
        return try EventRecord(
            id: id, description: description, startDate: startDate, endDate: endDate, venue: venue ?? "",
            city: city ?? "", countryCode: countryCode ?? known?.countryCode ?? "", performances: [:]
        ).event(changing: known)
    }
}

extension EventRecord {
    init(
        id: String, description: String, startDate: String, endDate: String, venue: String?, city: String?,
        countryCode: String?, performances: [String: [String: [Slot]]]
    ) {
        (self.id, self.description, self.startDate, self.endDate) = (id, description, startDate, endDate)
        (self.venue, self.city, self.countryCode) = (venue, city, countryCode)
        self.performances = performances
    }
}

/// Writes an event of the page with its ensembles and concerts: all of it, or nothing.
struct EventKeeper: Sendable {
    let store: DiaryStore

    /// - Returns: the new revision.
    /// - Throws: ``Refusal`` 409 if somebody else has changed it.
    func write(_ edit: EventEdit, as id: String) async throws -> String {
        try await store.retrying("event") {
            let old = try await store.event(id)
            let programmes = try await store.programmes(ofEvent: id)
            let present = old.map { EventEdit.revision(of: $0, programmes) } ?? ""
            var batch = DiaryStore.Batch()
            batch.oldEvent = old
            var event = try edit.event(id, changing: old)
            event.performances = try await addConcerts(of: edit, event, programmes, to: &batch)
            batch.event = event
            batch.programmes.removeAll { $0.old == $0.new }
            let isDone = old == event && batch.programmes.isEmpty
            switch EditVerdict(isDone: isDone, isSeen: edit.revision ?? "" == present) {
            case .isDone: return present
            case .conflicts:
                throw Refusal(
                    409, "conflict",
                    "Somebody else has changed this event meanwhile; load it again and enter your change once more."
                )
            case .isMade:
                guard try await store.save(batch) else { return nil }
                return EventEdit.revision(of: event, try await store.programmes(ofEvent: id))
            }
        }
    }

    /// Adds the entries of the event's concerts to what is written.
    /// - Returns: who plays when on which stage.
    private func addConcerts(
        of edit: EventEdit, _ event: DiaryEvent, _ programmes: [ConcertProgramme],
        to batch: inout DiaryStore.Batch
    ) async throws -> [String: [String: [DiaryEvent.Slot]]] {
        var days: [String: [String: [DiaryEvent.Slot]]] = [:]
        var changed = Dictionary(
            programmes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var listed: Set<String> = []
        var ensembles: [String: Ensemble] = [:]
        for (index, given) in edit.concerts.enumerated() {
            let concert = try Self.concert(given, of: event)
            let ensemble = try await ensemble(
                named: try SourceField.needed(given.ensemble, "ensemble"), &ensembles)
            if try await store.ensemble(ensemble.id) == nil, !batch.ensembles.contains(ensemble) {
                batch.ensembles.append(ensemble)
            }
            let id = try await concertID(of: given, index, event, programmes, listed, isNew: edit.isNew)
            let known = changed.values.first { $0.concerts.contains { $0.id == id } }
            guard listed.insert(id).inserted else {
                throw DiaryInputFault("concerts", "Concert \(index + 1) stands there twice; take one away.")
            }
            if var programme = known {
                try Self.update(&programme, id, concert, ensemble.id, index)
                changed[programme.id] = programme
            } else {
                guard try await store.programme(id) == nil, try await store.programme(ofConcert: id) == nil
                else {
                    throw DiaryInputFault(
                        "concerts", "Concert \(index + 1) belongs to another entry or event already.")
                }
                var new = concert
                new.id = id
                let programme = ConcertProgramme(
                    id: id, ensemble: ensemble.id, concerts: [new], provenance: Provenance(.typed))
                batch.programmes.append((old: nil, new: programme))
            }
            days[concert.date.description, default: [:]][concert.stage ?? "", default: []].append(
                .init(ensemble: ensemble.id, startTime: concert.time.map { "\(concert.date)T\($0)" }))
        }
        for (id, old) in programmes.map({ ($0.id, $0) }) {
            guard var new = changed[id] else { continue }
            // A concert that was taken off the event stays in the diary.
            for place in new.concerts.indices
            where new.concerts[place].event == event.id && !listed.contains(new.concerts[place].id) {
                new.concerts[place].event = nil
            }
            batch.programmes.append((old: old, new: new))
        }
        return days
    }

    private static func concert(_ given: EventEdit.Concert, of event: DiaryEvent) throws(DiaryInputFault)
        -> DiaryConcert
    {
        let start = try SourceField.optional(given.start, "start").map { text throws(DiaryInputFault) in
            try SourceField.moment(text, "start")
        }
        // The beginning says the day: a concert after midnight may be listed with the evening before.
        let listed = try SourceField.moment(given.date, "date").date
        let day = start?.date == listed.next ? start?.date ?? listed : listed
        guard (event.startDate...event.endDate).contains(listed) else {
            throw DiaryInputFault(
                "date",
                "\(listed) is not between the first and the last day of the event; correct one of them.")
        }
        return DiaryConcert(
            id: "", date: day, time: start?.time,
            venue: try SourceField.optional(given.venue, "venue") ?? event.venue,
            stage: try SourceField.optional(given.stage, "stage"),
            city: try SourceField.optional(given.city, "city") ?? event.city,
            countryCode: event.countryCode.isEmpty ? nil : event.countryCode, event: event.id)
    }

    private func ensemble(named name: String, _ known: inout [String: Ensemble]) async throws -> Ensemble {
        let key = FoldedName.fold(name).isEmpty ? name : FoldedName.fold(name)
        if let ensemble = known[key] { return ensemble }
        let (stored, id) = try await store.ensembleOrFreeID(named: name)
        let ensemble = stored ?? Ensemble(id: id, name: name)
        known[key] = ensemble
        return ensemble
    }

    /// The id of a concert: as given, else made of the event's id and a number that is free.
    /// - Parameter isNew: true for a new event, which may be sent again: its first concert is then the same one.
    private func concertID(
        of given: EventEdit.Concert, _ index: Int, _ event: DiaryEvent, _ programmes: [ConcertProgramme],
        _ listed: Set<String>, isNew: Bool
    ) async throws -> String {
        let id = try SourceField.id(given.id, orMade: "")
        guard id.isEmpty else { return id }
        var number = index + 1
        while true {
            let made = "\(event.id)-\(number)"
            if isNew, programmes.contains(where: { $0.id == made }) { return made }
            if !listed.contains(made), try await store.programme(made) == nil { return made }
            number += 1
        }
    }

    /// Changes what was typed; everything else of the concert and its entry stays.
    private static func update(
        _ programme: inout ConcertProgramme, _ id: String, _ concert: DiaryConcert, _ ensemble: String,
        _ index: Int
    ) throws(DiaryInputFault) {
        guard let place = programme.concerts.firstIndex(where: { $0.id == id }) else { return }
        if programme.ensemble != ensemble {
            guard programme.concerts.count == 1 else {
                throw DiaryInputFault(
                    "ensemble", "Concert \(index + 1) shares its entry with others of another ensemble.")
            }
            programme.ensemble = ensemble
            programme.provenance.set(.typed, for: "ensemble")
        }
        func set<Value: Equatable>(_ path: WritableKeyPath<DiaryConcert, Value>, _ name: String) {
            guard programme.concerts[place][keyPath: path] != concert[keyPath: path] else { return }
            programme.concerts[place][keyPath: path] = concert[keyPath: path]
            programme.provenance.set(.typed, for: "concerts/\(place)/\(name)")
        }
        set(\.date, "date")
        set(\.time, "time")
        set(\.venue, "venue")
        set(\.city, "city")
        set(\.stage, "stage")
        programme.concerts[place].event = concert.event
    }
}
