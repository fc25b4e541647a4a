import Catalogue
import Diary
import DiaryFiles
import Foundation
import Hosting
import WebServer

/// The diary for others: calendars, JSON-LD, a page of each published concert, export and import, and the description
/// of the API.
struct FeedRoutes: Sendable {
    let store: DiaryStore
    let gate: DiaryGate
    let data: String

    /// The concerts in the calendar and in the list for search engines: the newest.
    private static let mostConcerts = 1_000
    private static let importBytes = 256 << 20
    private static let editors = RouteAccess.roles([.editor, .administrator])

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/diary/openapi.json", .anybody) { _ in .json(OpenAPIDescription.json) },
            publicRoute("/api/diary/calendar.ics") { _ in try await calendar() },
            publicRoute("/api/diary/concerts/:id/calendar.ics") { request in
                try await calendar(of: request.pathParameters["id"] ?? "")
            },
            publicRoute("/api/diary/concerts.jsonld") { _ in try await linkedData() },
            publicRoute("/diary/concerts/:id") { request in
                try await page(of: request.pathParameters["id"] ?? "")
            },
            WebRoute(.get, "/api/diary/export.json", Self.editors) { _ in
                try await export("json", "application/json")
            },
            WebRoute(.get, "/api/diary/export.csv", Self.editors) { _ in
                try await export("csv", "text/csv; charset=utf-8")
            },
            importRoute("json") { path, receive in try DiaryJSONFile.read(path, receive) },
            importRoute("csv") { path, receive in try DiaryCSVFile.read(path, receive) },
        ]
    }

    private func publicRoute(
        _ path: String, _ answer: @escaping @Sendable (WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, .anybody) { [gate] request in
            guard gate.admitsPage(request.visitorAddress) else { return DiaryGate.tooOften }
            return try await answer(request)
        }
    }

    // MARK: Calendars and linked data

    /// The newest published concerts with their entries and ensembles.
    private func newest() async throws -> (
        programmes: [ConcertProgramme], ensembles: [Ensemble], ids: [String]
    ) {
        let total = try await store.find(DiaryQuery(), limit: 0).total
        let found = try await store.find(
            DiaryQuery(), offset: max(0, total - Self.mostConcerts), limit: Self.mostConcerts
        ).concerts
        let programmes = try await store.programmes(found.map(\.programme).withoutRepeats)
        return (programmes, try await ensembles(of: programmes), found.map(\.concert.id))
    }

    private func ensembles(of programmes: [ConcertProgramme]) async throws -> [Ensemble] {
        var found: [Ensemble] = []
        for id in programmes.map(\.ensemble).withoutRepeats {
            if let ensemble = try await store.ensemble(id) { found.append(ensemble) }
        }
        return found
    }

    private func calendar() async throws -> WebResponse {
        let (programmes, ensembles, ids) = try await newest()
        return calendarResponse(
            DiaryCalendar.text(
                of: programmes, ensembles: ensembles, concerts: Set(ids), name: "Concerts", stamp: Date()))
    }

    private func calendar(of id: String) async throws -> WebResponse {
        let (programme, _) = try await store.visibleConcert(id, for: DiaryViewer(person: nil))
        return calendarResponse(
            DiaryCalendar.text(
                of: [programme], ensembles: try await ensembles(of: [programme]), concerts: [id],
                name: programme.title ?? "A concert", stamp: Date()))
    }

    private func calendarResponse(_ text: String) -> WebResponse {
        WebResponse(contentType: "text/calendar; charset=utf-8", body: Array(text.utf8))
            .withHeader("Content-Disposition", "attachment; filename=\"concerts.ics\"")
    }

    private func linkedData() async throws -> WebResponse {
        let (programmes, ensembles, ids) = try await newest()
        let (wanted, named) = (Set(ids), Dictionary(uniqueKeysWithValues: ensembles.map { ($0.id, $0) }))
        let documents = try programmes.flatMap { programme in
            try programme.concerts.filter { wanted.contains($0.id) }.map {
                try DiaryJSONLD.document($0, of: programme, by: named[programme.ensemble])
            }
        }
        return WebResponse(
            contentType: "application/ld+json",
            body: Array(("[" + documents.joined(separator: ",\n") + "]\n").utf8))
    }

    // MARK: The page of a published concert

    /// A page for search engines and for links: what was played, with JSON-LD. People are led on to the diary.
    private func page(of id: String) async throws -> WebResponse {
        let (programme, concert) = try await store.visibleConcert(id, for: DiaryViewer(person: nil))
        let ensemble = try await store.ensemble(programme.ensemble)
        return WebResponse(
            contentType: "text/html; charset=utf-8",
            body: Array(
                PublicConcertPage.text(
                    concert, of: programme, by: ensemble,
                    jsonLD: try DiaryJSONLD.document(concert, of: programme, by: ensemble)
                ).utf8))
    }

    // MARK: Export and import

    /// Everything but what people keep for themselves, as a file in the data folder that is replaced each time.
    private func export(_ format: String, _ contentType: String) async throws -> WebResponse {
        let path = "\(data)/diary-export.\(format)"
        do { try await writeExport(format, to: path) } catch let fault as DiaryFileFault {
            throw DiaryInputFault(
                "", WebResponse.removeMachinePaths(fault.sentence), status: 507, code: "unwritable")
        }
        return WebResponse.file(path, contentType: contentType, tag: UUID().uuidString)
            .withHeader("Cache-Control", "no-store")
            .withHeader("Content-Disposition", "attachment; filename=\"diary.\(format)\"")
    }

    private func writeExport(_ format: String, to path: String) async throws {
        try await store.exportRecords { records in
            let sink = try DiaryFileSink(path: path)
            if format == "json" {
                var writer = try DiaryJSONFile.Writer(sink)
                try records.forEach { try writer.write($0, $1) }
                try writer.finish()
            } else {
                let writer = try DiaryCSVFile.Writer(sink)
                try records.forEach { try writer.write($0, $1) }
            }
            try sink.finish()
        }
    }

    private typealias Reader =
        @Sendable (_ path: String, _ receive: (DiaryRecord) throws -> Void) throws -> Void

    private struct ImportJSON: Encodable {
        var added: Int
        var changed: Int
        var unchanged: Int
    }

    private func importRoute(_ format: String, _ read: @escaping Reader) -> WebRoute {
        .upload(
            .post, "/api/diary/import.\(format)", .roles([.administrator]), limitBytes: Self.importBytes,
            folder: data
        ) { [store] request in
            guard let path = request.uploadedFile?.path else {
                throw DiaryInputFault("", "The file is missing; send it as the request's body.")
            }
            do {
                let counts = try await store.importRecords(
                    format: format, atMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)
                ) { records in
                    try read(path) { try records.restore($0) }
                    return Array("{}".utf8)
                }
                return .json(
                    ImportJSON(added: counts.added, changed: counts.changed, unchanged: counts.unchanged))
            } catch let fault as DiaryFileFault {
                // The file has another name here than on the person's machine.
                throw DiaryInputFault(
                    "", WebResponse.removeMachinePaths(fault.sentence(calling: "The file")))
            }
        }
    }
}
