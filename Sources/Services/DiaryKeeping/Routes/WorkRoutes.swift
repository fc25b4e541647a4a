import Catalogue
import Diary
import WebServer

/// The addresses by which those who run the house say what belongs to a work: models, slides, scores and tabs.
struct WorkRoutes: Sendable {
    let store: DiaryStore
    let holdings: WorkHoldings

    /// The most things of one kind that a work has.
    private static let mostLinks = 100
    private static let longestID = 200

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/diary/holdings", .roles(WebRole.staff)) { request in
                .json(["holdings": try await holdings.all(for: DiaryViewer(request))])
            },
            WebRoute(.get, "/api/diary/works", .roles(WebRole.staff)) { try await linkedWorks($0) },
            WebRoute(.post, "/api/diary/works", .roles(WebRole.staff), bodyLimitBytes: 4_096) {
                try await add($0)
            },
            WebRoute(
                .put, "/api/diary/works/:id/links", .roles(WebRole.staff), bodyLimitBytes: 4_096,
                answer: { try await link($0) }),
        ]
    }

    struct WorkName: Encodable {
        var id: String
        var composer: String
        var title: String

        init(_ work: MusicalWork) { (id, composer, title) = (work.id, work.composer, work.title) }
    }

    /// The works that a thing of the house belongs to.
    private func linkedWorks(_ request: WebRequest) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        guard let kind = MusicalWork.Links.Kind(rawValue: try parameters.needed("kind")) else {
            throw DiaryInputFault("kind", "The kind is model, slides, score or tab.", status: 400)
        }
        let works = try await store.works(linkedTo: try parameters.needed("of"), kind)
        return .json(["works": works.map { WorkName($0) }])
    }

    private struct NewWork: Decodable {
        var composer: String?
        var title: String
    }

    /// Adds a work, or finds the one of this composer and title.
    private func add(_ request: WebRequest) async throws -> WebResponse {
        let wanted = try JSONBody.decode(NewWork.self, from: request.body)
        let composer = try SourceField.optional(wanted.composer, "composer") ?? ""
        let title = try SourceField.needed(wanted.title, "title")
        let id = MusicalWork.makeID(composer: composer, title: title)
        if let known = try await store.wholeWork(id) { return .json(WorkName(known)) }
        let work = MusicalWork(id: id, composer: composer, title: title)
        try await store.save(work)
        return .json(WorkName(work), status: 201)
    }

    private struct Link: Decodable {
        var kind: MusicalWork.Links.Kind
        var of: String
        /// False takes the link away.
        var isLinked: Bool
    }

    private func link(_ request: WebRequest) async throws -> WebResponse {
        let wanted = try JSONBody.decode(Link.self, from: request.body)
        let id = try SourceField.needed(wanted.of, "of")
        guard id.utf8.count <= Self.longestID else {
            throw DiaryInputFault("of", "“of” is the id of something that the house has.")
        }
        let viewer = DiaryViewer(request)
        if wanted.isLinked {
            guard
                try await holdings.all(for: viewer).contains(where: { $0.kind == wanted.kind && $0.id == id })
            else {
                throw DiaryInputFault(
                    "of", "The house has no such \(wanted.kind.rawValue), or you may not open it.")
            }
        }
        let work = try await store.changeWork(request.pathParameters["id"] ?? "") { work in
            work.links[wanted.kind].removeAll { $0 == id }
            if wanted.isLinked, work.links[wanted.kind].count < Self.mostLinks {
                work.links[wanted.kind].append(id)
            }
        }
        guard let work else { throw DiaryStore.notFound("work") }
        guard !wanted.isLinked || work.links[wanted.kind].contains(id) else {
            throw DiaryInputFault(
                "of", "A work has at most \(Self.mostLinks) of a kind; take one away first.")
        }
        return .json(["holdings": try await holdings.holdings(of: work.links, heard: [], for: viewer)])
    }
}
