import Catalogue
import Diary
import WebServer

/// One concert, what was heard on its evening, and two evenings side by side.
extension PageRoutes {
    @Sendable func concert(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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

    @Sendable func evening(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let (programme, _) = try await store.visibleConcert(request.pathParameters["id"] ?? "", for: viewer)
        return .json(EveningJSON(programme))
    }

    @Sendable func compare(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let (one, _) = try await store.visibleConcert(try parameters.needed("one"), for: viewer)
        let (other, _) = try await store.visibleConcert(try parameters.needed("other"), for: viewer)
        return .json(EveningComparison(one, other))
    }
}
