import Diary
import Foundation
import Testing

@testable import DiaryFiles
@testable import TestHelpers

/// Questions to stand-ins of MusicBrainz, setlist.fm and YouTube: what is asked, how often, and what becomes of each
/// answer.
@Suite(.ownThreads) struct MusicDatabasesTests {
    static let orchestra = "11111111-2222-4333-8444-555555555555"
    static let symphony = "66666666-7777-4888-8999-aaaaaaaaaaaa"

    /// Answers made for these tests, in the form that the sources document.
    static let artists = """
        {"created":"2026-11-23T00:00:00Z","count":3,"artists":[
          {"id":"\(orchestra)","type":"Orchestra","score":100,"name":"Stadt\\u0007orchester\\u202e  Musterstadt",
           "area":{"name":"Musterstadt"},"disambiguation":"the one with the red chairs",
           "tags":[{"count":2,"name":"classical"},{"count":1,"name":"tango"}]},
          {"id":"no id","name":"Broken"}, {"name":17}, 4]}
        """
    static let works = """
        {"works":[{"id":"\(symphony)","type":"Symphony","title":"Symphony no. 5",
          "relations":[{"type":"dedication","artist":{"name":"Nobody"}},
                       {"type":"composer","artist":{"name":"Muster, Max"}}]}]}
        """
    static func setlist(version: String = "v1a", songs: String? = nil) -> String {
        let songs =
            songs
            ?? #"{"name":"Opener"},{"name":"Borrowed","cover":{"name":"Others"}},{"name":"From tape","tape":true}"#
        return """
            {"id":"63de4613","versionId":"\(version)","eventDate":"23-11-2026",
             "artist":{"mbid":"\(orchestra)","name":"The Examples"},"tour":{"name":"Loud tour"},
             "venue":{"name":"Town hall","city":{"name":"Musterstadt","country":{"code":"at"}}},
             "sets":{"set":[{"song":[\(songs)]},{"encore":1,"song":[{"name":"Again"}]}]},
             "url":"https://www.setlist.fm/setlist/the-examples/2026/town-hall-63de4613.html"}
            """
    }

    private func settings(
        _ base: String, interval: Duration = .zero, day: Int? = nil, seconds: Int64 = 10,
        bytes: Int = 1 << 16,
        headers: [(name: String, value: String)] = []
    ) -> SourceRequests.Settings {
        SourceRequests.Settings(
            name: "The source", base: base, headers: headers,
            pace: RequestPace(interval: interval, mostInADay: day), answerSeconds: seconds, mostBytes: bytes)
    }

    private func fault(_ work: () async throws -> Void) async -> OutsideSourceFault? {
        do { try await work() } catch { return error as? OutsideSourceFault }
        return nil
    }

    @Test func anEnsembleIsFoundWithItsIdAndWhatIsBrokenIsLeftOut() async throws {
        let server = try await StandInSource { _, _ in .json(Self.artists) }
        let source = MusicBrainz(server: server.base, version: "9.9", contact: "music@example.org")
        let found = try await source.ensembles(named: "Stadt* AND \"Orchester\" (?")
        #expect(
            found == [
                OutsideEnsemble(
                    mbid: Self.orchestra, name: "Stadt orchester Musterstadt", kind: "Orchestra",
                    area: "Musterstadt", remark: "the one with the red chairs", genre: "classical",
                    link: "https://musicbrainz.org/artist/\(Self.orchestra)")
            ])
        let asked = try #require(server.requests.first)
        #expect(asked.headers.first(name: "User-Agent") == "Baton/9.9 ( music@example.org )")
        let query = try #require(URLComponents(string: asked.uri)?.queryItems)
        #expect(
            query.first { $0.name == "query" }?.value
                == #"artist:("Stadt" AND "AND" AND "Orchester")"#)
        #expect(query.first { $0.name == "fmt" }?.value == "json")
        try await server.close()
    }

    @Test func aWorkIsFoundWithItsComposer() async throws {
        let server = try await StandInSource { _, _ in .json(Self.works) }
        let source = MusicBrainz(settings(server.base))
        let found = try await source.works(titled: "symphony 5", composer: "muster")
        #expect(found.map(\.mbid) == [Self.symphony] && found.map(\.composer) == ["Muster, Max"])
        #expect(await fault { _ = try await source.work("../artist") } == .notFound(source: "MusicBrainz"))
        #expect(await fault { _ = try await source.setlist("1") } == .notOffered(source: "MusicBrainz"))
        #expect(server.requests.count == 1, "an id that is none is not asked for")
        try await server.close()
    }

    @Test func aSetlistIsFoundByDayWithTheKey() async throws {
        let server = try await StandInSource { uri, _ in
            uri.contains("search") ? .json("{\"setlist\":[\(Self.setlist())]}") : .json(Self.setlist())
        }
        let folder = try ServeFolder()
        try folder.write("abcd-1234-key\n", to: "key")
        let source = SetlistFM(
            server: server.base, key: try SourceKey(file: folder.path + "/key"), version: "9.9",
            contact: "https://example.org")
        let day = try #require(CalendarDate("2026-11-23"))
        let found = try await source.setlists(of: "The Examples", mbid: nil, on: day)
        let first = try #require(found.first)
        #expect(first.songs.map(\.title) == ["Opener", "Borrowed", "Again"])
        #expect(first.songs.map(\.composer) == ["", "Others", ""])
        #expect(first.songs.map(\.isEncore) == [false, false, true])
        #expect(first.countryCode == "AT" && first.version == "v1a" && first.ensembleMBID == Self.orchestra)
        #expect(try await source.setlist("63de4613") == first)
        let asked = server.requests
        #expect(asked[0].uri == "/rest/1.0/search/setlists?artistName=The%20Examples&date=23-11-2026&p=1")
        #expect(asked[0].headers.first(name: "x-api-key") == "abcd-1234-key")
        #expect(asked[1].uri == "/rest/1.0/setlist/63de4613")
        try folder.write("two\nlines", to: "key")
        #expect(throws: SourceKey.Fault.noKey) { try SourceKey(file: folder.path + "/key") }
        #expect(throws: SourceKey.Fault.unreadable) { try SourceKey(file: folder.path + "/none") }
        try await server.close()
    }

    @Test func videosAreFoundWithTheKeyInAHeaderAndLinksAreTheSources() async throws {
        let server = try await StandInSource { _, _ in
            .json(
                #"{"items":[{"id":{"videoId":"abc-DEF_123"},"snippet":{"title":"Bach &amp; sons &#39;live&#39;\u202e","#
                    + #""channelTitle":"The house","publishedAt":"2026-11-23T20:00:00Z"}},"#
                    + #"{"id":{"videoId":"javascript:"},"snippet":{"title":"Wrong"}},{"id":{"videoId":"abcdefghijk"},"#
                    + #""snippet":{"title":""}},{"id":{"playlistId":"p"},"snippet":{"title":"A list"}},17]}"#)
        }
        let folder = try ServeFolder()
        try folder.write("AIza-key_1\n", to: "key")
        let source = YouTube(
            server: server.base, key: try SourceKey(file: folder.path + "/key"), version: "9.9",
            contact: "music@example.org")
        let found = try await source.videos(about: "Bach & sons")
        #expect(
            found == [
                OutsideVideo(
                    title: "Bach & sons 'live'", channel: "The house", published: CalendarDate("2026-11-23"),
                    link: "https://www.youtube.com/watch?v=abc-DEF_123")
            ])
        let asked = try #require(server.requests.first)
        #expect(
            asked.uri == "/youtube/v3/search?part=snippet&type=video&maxResults=10&q=Bach%20%26%20sons")
        #expect(asked.headers.first(name: "X-Goog-Api-Key") == "AIza-key_1")
        #expect(
            await fault { _ = try await source.works(titled: "x", composer: "") }
                == .notOffered(source: "YouTube"))
        try await server.close()
    }

    @Test func requestsKeepTheirDistanceAndTheSameIsNotAskedTwice() async throws {
        let server = try await StandInSource { _, _ in .json("[]") }
        let requests = SourceRequests(settings(server.base, interval: .milliseconds(200)))
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 { group.addTask { _ = try await requests.json("/\(number)") } }
                try await group.waitForAll()
            }
        }
        for number in 0..<4 { _ = try await requests.json("/\(number)") }
        #expect(server.requests.count == 4)
        // The last one begins three distances after the first one.
        #expect(time >= .milliseconds(600))
        try await server.close()
    }

    @Test func whoComesWhileTheQueueIsFullIsToldSo() async throws {
        let server = try await StandInSource { _, _ in .json("[]") }
        let requests = SourceRequests(settings(server.base, interval: .milliseconds(300)))
        let faults = await withTaskGroup(of: OutsideSourceFault?.self) { group in
            for number in 0..<9 {
                group.addTask { await fault { _ = try await requests.json("/\(number)") } }
            }
            var found: [OutsideSourceFault] = []
            for await fault in group { if let fault { found.append(fault) } }
            return found
        }
        #expect(!faults.isEmpty && faults.allSatisfy { $0 == .crowded(source: "The source") })
        try await server.close()
    }

    @Test(arguments: [429, 503])
    func aRefusalWithRetryAfterIsObeyedWithoutAskingAgain(_ status: Int) async throws {
        let server = try await StandInSource { _, _ in .status(status, ["Retry-After": "30"]) }
        let requests = SourceRequests(settings(server.base))
        for path in ["/a", "/b"] {
            guard case .paused(_, let seconds) = await fault({ _ = try await requests.json(path) }) else {
                Issue.record("\(path) was not told to wait")
                continue
            }
            #expect((28...30).contains(seconds))
        }
        #expect(server.requests.count == 1)
        try await server.close()
    }

    @Test func aWrongKeyAndAFullDayAreToldAsSuch() async throws {
        let server = try await StandInSource { _, _ in .status(403, [:]) }
        let requests = SourceRequests(settings(server.base, day: 1))
        #expect(await fault { _ = try await requests.json("/a") } == .keyRefused(source: "The source"))
        #expect(await fault { _ = try await requests.json("/a") } == .dayIsFull(source: "The source"))
        try await server.close()
    }

    @Test func aSourceThatIsSilentOrEndlessOrAwayIsGivenUp() async throws {
        let server = try await StandInSource { uri, _ in uri == "/huge" ? .endless(100_000) : .silence }
        let requests = SourceRequests(settings(server.base, seconds: 1))
        #expect(
            await fault { _ = try await requests.json("/silent") }
                == .unreachable(source: "The source", reason: "no answer within 1 seconds"))
        #expect(
            await fault { _ = try await requests.json("/huge") }
                == .unreadable(source: "The source", reason: "more than 64 KB"))
        try await server.close()
        #expect(
            await fault { _ = try await requests.json("/away") }
                == .unreachable(source: "The source", reason: "no connection"))
    }

    @Test func aBodyThatDripsIsGivenUpToo() async throws {
        let server = try await StandInSource { _, _ in .endless(10) }
        let requests = SourceRequests(settings(server.base, seconds: 1))
        guard case .unreachable? = await fault({ _ = try await requests.json("/drip") }) else {
            Issue.record("it was waited for")
            return
        }
        try await server.close()
    }

    @Test(arguments: [
        "", "null", "[]", "{\"artists\":{}}", String(repeating: "[", count: 60_000), "{\"artists\":[{\"id\":",
        "<html>",
    ])
    func anAnswerThatIsNoneIsRefused(_ text: String) async throws {
        let server = try await StandInSource { _, _ in .json(text) }
        let source = MusicBrainz(settings(server.base))
        guard case .unreadable? = await fault({ _ = try await source.ensembles(named: "x") }) else {
            Issue.record("\(text.prefix(20)) was taken")
            return
        }
        try await server.close()
    }

    @Test func redirectsAreNotFollowed() async throws {
        let server = try await StandInSource { _, _ in .status(302, ["Location": "http://127.0.0.1:1/"]) }
        let requests = SourceRequests(settings(server.base))
        #expect(
            await fault { _ = try await requests.json("/a") }
                == .unreachable(source: "The source", reason: "status 302"))
        try await server.close()
    }

    @Test func aHostileSetlistIsCutAndItsLinkIsTheSources() async throws {
        let many = (0..<400).map { #"{"name":"Song \#($0) \#(String(repeating: "x", count: 500))"}"# }
            .joined(separator: ",")
        let text = Self.setlist(songs: many).replacingOccurrences(
            of: "https://www.setlist.fm/setlist/", with: "javascript:alert(1)//")
        let server = try await StandInSource { _, _ in .json(text) }
        let found = try await SetlistFM(settings(server.base, bytes: 1 << 20)).setlist("63de4613")
        #expect(found.songs.count == 200 && found.songs.allSatisfy { $0.title.utf8.count <= 300 })
        #expect(found.link == "https://www.setlist.fm/")
        try await server.close()
    }
}
