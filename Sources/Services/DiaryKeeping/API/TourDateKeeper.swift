import Catalogue
import Diary

/// Adds and changes concerts for the API: only the fields that were sent.
struct TourDateKeeper: Sendable {
    let store: DiaryStore

    func save(_ record: TourDateRecord) async throws -> TourDateRecord {
        try await store.retrying("concert") {
            let (old, new, concert, ensemble) = try await change(by: record)
            var batch = DiaryStore.Batch()
            if old != new { batch.programmes = [(old: old, new: new)] }
            guard try await store.save(batch) else { return nil }
            return TourDateRecord(
                FoundConcert(
                    concert: concert, programme: new.id, ensemble: ensemble.id, ensembleName: ensemble.name,
                    season: new.season, visibility: new.visibility))
        }
    }

    private static let otherEntry = DiaryInputFault(
        "id", "This id belongs to another entry; leave it out to add one.")

    private func change(by record: TourDateRecord) async throws -> (
        old: ConcertProgramme?, new: ConcertProgramme, concert: DiaryConcert, ensemble: Ensemble
    ) {
        let given = try SourceField.id(record.id, orMade: "")
        var known = given.isEmpty ? nil : try await store.programme(ofConcert: given)
        let ensemble = try await ensemble(record, known)
        let id =
            given.isEmpty
            ? DiaryID.make(
                "concert", ensemble.id, record.startDate ?? "", record.venue ?? "", record.city ?? "",
                record.stage ?? "") : given
        if given.isEmpty { known = try await store.programme(ofConcert: id) }
        if known == nil, try await store.programme(id) != nil { throw Self.otherEntry }
        let present = known?.concerts.first { $0.id == id }
        let concert = try Self.concert(record, id, changing: present)
        var new =
            known
            ?? ConcertProgramme(
                id: id, ensemble: ensemble.id, concerts: [concert], provenance: Provenance(.typed))
        guard let index = new.concerts.firstIndex(where: { $0.id == id }), new.visibility == .published else {
            throw Self.otherEntry
        }
        if let present, given.isEmpty, present != concert {
            throw DiaryInputFault(
                "startDate",
                "The diary has this concert already, with other fields. Send its id (\(id)) to change it.",
                status: 409, code: "conflict")
        }
        if new.ensemble != ensemble.id, new.concerts.count > 1 {
            throw DiaryInputFault("bandId", "The other concerts of this programme have another band.")
        }
        if new.ensemble != ensemble.id {
            new.ensemble = ensemble.id
            new.provenance.set(.typed, for: "ensemble")
        }
        if let present { Self.noteTyped(present, concert, index, in: &new) }
        new.concerts[index] = concert
        return (known, new, concert, ensemble)
    }

    private func ensemble(_ record: TourDateRecord, _ known: ConcertProgramme?) async throws -> Ensemble {
        let id = try SourceField.needed(record.bandId ?? known?.ensemble, "bandId")
        guard let ensemble = try await store.ensemble(id) else {
            throw DiaryInputFault("bandId", "There is no band with this id; add it first, by POST /bands.")
        }
        return ensemble
    }

    /// The concert with the fields that were sent.
    /// - Parameter present: the concert as it is stored; nil for a new one.
    private static func concert(
        _ record: TourDateRecord, _ id: String, changing present: DiaryConcert?
    ) throws(DiaryInputFault) -> DiaryConcert {
        let day = try SourceField.day(record.startDate, "startDate", known: present?.date)
        var concert = present ?? DiaryConcert(id: id, date: day)
        if let text = record.startDate {
            let start = try SourceField.moment(text, "startDate")
            // An end after midnight goes with the concert to its new day.
            if record.endDate == nil, concert.endDate != nil { concert.endDate = start.date.next }
            (concert.date, concert.time) = (start.date, start.time)
        }
        if let text = record.endDate {
            let end = try text.isEmpty ? nil : SourceField.moment(text, "endDate")
            concert.endDate = end.flatMap { $0.date == concert.date ? nil : $0.date }
            concert.endTime = end?.time
        }
        if let end = concert.endDate, end < concert.date {
            throw DiaryInputFault("endDate", "The concert ends before it begins; correct a date.")
        }
        concert.stage = try SourceField.optional(record.stage ?? concert.stage, "stage")
        concert.venue = try SourceField.optional(record.venue ?? concert.venue, "venue")
        concert.city = try SourceField.optional(record.city ?? concert.city, "city")
        let code = try SourceField.country(
            record.countryCode ?? concert.countryCode ?? "", "countryCode", present: present?.countryCode)
        concert.countryCode = code.isEmpty ? nil : code
        concert.isSupportAct = record.supportAct ?? concert.isSupportAct
        return concert
    }

    /// Notes which fields of an imported or heard entry were typed, so that a later import leaves them.
    private static func noteTyped(
        _ old: DiaryConcert, _ new: DiaryConcert, _ index: Int, in programme: inout ConcertProgramme
    ) {
        func note(_ isChanged: Bool, _ name: String) {
            if isChanged { programme.provenance.set(.typed, for: "concerts/\(index)/\(name)") }
        }
        note(old.date != new.date, "date")
        note(old.time != new.time, "time")
        note((old.endDate, old.endTime) != (new.endDate, new.endTime), "endTime")
        note(old.stage != new.stage, "stage")
        note(old.venue != new.venue, "venue")
        note(old.city != new.city, "city")
        note(old.countryCode != new.countryCode, "countryCode")
        note(old.isSupportAct != new.isSupportAct, "supportAct")
    }
}
