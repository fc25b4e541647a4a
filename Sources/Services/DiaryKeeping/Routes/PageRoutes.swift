import Catalogue
import Diary
import Foundation
import WebServer

/// The addresses by which the page `/diary` is read. They are open to anybody; signed-in users see more.
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
    private static let nothing = ConcertPageJSON(count: 0, concerts: [], next: nil)
    /// The longest text that is searched, in bytes.
    static let longestQueryBytes = 200

    var routes: [WebRoute] {
        [
            remembering("/api/diary/timeline", timeline),
            remembering("/api/diary/search", search),
            remembering("/api/diary/statistics", statistics),
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
            return try await answer(request, DiaryViewer(request))
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

    /// The concerts that are asked for by day, hall, town and country.
    private static func query(_ parameters: DiaryParameters) throws(DiaryInputFault) -> DiaryQuery {
        var query = DiaryQuery()
        query.start = try parameters.date("from", isEnd: false)
        query.end = try parameters.date("to", isEnd: true)
        if let year = try parameters.number("year", in: 1...9_999) {
            (query.start, query.end) = (
                CalendarDate(year: year, month: 1, day: 1), CalendarDate(year: year, month: 12, day: 31)
            )
        }
        if let venue = try parameters.text("venue") { query.venues = [venue] }
        query.location = try parameters.text("town")
        let country = try parameters.country("country")
        query.countryCode = country.isEmpty ? nil : country
        return query
    }

    @Sendable private func statistics(_ request: WebRequest, _ viewer: DiaryViewer) async throws
        -> WebResponse
    {
        .json(
            try await store.statistics(
                of: viewer.limited(try Self.query(DiaryParameters(request))), limit: 10))
    }

    @Sendable private func timeline(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        let parameters = DiaryParameters(request)
        let query = try Self.query(parameters)
        if let words = try parameters.text("q") {
            // Signs alone, such as a picture, name nothing.
            guard !FoldedName.words(words).isEmpty else { return .json(Self.nothing) }
            let (shown, limit) = try Self.extent(parameters)
            let concerts = try await store.search(
                words, viewer.limited(query), most: 3, offset: shown, limit: limit
            ).concerts
            return .json(rows(concerts, viewer, shown: shown))
        }
        return .json(try await page(query, viewer, parameters))
    }

    /// The newest concerts that a question finds, and the cursor of the next page.
    func page(_ query: DiaryQuery, _ viewer: DiaryViewer, _ parameters: DiaryParameters) async throws
        -> ConcertPageJSON
    {
        let (shown, limit) = try Self.extent(parameters)
        let found = try await store.findOutlined(viewer.limited(query), offset: shown, limit: limit)
        return rows(found, viewer, shown: shown)
    }

    /// The part of a list that is asked for.
    private static func extent(_ parameters: DiaryParameters) throws(DiaryInputFault) -> (
        shown: Int, limit: Int
    ) {
        (
            try parameters.number("before", in: 0...10_000_000) ?? 0,
            try parameters.number("limit", in: 1...mostRows) ?? usualRows
        )
    }

    private func rows(_ found: DiaryStore.OutlinedPage, _ viewer: DiaryViewer, shown: Int) -> ConcertPageJSON
    {
        let rows = found.page.concerts.compactMap { concert -> ConcertRowJSON? in
            let programme = found.outlines[concert.programme]
            // A person's own entry stays hidden even from those who run the house.
            guard programme.map(viewer.maySee) ?? false else { return nil }
            return ConcertRowJSON(concert, programme)
        }
        let (end, total) = (shown + found.page.concerts.count, found.page.total)
        let isLast = end >= total || found.page.concerts.isEmpty
        return ConcertPageJSON(count: total, concerts: rows, next: isLast ? nil : end)
    }

    @Sendable private func search(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let words = try DiaryParameters(request).text("q", limit: Self.longestQueryBytes) ?? ""
        let (found, concerts) = try await store.search(
            words, viewer.limited(DiaryQuery()), most: 8, limit: 12)
        return .json(SearchJSON(found, rows(concerts, viewer, shown: 0)))
    }
}
