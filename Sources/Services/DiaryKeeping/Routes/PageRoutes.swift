import Catalogue
import Diary
import Foundation
import WebServer

/// The addresses of the page `/diary` by which it is read. They are open to anybody; who is signed in sees more.
struct PageRoutes: Sendable {
    let store: DiaryStore
    let gate: DiaryGate
    let links: DiaryLinks
    let holdings: WorkHoldings
    private let answers = DiaryAnswers()

    init(store: DiaryStore, gate: DiaryGate, links: DiaryLinks, holdings: WorkHoldings) {
        (self.store, self.gate, self.links, self.holdings) = (store, gate, links, holdings)
    }

    private static let mostRows = 100
    private static let usualRows = 40
    /// The longest text that is searched, in bytes.
    static let longestQueryBytes = 200

    var routes: [WebRoute] {
        [
            remembering("/api/diary/timeline", timeline),
            remembering("/api/diary/search", search),
            reading("/api/diary/concerts/:id", concert),
            reading("/api/diary/concerts/:id/evening", evening),
            reading("/api/diary/compare", compare),
            reading("/api/diary/works/:id", work),
            remembering("/api/diary/people", person),
            remembering("/api/diary/ensembles", ensembles),
            reading("/api/diary/ensembles/:id", ensemble),
            reading("/api/diary/events", events),
            reading("/api/diary/events/:id", event),
        ]
    }

    typealias Answer = @Sendable (WebRequest, DiaryViewer) async throws -> WebResponse

    private func reading(_ path: String, _ answer: @escaping Answer) -> WebRoute {
        WebRoute(.get, path, .anybody) { [gate] request in
            guard gate.admitsPage(request.visitorAddress) else { return DiaryGate.tooOften }
            return await answering { try await answer(request, DiaryViewer(request)) }
        }.identifyingVisitor
    }

    /// An address whose answers come from the diary alone: one that is known is not found again.
    private func remembering(_ path: String, _ answer: @escaping Answer) -> WebRoute {
        reading(path) { [answers, store] request, viewer in
            try await answers.answer(to: .init(request, viewer), of: store) {
                try await answer(request, viewer)
            }
        }
    }

    // MARK: Lists

    @Sendable private func timeline(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        let parameters = DiaryParameters(request)
        var query = DiaryQuery()
        query.start = try parameters.date("from", isEnd: false)
        query.end = try parameters.date("to", isEnd: true)
        if let year = try parameters.number("year", in: 1...9_999) {
            (query.start, query.end) = (
                CalendarDate(year: year, month: 1, day: 1), CalendarDate(year: year, month: 12, day: 31)
            )
        }
        if let venue = try parameters.text("venue") { query.venues = [venue] }
        if let words = try parameters.text("q") {
            let found = try await store.suggestions(for: words, query: viewer.limited(DiaryQuery()), most: 3)
            query = found.narrowed(query)
        }
        return .json(try await page(query, viewer, parameters))
    }

    /// The newest concerts that a question finds, and the cursor of the next page.
    private func page(_ query: DiaryQuery, _ viewer: DiaryViewer, _ parameters: DiaryParameters) async throws
        -> ConcertPageJSON
    {
        let shown = try parameters.number("before", in: 0...10_000_000) ?? 0
        let limit = try parameters.number("limit", in: 1...Self.mostRows) ?? Self.usualRows
        return try await concerts(query, viewer, shown: shown, limit: limit)
    }

    private func concerts(_ query: DiaryQuery, _ viewer: DiaryViewer, shown: Int, limit: Int) async throws
        -> ConcertPageJSON
    {
        let query = viewer.limited(query)
        let page = try await store.find(query, offset: shown, limit: limit, newestFirst: true)
        let (total, found) = (page.total, page.concerts)
        let programmes = Dictionary(
            try await store.outlines(found.map(\.programme).withoutRepeats).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        let rows = found.compactMap { concert -> ConcertRowJSON? in
            let programme = programmes[concert.programme]
            // A person's own entry stays hidden even from those who run the house.
            guard programme.map(viewer.maySee) ?? false else { return nil }
            return ConcertRowJSON(concert, programme)
        }
        let end = shown + found.count
        return ConcertPageJSON(count: total, concerts: rows, next: end < total && !found.isEmpty ? end : nil)
    }

    @Sendable private func search(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let words = try DiaryParameters(request).text("q", limit: Self.longestQueryBytes) ?? ""
        let found = try await store.suggestions(for: words, query: viewer.limited(DiaryQuery()), most: 8)
        let nothing = ConcertPageJSON(count: 0, concerts: [], next: nil)
        // A text that names nothing else may name a town.
        let isFound =
            if found.isEmpty, words.utf8.count > 1 {
                try await !store.cities(named: words).isEmpty
            } else {
                !found.isEmpty
            }
        let rows =
            isFound
            ? try await concerts(found.narrowed(DiaryQuery()), viewer, shown: 0, limit: 12) : nothing
        return .json(SearchJSON(found, rows))
    }

    // MARK: One concert

    @Sendable private func concert(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let (programme, concert) = try await store.visibleConcert(
            request.pathParameters["id"] ?? "", for: viewer)
        let ensemble = try await store.ensemble(programme.ensemble)
        var json = ConcertJSON(
            concert, of: programme, ensembleName: ensemble?.name ?? programme.ensemble, for: viewer)
        json.comparable = try await comparable(with: programme, viewer)
        json.links = links.links(of: programme, for: viewer)
        try await addHoldings(to: &json, of: programme, for: viewer)
        return .json(json)
    }

    /// Adds to each work of a concert what the house has of it.
    private func addHoldings(
        to json: inout ConcertJSON, of programme: ConcertProgramme, for viewer: DiaryViewer
    ) async throws {
        for index in json.programme.indices {
            guard let id = json.programme[index].id, let work = try await store.wholeWork(id) else {
                continue
            }
            let heard = programme.items.filter { $0.work == id }.compactMap(\.heard?.model).withoutRepeats
            let found = try await holdings.holdings(of: work.links, heard: heard, for: viewer)
            json.programme[index].holdings = found.isEmpty ? nil : found
        }
    }

    /// The other evenings on which Baton heard some of this music, newest first.
    private func comparable(with programme: ConcertProgramme, _ viewer: DiaryViewer) async throws
        -> [ConcertJSON.Comparable]
    {
        let models = Set(programme.items.compactMap(\.heard?.model).filter { !$0.isEmpty })
        let works = Set(programme.items.filter { $0.heard != nil }.compactMap(\.work)).sorted().prefix(8)
        var seen: Set<String> = [programme.id]
        var found: [ConcertJSON.Comparable] = []
        for work in works {
            var query = DiaryQuery()
            query.works = [work]
            query = viewer.limited(query)
            let total = try await store.find(query, limit: 0).total
            let newest = try await store.find(query, offset: max(0, total - 50), limit: 50).concerts
            for other in try await store.programmes(newest.map(\.programme).withoutRepeats)
            where seen.insert(other.id).inserted && viewer.maySee(other) {
                guard other.items.contains(where: { models.contains($0.heard?.model ?? "") }),
                    let concert = other.concerts.first
                else { continue }
                found.append(
                    .init(id: concert.id, date: concert.date.description, title: other.title ?? "A concert"))
            }
        }
        return found.sorted { ($1.date, $1.id) < ($0.date, $0.id) }
    }

    @Sendable private func evening(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let (programme, _) = try await store.visibleConcert(request.pathParameters["id"] ?? "", for: viewer)
        return .json(EveningJSON(programme))
    }

    @Sendable private func compare(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let (one, _) = try await store.visibleConcert(try parameters.needed("one"), for: viewer)
        let (other, _) = try await store.visibleConcert(try parameters.needed("other"), for: viewer)
        return .json(EveningComparison(one, other))
    }

    // MARK: Works, people, ensembles, events

    @Sendable private func work(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let id = request.pathParameters["id"] ?? ""
        var query = DiaryQuery()
        query.works = [id]
        let rows = try await page(query, viewer, DiaryParameters(request))
        // A work that stands only in entries that this visitor may not see is not there.
        guard rows.count > 0 || viewer.isStaff, let work = try await store.wholeWork(id) else {
            throw DiaryStore.notFound("work")
        }
        let (measured, models) = try await measured(id, viewer)
        var json = WorkJSON(work, rows, measured)
        json.holdings = try await holdings.holdings(of: work.links, heard: models, for: viewer)
        json.linked = viewer.isStaff ? work.links : nil
        json.mayEdit = viewer.isStaff
        return .json(json)
    }

    /// The performances of a work that Baton heard, oldest first, at most 200; and the models with which it did.
    private func measured(_ work: String, _ viewer: DiaryViewer) async throws -> (
        [WorkJSON.Measured], models: [String]
    ) {
        var query = DiaryQuery()
        query.works = [work]
        query = viewer.limited(query)
        let total = try await store.find(query, limit: 0).total
        let newest = try await store.find(query, offset: max(0, total - 200), limit: 200).concerts
        let entries = try await store.programmes(newest.map(\.programme).withoutRepeats)
            .filter(viewer.maySee)
        var models: [String] = []
        let measured = entries.compactMap { programme -> WorkJSON.Measured? in
            // What was played twice on one evening, such as an encore of a piece of the programme, counts once.
            var heard: [HeardPerformance] = []
            for performance in programme.items.filter({ $0.work == work }).compactMap(\.heard)
            where !heard.contains(where: { $0.model == performance.model }) { heard.append(performance) }
            models += heard.map(\.model).filter { !$0.isEmpty }
            guard !heard.isEmpty, let concert = programme.concerts.first else { return nil }
            return WorkJSON.Measured(
                id: concert.id, date: concert.date.description, title: programme.title ?? "A concert",
                seconds: heard.map(\.lengthSeconds).reduce(0, +))
        }
        return (measured.sorted { ($0.date, $0.id) < ($1.date, $1.id) }, models.withoutRepeats)
    }

    @Sendable private func person(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let name = try parameters.needed("name")
        var found: (role: String, rows: ConcertPageJSON)?
        var roles: [String] = []
        for (role, field) in DiaryPersonRole.all {
            var query = DiaryQuery()
            query[keyPath: field] = [name]
            let rows = try await page(query, viewer, parameters)
            guard rows.count > 0 else { continue }
            roles.append(role)
            if rows.count > found?.rows.count ?? 0 { found = (role, rows) }
        }
        guard let found else { throw DiaryStore.notFound("person") }
        return .json(PersonJSON(name: name, roles: roles, rows: found.rows))
    }

    @Sendable private func ensembles(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        var rows: [EnsembleRowJSON] = []
        for ensemble in try await store.ensembles().prefix(500) {
            var query = DiaryQuery()
            query.ensembles = [ensemble.id]
            let count = try await store.find(viewer.limited(query), limit: 0).total
            guard try await isShown(ensemble, seen: count, viewer) else { continue }
            rows.append(EnsembleRowJSON(id: ensemble.id, name: ensemble.name, count: count))
        }
        return .json(["ensembles": rows])
    }

    @Sendable private func ensemble(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        guard let ensemble = try await store.ensemble(request.pathParameters["id"] ?? "") else {
            throw DiaryStore.notFound("ensemble")
        }
        var query = DiaryQuery()
        query.ensembles = [ensemble.id]
        let rows = try await page(query, viewer, DiaryParameters(request))
        guard try await isShown(ensemble, seen: rows.count, viewer) else {
            throw DiaryStore.notFound("ensemble")
        }
        var json = EnsembleJSON(ensemble, rows)
        json.mayEdit = viewer.isStaff
        return .json(json)
    }

    /// False for an ensemble that plays only in hidden entries: its name is hidden too.
    /// - Parameter seen: the number of its concerts that the visitor may see.
    private func isShown(_ ensemble: Ensemble, seen: Int, _ viewer: DiaryViewer) async throws -> Bool {
        guard seen == 0, !viewer.isStaff else { return true }
        guard ensemble.mbid != nil else { return false }
        var query = DiaryQuery()
        query.ensembles = [ensemble.id]
        query.visibilities = Set(ConcertProgramme.Visibility.allCases)
        return try await store.find(query, limit: 0).total == 0
    }

    @Sendable private func events(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        .json(["events": try await store.events().suffix(500).reversed().map { EventJSON($0) }])
    }

    @Sendable private func event(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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

/// The ways in which a person takes part, and where a question asks for them.
enum DiaryPersonRole {
    static let all: [(role: String, field: any WritableKeyPath<DiaryQuery, [String]> & Sendable)] = [
        ("conductor", \.conductors), ("soloist", \.soloists), ("composer", \.composers),
    ]
}

extension DiaryStore {
    /// Returns a concert and its entry.
    /// - Throws: ``DiaryInputFault`` (404) if there is none, or if the visitor may not see it: both give one answer.
    func visibleConcert(_ id: String, for viewer: DiaryViewer) async throws -> (
        ConcertProgramme, DiaryConcert
    ) {
        guard let programme = try await programme(ofConcert: id), viewer.maySee(programme),
            let concert = programme.concerts.first(where: { $0.id == id })
        else { throw Self.notFound("concert") }
        return (programme, concert)
    }

    static func notFound(_ kind: String) -> DiaryInputFault {
        DiaryInputFault("id", "The diary has no such \(kind).", status: 404, code: "not-found")
    }
}

/// Answers a request, and turns what goes wrong into a refusal with a sentence.
func answering(_ work: () async throws -> WebResponse) async -> WebResponse {
    do { return try await work() } catch let fault as DiaryInputFault {
        return fault.response
    } catch let fault as JSONFault {
        return fault.errorResponse
    } catch let error as CatalogueError {
        if case .diaryRefused(let sentence) = error { return .refused(422, "refused", sentence) }
        return .refused(
            503, "diary",
            "The diary cannot be used now; the server's log has the reason. Try again in a moment."
        ).withHeader("Retry-After", "5")
    } catch {
        return .refused(
            500, "failed", "An error occurred inside the server; its log has the details. Try again.")
    }
}
