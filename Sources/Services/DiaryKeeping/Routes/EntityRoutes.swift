import Catalogue
import Diary
import WebServer

/// The addresses by which those who run the house enter events, ensembles and halls on the page.
struct EntityRoutes: Sendable {
    let store: DiaryStore
    let bands: BandKeeper

    private static let eventBytes = 256 << 10

    var routes: [WebRoute] {
        [
            WebRoute(
                .put, "/api/diary/events/:id", .roles(WebRole.staff), bodyLimitBytes: Self.eventBytes,
                answer: { try await keepEvent($0) }),
            WebRoute(.delete, "/api/diary/events/:id", .roles([.administrator])) {
                try await removeEvent($0)
            },
            WebRoute(.post, "/api/diary/ensembles", .roles(WebRole.staff), bodyLimitBytes: 64 << 10) {
                request in
                .json(try await bands.save(JSONBody.decode(BandRecord.self, from: request.body)))
            },
            WebRoute(.post, "/api/diary/halls", .roles(WebRole.staff), bodyLimitBytes: 4_096) {
                try await addHall($0)
            },
        ]
    }

    private struct KeptEventJSON: Encodable {
        var id: String
        var revision: String
    }

    private func keepEvent(_ request: WebRequest) async throws -> WebResponse {
        let id = try SourceField.id(request.pathParameters["id"], orMade: "")
        guard !id.isEmpty else { throw DiaryStore.notFound("event") }
        let edit = try JSONBody.decode(EventEdit.self, from: request.body)
        return .json(
            KeptEventJSON(id: id, revision: try await EventKeeper(store: store).write(edit, as: id)))
    }

    /// Removes an event; its concerts stay in the diary.
    private func removeEvent(_ request: WebRequest) async throws -> WebResponse {
        let id = request.pathParameters["id"] ?? ""
        guard try await store.removeEvent(id) else { throw DiaryStore.notFound("event") }
        return .succeeded
    }

    private func addHall(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(VenueRecord.self, from: request.body)
        let venue = Venue(
            name: try SourceField.needed(record.name, "name"),
            city: try SourceField.optional(record.city, "city") ?? "",
            countryCode: try SourceField.country(record.countryCode ?? "", "countryCode"))
        var batch = DiaryStore.Batch()
        batch.venues = [venue]
        _ = try await store.save(batch)
        return .json(VenueRecord(venue))
    }
}

/// Adds and changes ensembles, for the API and for the page.
struct BandKeeper: Sendable {
    let store: DiaryStore
    let sources: [any OutsideSource]

    /// Writes a record. What it leaves out and an outside source knows is filled in, if there is such a source and the
    /// record has an MBID.
    func save(_ record: BandRecord) async throws -> BandRecord {
        _ = try SourceField.id(record.id, orMade: "")
        let (known, id) = try await knownBand(record)
        var ensemble = try record.ensemble(known: known, orMade: id)
        if let mbid = record.MBID, known?.mbid == nil,
            let source = sources.first(where: { $0.answers.contains(.ensembles) }),
            let found = try? await source.ensemble(mbid)
        {
            ensemble.fill(from: found)
        }
        try await store.save(ensemble)
        return BandRecord(ensemble)
    }

    /// The ensemble that a record means, by its id, else its MBID, else its name; and the id of a new one.
    private func knownBand(_ record: BandRecord) async throws -> (known: Ensemble?, id: String) {
        if let id = record.id, !id.isEmpty {
            guard let known = try await store.ensemble(id) else {
                throw DiaryInputFault("id", "There is no band with this id; leave it out to add one.")
            }
            return (known, known.id)
        }
        if let mbid = record.MBID?.lowercased() { return (try await store.ensemble(mbid), mbid) }
        return try await store.ensembleOrFreeID(named: try SourceField.text(record.name ?? "", "name"))
    }
}
