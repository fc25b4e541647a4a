import Catalogue
import Diary

/// Takes an evening of a source into the diary, as an entry to confirm whose fields are marked as imported.
///
/// The same evening is one entry: imported again, it is brought up to date if the source has a newer version, unless a
/// person has typed a field of it.
struct SetlistImport: Sendable {
    enum Outcome: String {
        case added, changed, unchanged, kept
    }

    let store: DiaryStore
    let source: String

    /// The id of the entry and of its concert.
    static func entryID(_ id: String) -> String { "setlistfm-" + id }

    func write(_ setlist: OutsideSetlist) async throws -> Outcome {
        let id = Self.entryID(setlist.id)
        return try await store.retrying("entry") {
            let known = try await store.programme(id)
            if let known {
                if known.provenance.hasTypedField { return .kept }
                if known.provenance.record?.version == setlist.version, !setlist.version.isEmpty {
                    return .unchanged
                }
            }
            let (ensemble, isNew) = try await ensemble(of: setlist)
            var entry = entry(setlist, by: ensemble.id)
            entry.visibility = known?.visibility ?? .proposed
            entry.concerts[0].event = known?.concerts.first?.event
            var batch = DiaryStore.Batch()
            if isNew { batch.ensembles = [ensemble] }
            batch.programmes = [(old: known, new: entry)]
            return try await store.save(batch) ? (known == nil ? .added : .changed) : nil
        }
    }

    /// The ensemble of the diary that plays: by its MusicBrainz id, else by its name, else a new one.
    private func ensemble(of setlist: OutsideSetlist) async throws -> (Ensemble, isNew: Bool) {
        if let mbid = setlist.ensembleMBID, let known = try await store.ensemble(mbid) {
            return (known, false)
        }
        let (known, id) = try await store.ensembleOrFreeID(named: setlist.ensemble)
        if let known, known.mbid == nil || known.mbid == setlist.ensembleMBID { return (known, false) }
        // Two ensembles of one name, told apart by their ids.
        let free = known == nil ? id : setlist.ensembleMBID ?? id
        return (
            Ensemble(id: free, mbid: setlist.ensembleMBID, name: setlist.ensemble, source: setlist.link), true
        )
    }

    private func entry(_ setlist: OutsideSetlist, by ensemble: String) -> ConcertProgramme {
        func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
        let id = Self.entryID(setlist.id)
        let concert = DiaryConcert(
            id: id, date: setlist.date, venue: optional(setlist.venue), city: optional(setlist.city),
            countryCode: CountryCode.isInUse(setlist.countryCode) ? setlist.countryCode : nil)
        let items = setlist.songs.map {
            ProgrammeItem(
                composer: $0.composer.isEmpty ? setlist.ensemble : $0.composer, title: $0.title,
                isEncore: $0.isEncore)
        }
        return ConcertProgramme(
            id: id, ensemble: ensemble, title: optional(setlist.tour), concerts: [concert], items: items,
            provenance: Provenance(
                .imported, source: source,
                record: .init(id: setlist.id, version: setlist.version, link: setlist.link)))
    }
}
