import Diary
import Foundation

/// setlist.fm: the songs that an ensemble played on an evening.
///
/// Its operator gives a key, allows two requests a second and 1,440 a day, and wants a link to each setlist that is
/// shown. An evening has an id that stays, and a version that changes with each edit.
/// Source: https://api.setlist.fm/docs/1.0.
public struct SetlistFM: OutsideSource {
    public let name = "setlist.fm"
    public let answers: Set<OutsideQuestionKind> = [.setlists]

    private let requests: SourceRequests
    private static let mostFound = 20
    private static let mostSongs = 200

    /// - Parameters:
    ///   - server: `https://api.setlist.fm`.
    ///   - version: this program's version.
    ///   - contact: the mail address or web address of the house.
    public init(server: String, key: SourceKey, version: String, contact: String) {
        var settings = SourceRequests.Settings(
            name: "setlist.fm", server: server, version: version, contact: contact, key: ("x-api-key", key),
            pace: RequestPace(interval: .milliseconds(550), mostInADay: 1_440))
        settings.headers.append(("Accept-Language", "en"))
        self.init(settings)
    }

    init(_ settings: SourceRequests.Settings) { requests = SourceRequests(settings) }

    public func setlists(
        of name: String, mbid: String?, on date: CalendarDate
    ) async throws(OutsideSourceFault) -> [OutsideSetlist] {
        let ensemble =
            AnswerText.mbid(mbid).map { "artistMbid=\($0)" }
            ?? "artistName=\(AnswerText.parameter(name))"
        let path = "/rest/1.0/search/setlists?\(ensemble)&date=\(Self.day(date))&p=1"
        guard let bytes = try await requests.json(path) else { return [] }
        let answer = try AnswerText.decode(SetlistPage.self, bytes, of: self.name)
        return (answer.setlist?.elements ?? []).prefix(Self.mostFound).compactMap {
            $0.setlist(mostSongs: Self.mostSongs)
        }
    }

    public func setlist(_ id: String) async throws(OutsideSourceFault) -> OutsideSetlist {
        guard let id = AnswerText.id(id),
            let bytes = try await requests.json("/rest/1.0/setlist/\(id)", isFresh: true),
            let setlist = try AnswerText.decode(Setlist.self, bytes, of: name)
                .setlist(mostSongs: Self.mostSongs), setlist.id == id
        else { throw .notFound(source: name) }
        return setlist
    }

    /// A day as the source writes it: `23-11-2026`.
    static func day(_ date: CalendarDate) -> String {
        date.description.split(separator: "-").reversed().joined(separator: "-")
    }

    /// Reads a day as the source writes it.
    static func date(_ text: String) -> CalendarDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return CalendarDate(parts.reversed().joined(separator: "-"))
    }
}

private struct SetlistPage: Decodable {
    var setlist: Lenient<Setlist>?
}

private struct Setlist: Decodable {
    struct Artist: Decodable {
        var mbid: String?
        var name: String?
    }

    struct Country: Decodable {
        var code: String?
    }

    struct City: Decodable {
        var name: String?
        var country: Country?
    }

    struct Venue: Decodable {
        var name: String?
        var city: City?
    }

    struct Tour: Decodable {
        var name: String?
    }

    struct Song: Decodable {
        var name: String?
        var cover: Artist?
        /// True for music from a recording, which nobody played.
        var tape: Bool?
    }

    struct Part: Decodable {
        var encore: Int?
        var song: Lenient<Song>?
    }

    struct Parts: Decodable {
        var set: Lenient<Part>?
    }

    var id: String
    var versionId: String?
    var eventDate: String
    var artist: Artist?
    var venue: Venue?
    var tour: Tour?
    var sets: Parts?
    var set: Lenient<Part>?
    var url: String?

    func setlist(mostSongs: Int) -> OutsideSetlist? {
        let ensemble = AnswerText.line(artist?.name)
        guard let id = AnswerText.id(id), let date = SetlistFM.date(eventDate), !ensemble.isEmpty else {
            return nil
        }
        let songs = (sets?.set ?? set)?.elements.flatMap { part in
            (part.song?.elements ?? []).compactMap { song -> OutsideSetlist.Song? in
                let title = AnswerText.line(song.name)
                guard !title.isEmpty, song.tape != true else { return nil }
                return .init(
                    title: title, composer: AnswerText.line(song.cover?.name),
                    isEncore: part.encore.map { $0 > 0 } ?? false)
            }
        }
        return OutsideSetlist(
            id: id, version: AnswerText.id(versionId) ?? "", date: date, ensemble: ensemble,
            ensembleMBID: AnswerText.mbid(artist?.mbid), tour: AnswerText.line(tour?.name),
            venue: AnswerText.line(venue?.name), city: AnswerText.line(venue?.city?.name),
            countryCode: AnswerText.country(venue?.city?.country?.code),
            songs: Array((songs ?? []).prefix(mostSongs)), link: Self.link(url))
    }

    /// Only addresses of the source itself are shown.
    private static func link(_ text: String?) -> String {
        guard let text, text.hasPrefix("https://www.setlist.fm/"), text.utf8.count <= 300,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
        else { return "https://www.setlist.fm/" }
        return text
    }
}
