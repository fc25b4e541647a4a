import Diary
import Foundation

/// MusicBrainz: ensembles and works with their ids.
///
/// Its operator allows one request a second for each address, and wants a User-Agent that names the program and a
/// contact. Source: https://musicbrainz.org/doc/MusicBrainz_API and /Rate_Limiting.
public struct MusicBrainz: OutsideSource {
    public let name = "MusicBrainz"
    public let answers: Set<OutsideQuestionKind> = [.ensembles, .works]

    private let requests: SourceRequests
    private static let page = "https://musicbrainz.org"
    private static let mostFound = 10

    /// - Parameters:
    ///   - server: `https://musicbrainz.org`, or a mirror of it.
    ///   - version: this program's version.
    ///   - contact: the mail address or web address of the house.
    public init(server: String, version: String, contact: String) {
        self.init(
            SourceRequests.Settings(
                name: "MusicBrainz", server: server, version: version, contact: contact,
                // A little more than a second: requests may travel at different speeds.
                pace: RequestPace(interval: .milliseconds(1_100))))
    }

    init(_ settings: SourceRequests.Settings) { requests = SourceRequests(settings) }

    public func ensembles(named name: String) async throws(OutsideSourceFault) -> [OutsideEnsemble] {
        let query = "artist:(\(Self.escaped(name)))"
        let path = "/ws/2/artist?query=\(AnswerText.parameter(query))&fmt=json&limit=\(Self.mostFound)"
        guard let bytes = try await requests.json(path) else { return [] }
        let answer = try AnswerText.decode(ArtistList.self, bytes, of: self.name)
        return answer.artists.elements.prefix(Self.mostFound).compactMap { $0.ensemble(Self.page) }
    }

    public func ensemble(_ mbid: String) async throws(OutsideSourceFault) -> OutsideEnsemble {
        guard let id = AnswerText.mbid(mbid),
            let bytes = try await requests.json("/ws/2/artist/\(id)?inc=genres&fmt=json"),
            let ensemble = try AnswerText.decode(Artist.self, bytes, of: name).ensemble(Self.page)
        else { throw .notFound(source: name) }
        return ensemble
    }

    public func works(titled title: String, composer: String) async throws(OutsideSourceFault)
        -> [OutsideWork]
    {
        var query = "work:(\(Self.escaped(title)))"
        if !composer.isEmpty { query += " AND artist:(\(Self.escaped(composer)))" }
        let path = "/ws/2/work?query=\(AnswerText.parameter(query))&fmt=json&limit=\(Self.mostFound)"
        guard let bytes = try await requests.json(path) else { return [] }
        let answer = try AnswerText.decode(WorkList.self, bytes, of: name)
        return answer.works.elements.prefix(Self.mostFound).compactMap { $0.work(Self.page) }
    }

    public func work(_ mbid: String) async throws(OutsideSourceFault) -> OutsideWork {
        guard let id = AnswerText.mbid(mbid),
            let bytes = try await requests.json("/ws/2/work/\(id)?inc=artist-rels&fmt=json"),
            let work = try AnswerText.decode(Work.self, bytes, of: name).work(Self.page)
        else { throw .notFound(source: name) }
        return work
    }

    /// The words of a question without the signs that Lucene, the source's search, gives a meaning.
    static func escaped(_ text: String) -> String {
        let words = FoldedWords.split(text).prefix(20)
        return words.isEmpty ? "\"\"" : words.joined(separator: " AND ")
    }
}

/// Words for a search: letters and digits only, in quotes, so that `AND` and `*` are words as well.
private enum FoldedWords {
    static func split(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
    }
}

private struct Named: Decodable {
    var name: String?
}

private struct ArtistList: Decodable {
    var artists: Lenient<Artist>
}

private struct Artist: Decodable {
    struct Tag: Decodable {
        var name: String
        var count: Int?
    }

    var id: String
    var name: String
    var type: String?
    var area: Named?
    var disambiguation: String?
    var tags: Lenient<Tag>?
    var genres: Lenient<Tag>?

    func ensemble(_ page: String) -> OutsideEnsemble? {
        guard let mbid = AnswerText.mbid(id) else { return nil }
        let name = AnswerText.line(name)
        guard !name.isEmpty else { return nil }
        let words = (genres?.elements ?? []).isEmpty ? tags?.elements ?? [] : genres?.elements ?? []
        let genre = words.max { ($0.count ?? 0, $1.name) < ($1.count ?? 0, $0.name) }?.name
        return OutsideEnsemble(
            mbid: mbid, name: name, kind: AnswerText.line(type), area: AnswerText.line(area?.name),
            remark: AnswerText.line(disambiguation), genre: AnswerText.line(genre),
            link: "\(page)/artist/\(mbid)")
    }
}

private struct WorkList: Decodable {
    var works: Lenient<Work>
}

private struct Work: Decodable {
    struct Relation: Decodable {
        var type: String?
        var artist: Named?
    }

    var id: String
    var title: String
    var type: String?
    var disambiguation: String?
    var relations: Lenient<Relation>?

    func work(_ page: String) -> OutsideWork? {
        let title = AnswerText.line(title)
        guard let mbid = AnswerText.mbid(id), !title.isEmpty else { return nil }
        let composers = (relations?.elements ?? []).filter { $0.type == "composer" }
        return OutsideWork(
            mbid: mbid, title: title, composer: AnswerText.line(composers.first?.artist?.name),
            kind: AnswerText.line(type), remark: AnswerText.line(disambiguation),
            link: [page, "work", mbid].joined(separator: "/"))
    }
}
