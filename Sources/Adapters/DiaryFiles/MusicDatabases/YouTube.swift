import Diary

/// YouTube: videos of concerts, whose links people can add to an entry.
///
/// Its operator gives a key and counts units, 10,000 a day; a search costs 100. The key goes in a header, so that no
/// address has it. Sources: https://developers.google.com/youtube/v3/docs/search/list and
/// /youtube/v3/determine_quota_cost, https://cloud.google.com/apis/docs/system-parameters.
public struct YouTube: OutsideSource {
    public let name = "YouTube"
    public let answers: Set<OutsideQuestionKind> = [.videos]

    private let requests: SourceRequests
    private static let mostFound = 10
    private static let searchesADay = 100

    /// - Parameters:
    ///   - server: `https://www.googleapis.com`.
    ///   - version: this program's version.
    ///   - contact: the mail address or web address of the house.
    public init(server: String, key: SourceKey, version: String, contact: String) {
        self.init(
            SourceRequests.Settings(
                name: "YouTube", server: server, version: version, contact: contact,
                key: ("X-Goog-Api-Key", key),
                pace: RequestPace(interval: .milliseconds(550), mostInADay: Self.searchesADay)))
    }

    init(_ settings: SourceRequests.Settings) { requests = SourceRequests(settings) }

    public func videos(about words: String) async throws(OutsideSourceFault) -> [OutsideVideo] {
        let path =
            "/youtube/v3/search?part=snippet&type=video&maxResults=\(Self.mostFound)"
            + "&q=\(AnswerText.parameter(words))"
        guard let bytes = try await requests.json(path) else { return [] }
        let answer = try AnswerText.decode(VideoList.self, bytes, of: name)
        return answer.items.elements.prefix(Self.mostFound).compactMap(\.video)
    }
}

private struct VideoList: Decodable {
    var items: Lenient<Found>
}

private struct Found: Decodable {
    struct ID: Decodable {
        var videoId: String?
    }

    struct Snippet: Decodable {
        var title: String?
        var channelTitle: String?
        var publishedAt: String?
    }

    var id: ID
    var snippet: Snippet

    var video: OutsideVideo? {
        let title = Self.text(snippet.title)
        guard let id = id.videoId, Self.isVideo(id), !title.isEmpty else { return nil }
        return OutsideVideo(
            title: title, channel: Self.text(snippet.channelTitle),
            published: snippet.publishedAt.flatMap { CalendarDate(String($0.prefix(10))) },
            link: "https://www.youtube.com/watch?v=\(id)")
    }

    /// The ids of videos are eleven letters, digits, hyphens and underscores.
    private static func isVideo(_ id: String) -> Bool {
        id.utf8.count == 11
            && id.utf8.allSatisfy {
                $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
            }
    }

    /// The source escapes five signs in its texts as HTML does.
    private static func text(_ escaped: String?) -> String {
        let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        return AnswerText.line(
            signs.reduce(escaped) { text, sign in
                text?.replacing(sign.0, with: sign.1)
            })
    }
}
