import Catalogue
import Diary
import Platform
import Synchronization
import WebServer

/// The addresses by which people ask MusicBrainz, setlist.fm and YouTube, and take over what they chose. Each question
/// is one person's act; without configured sources every question is refused.
final class OutsideRoutes: Sendable {
    let store: DiaryStore
    let sources: [any OutsideSource]
    /// Questions a minute of one person: others shall have their turn too.
    private let questions = Mutex(RateLimit<String>(unitsPerSecond: 1, burst: 20))

    init(store: DiaryStore, sources: [any OutsideSource]) {
        self.store = store
        self.sources = sources
    }

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/diary/sources", .signedIn) { [self] _ in .json(offered) },
            question("ensembles", .roles(WebRole.staff), ensembles),
            question("works", .roles(WebRole.staff), works),
            question("setlists", .signedIn, setlists),
            question("videos", .signedIn, videos),
            question("ensembles/:id", .roles(WebRole.staff), identifyEnsemble),
            question("works/:id", .roles(WebRole.staff), identifyWork),
            question("setlists/:id", .roles(WebRole.staff), importSetlist),
        ]
    }

    private typealias Answer = @Sendable (WebRequest, DiaryViewer) async throws -> WebResponse

    private func question(_ path: String, _ access: RouteAccess, _ answer: @escaping Answer) -> WebRoute {
        WebRoute(.post, "/api/diary/sources/" + path, access, bodyLimitBytes: 4_096) { [self] request in
            guard questions.withLock({ $0.admits(request.person?.id ?? "", at: .now) }) else {
                return DiaryGate.tooOften
            }
            return try await answer(request, DiaryViewer(request))
        }
    }

    /// The names of the sources for each kind of question.
    private var offered: [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: OutsideQuestionKind.allCases.map { kind in
                (kind.rawValue, sources.filter { $0.answers.contains(kind) }.map(\.name))
            })
    }

    private func source(for kind: OutsideQuestionKind) throws(DiaryInputFault) -> any OutsideSource {
        guard let source = sources.first(where: { $0.answers.contains(kind) }) else {
            throw DiaryInputFault(
                "",
                "This server asks no outside source for \(kind.rawValue); its operator can configure one.",
                status: 404, code: "no-source")
        }
        return source
    }

    // MARK: Ensembles

    private struct EnsembleQuestion: Decodable {
        var name: String
    }

    @Sendable private func ensembles(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        let wanted = try JSONBody.decode(EnsembleQuestion.self, from: request.body)
        let name = try SourceField.needed(wanted.name, "name")
        let source = try source(for: .ensembles)
        let found = try await source.ensembles(named: name)
        return .json(OutsideAnswer(source: source.name, found: found.map { OutsideEnsembleJSON($0) }))
    }

    private struct Identification: Decodable {
        /// The record's MusicBrainz id.
        var mbid: String
    }

    /// Joins an ensemble of the diary to its record at the source, and fills in what is missing.
    @Sendable private func identifyEnsemble(_ request: WebRequest, _ viewer: DiaryViewer) async throws
        -> WebResponse
    {
        let wanted = try JSONBody.decode(Identification.self, from: request.body)
        let source = try source(for: .ensembles)
        guard let known = try await store.ensemble(request.pathParameters["id"] ?? "") else {
            throw DiaryStore.notFound("ensemble")
        }
        let found = try await source.ensemble(wanted.mbid)
        // Read again: somebody may have changed it while the source was asked.
        var ensemble = try await store.ensemble(known.id) ?? known
        ensemble.fill(from: found)
        try await store.save(ensemble)
        return .json(BandRecord(ensemble))
    }

    // MARK: Works

    private struct WorkQuestion: Decodable {
        var title: String
        var composer: String?
    }

    @Sendable private func works(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let wanted = try JSONBody.decode(WorkQuestion.self, from: request.body)
        let title = try SourceField.needed(wanted.title, "title")
        let composer = try SourceField.optional(wanted.composer, "composer") ?? ""
        let source = try source(for: .works)
        let found = try await source.works(titled: title, composer: composer)
        return .json(OutsideAnswer(source: source.name, found: found.map { OutsideWorkJSON($0) }))
    }

    @Sendable private func identifyWork(_ request: WebRequest, _ viewer: DiaryViewer) async throws
        -> WebResponse
    {
        let wanted = try JSONBody.decode(Identification.self, from: request.body)
        let source = try source(for: .works)
        let id = request.pathParameters["id"] ?? ""
        guard try await store.wholeWork(id) != nil else { throw DiaryStore.notFound("work") }
        let found = try await source.work(wanted.mbid)
        guard let work = try await store.changeWork(id, { $0.mbid = found.mbid }) else {
            throw DiaryStore.notFound("work")
        }
        return .json(WorkRoutes.WorkName(work))
    }

    // MARK: Setlists

    private struct SetlistQuestion: Decodable {
        var ensemble: String
        var mbid: String?
        var date: String
    }

    @Sendable private func setlists(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse
    {
        let wanted = try JSONBody.decode(SetlistQuestion.self, from: request.body)
        let name = try SourceField.needed(wanted.ensemble, "ensemble")
        guard let date = CalendarDate(wanted.date) else {
            throw DiaryInputFault(
                "date", "“\(wanted.date.prefix(40))” is no date; write it as 2026-11-23.")
        }
        let source = try source(for: .setlists)
        // An ensemble that the diary has joined to MusicBrainz is found for certain.
        var mbid = wanted.mbid
        if mbid == nil { mbid = try await store.ensembleOrFreeID(named: name).known?.mbid }
        let found = try await source.setlists(of: name, mbid: mbid, on: date)
        return .json(OutsideAnswer(source: source.name, found: found.map { OutsideSetlistJSON($0) }))
    }

    private struct ImportedJSON: Encodable {
        var id: String
        /// `added`, `changed`, `unchanged`, or `kept` for an entry that a person has changed since.
        var outcome: String
    }

    @Sendable private func importSetlist(_ request: WebRequest, _ viewer: DiaryViewer) async throws
        -> WebResponse
    {
        let source = try source(for: .setlists)
        let setlist = try await source.setlist(request.pathParameters["id"] ?? "")
        let outcome = try await SetlistImport(store: store, source: source.name).write(setlist)
        return .json(ImportedJSON(id: SetlistImport.entryID(setlist.id), outcome: outcome.rawValue))
    }

    // MARK: Videos

    private struct VideoQuestion: Decodable {
        var words: String
    }

    @Sendable private func videos(_ request: WebRequest, _ viewer: DiaryViewer) async throws -> WebResponse {
        let wanted = try JSONBody.decode(VideoQuestion.self, from: request.body)
        let words = try SourceField.needed(wanted.words, "words")
        let source = try source(for: .videos)
        let found = try await source.videos(about: words)
        return .json(OutsideAnswer(source: source.name, found: found.map { OutsideVideoJSON($0) }))
    }
}

extension OutsideSourceFault: AnsweringError {
    public var response: WebResponse {
        let status =
            switch self {
            case .notOffered, .notFound: 404
            case .paused, .crowded, .dayIsFull: 503
            case .unreachable, .keyRefused, .unreadable: 502
            }
        let answer = WebResponse.refused(status, "source", sentence)
        guard case .paused(_, let seconds) = self else { return answer }
        return answer.withHeader("Retry-After", String(seconds))
    }
}

extension Ensemble {
    /// Joins the ensemble to its record at a source. What is written already stays.
    mutating func fill(from found: OutsideEnsemble) {
        mbid = found.mbid
        if genre.isEmpty { genre = found.genre }
        if source.isEmpty { source = found.link }
    }
}
