import Catalogue
import Diary
import WebServer

/// Works, people and ensembles, each with its concerts.
extension PageRoutes {
    @Sendable func work(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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
            // A work that was played twice on one evening, such as an encore from the programme, counts once.
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

    @Sendable func person(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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

    @Sendable func ensembles(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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

    @Sendable func ensemble(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
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
}

/// The ways in which a person takes part, and where a question asks for them.
enum DiaryPersonRole {
    static let all: [(role: String, field: any WritableKeyPath<DiaryQuery, [String]> & Sendable)] = [
        ("conductor", \.conductors), ("soloist", \.soloists), ("composer", \.composers),
    ]
}
