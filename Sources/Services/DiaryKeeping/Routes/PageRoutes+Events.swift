import Catalogue
import Diary
import WebServer

/// Festivals and tours with their concerts.
extension PageRoutes {
    @Sendable func events(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        .json(["events": try await store.events().suffix(500).reversed().map { EventJSON($0) }])
    }

    @Sendable func event(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        guard let event = try await store.event(request.pathParameters["id"] ?? "") else {
            throw DiaryStore.notFound("event")
        }
        var names: [String: String] = [:]
        for id in event.ensembleIDs { names[id] = try await store.ensemble(id)?.name }
        var json = EventJSON(event, names: names)
        let programmes = try await store.programmes(ofEvent: event.id)
        json.concerts = try await concerts(of: event, programmes.filter(viewer.maySee))
        json.mayEdit = viewer.isStaff
        if viewer.isStaff { json.revision = EventEdit.revision(of: event, programmes) }
        return .json(json)
    }

    /// The concerts of an event in the order of time.
    private func concerts(of event: DiaryEvent, _ programmes: [ConcertProgramme]) async throws
        -> [EventJSON.Concert]
    {
        var found: [EventJSON.Concert] = []
        for programme in programmes {
            let name = try await store.ensemble(programme.ensemble)?.name ?? programme.ensemble
            found += programme.concerts.filter { $0.event == event.id }.map { concert in
                EventJSON.Concert(
                    row: ConcertRowJSON(
                        concert, of: ProgrammeOutline(programme), ensembleName: name,
                        visibility: programme.visibility),
                    stage: concert.stage)
            }
        }
        return found.sorted {
            ($0.row.start ?? $0.row.date, $0.row.id) < ($1.row.start ?? $1.row.date, $1.row.id)
        }
    }
}
