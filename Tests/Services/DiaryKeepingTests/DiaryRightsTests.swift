import Catalogue
import Diary
import Foundation
import Hummingbird
import Logging
import Podium
import RouterTesting
import Testing

@testable import DiaryKeeping
@testable import TestHelpers
@testable import WebServer

/// The rights to see and change the diary.
@Suite(.ownThreads) struct DiaryRightsTests {
    /// The token is the role.
    private struct ByRole: Accounts {
        func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
            .wrongCredentials
        }
        func findPerson(token: String) async -> WebPerson? {
            WebRole(rawValue: token).map { WebPerson(id: token, name: token, role: $0) }
        }
        func signOut(token: String) async {}
        func changePassword(
            of person: WebPerson, from old: String, to new: String, keeping token: String?
        ) async -> PasswordChangeOutcome { .wrongPassword }
    }

    private let folder: ServeFolder
    private let service: DiaryKeepingService
    private let tokens: DiaryTokens
    private let store: DiaryStore
    private let server: WebServer

    init() async throws {
        folder = try ServeFolder()
        try folder.write("<!doctype html>", to: "pages/index.html")
        let catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        tokens = DiaryTokens(catalogue: catalogue)
        service = try DiaryKeepingService(
            data: folder.path, catalogue: catalogue, runningShow: { nil },
            runningEvening: { nil }, programme: { .empty(title: "") },
            timeZone: .gmt, countries: { CountryList(countries: []) }
        ) { _ in }
        store = try DiaryStore(path: folder.path + "/diary.sqlite")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try WebServer(
            settings: WebSettings(port: 0, pagesPath: folder.path + "/pages"), accounts: ByRole(),
            routes: service.routes, logger: logger)
    }

    private struct Answer {
        var status: Int
        var text: String
    }

    private func ask(
        _ client: TestClient, _ path: String, _ method: HTTPRequest.Method = .get,
        role: WebRole? = nil,
        token: String? = nil, body: String = ""
    ) async throws -> Answer {
        var headers = HTTPFields()
        headers[.init("X-Baton")!] = "1"
        if let role { headers[.cookie] = "baton_session=\(role.rawValue)" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: path, method: method, headers: headers, body: ByteBuffer(string: body)
        ) { Answer(status: $0.status.code, text: String(buffer: $0.body)) }
    }

    /// An entry each of whose words is found nowhere else.
    private func hiddenEntry(_ visibility: ConcertProgramme.Visibility) throws -> ConcertProgramme {
        let date = try #require(CalendarDate("1999-08-07"))
        return ConcertProgramme(
            id: "hidden", ensemble: "quartz", title: "Secretgala", visibility: visibility,
            concerts: [
                DiaryConcert(
                    id: "hidden-1", date: date, venue: "Cavernhall", city: "Hiddentown", countryCode: "XX")
            ],
            items: [
                ProgrammeItem(
                    composer: "Obscurus", title: "Tacetsymphony", conductors: ["Maestra Nemo"],
                    soloists: [.init(name: "Soloista Nulla")],
                    heard: HeardPerformance(
                        show: "s", model: "m", startMilliseconds: 0, endMilliseconds: 90_000,
                        bars: (0..<9).map { .init(played: $0, printed: $0 + 1, seconds: Double($0)) }))
            ], provenance: Provenance(.heard), servedBy: ["Annaserver"])
    }

    private static let hiddenWords = [
        "Quartz", "Secretgala", "Cavernhall", "Hiddentown", "Obscurus", "Tacet", "Nemo", "Nulla",
        "Annaserver", "1999",
    ]

    /// Every address by which something can be read, with values that would find the hidden entry.
    private var readingPaths: [String] {
        let queries = [
            "/api/diary/timeline": [
                "", "?q=Cavernhall", "?q=Tacetsymphony", "?year=1999", "?venue=Cavernhall",
            ],
            "/api/diary/search": Self.hiddenWords.map { "?q=\($0.lowercased())" },
            "/api/diary/people": ["?name=Maestra%20Nemo"],
            "/api/diary/statistics": ["", "?country=XX", "?town=Hiddentown"],
            "/api/diary/compare": ["?one=hidden-1&other=hidden-1"],
            "/api/diary/bands/find-by-name": ["?name=Quartz"],
            "/api/diary/tourdate/find": ["?band=quartz", "?band=quartz&location=Hiddentown"],
            "/api/diary/event/find": ["?event=Secret", "?location=Hiddentown"],
            "/api/diary/venue/find": ["?pattern=Cavernhall"],
            "/api/diary/city/find": ["?pattern=Hiddentown"],
        ]
        return service.routes.filter { $0.method == .get && $0.access == .anybody }.flatMap {
            route -> [String] in
            let work = MusicalWork.makeID(composer: "Obscurus", title: "Tacetsymphony")
            let values = [
                "/api/diary/works/:id": work,
                "/api/diary/ensembles/:id": "quartz", "/api/diary/bands/:id": "quartz",
            ]
            let path = route.path.split(separator: "/").map { part in
                part.first == ":" ? values[route.path] ?? "hidden-1" : String(part)
            }
            return (queries[route.path] ?? [""]).map { "/" + path.joined(separator: "/") + $0 }
        }
    }

    @Test(arguments: [ConcertProgramme.Visibility.proposed, .private])
    func strangersAndApplicationsLearnNothingOfAHiddenEntry(_ visibility: ConcertProgramme.Visibility)
        async throws
    {
        try await store.save(Ensemble(id: "quartz", name: "Quartz Quintet"))
        try await store.save(try hiddenEntry(visibility))
        let token = try await tokens.make(named: "app", kind: .application).text
        try await server.makeApplication().test { client in
            for path in readingPaths {
                for token in [nil, token] {
                    let answer = try await ask(
                        client, path, role: token == nil ? .musician : nil, token: token)
                    for word in Self.hiddenWords
                    where !path.localizedCaseInsensitiveContains(word) || answer.status == 200 {
                        guard !(word == "1999" && path.contains("1999")) else { continue }
                        #expect(
                            !answer.text.localizedCaseInsensitiveContains(word), "\(path): \(answer.text)")
                    }
                }
            }
            let count = try await ask(client, "/api/diary/timeline")
            #expect(count.text.contains("\"count\":0"))
            let staff = try await ask(client, "/api/diary/concerts/hidden-1", role: .editor)
            #expect(staff.status == 200 && staff.text.contains("Tacetsymphony"))
            // Once it is published, everybody sees it, but not who served.
            let published = try await ask(
                client, "/api/diary/concerts/hidden-1/confirm", .post, role: .editor,
                body: #"{"isPrivate":false}"#)
            #expect(published.status == 200)
            // Somebody whose page still shows it as to be confirmed does not hide it.
            let stale = try await ask(
                client, "/api/diary/concerts/hidden-1/confirm", .post, role: .editor,
                body: #"{"isPrivate":true,"from":"proposed"}"#)
            #expect(stale.status == 409 && stale.text.contains("is published"))
            let seen = try await ask(client, "/api/diary/concerts/hidden-1")
            #expect(seen.text.contains("Tacetsymphony") && !seen.text.contains("Annaserver"))
        }
    }

    @Test func anImportedEntryIsHiddenByThoseWhoRunTheHouseAndPublishedAgain() async throws {
        try await store.save(Ensemble(id: "quartz", name: "Quartz Quintet"))
        var entry = try hiddenEntry(.published)
        entry.provenance = Provenance(.imported, source: "nyphil")
        try await store.save(entry)
        let confirm = "/api/diary/concerts/hidden-1/confirm"
        try await server.makeApplication().test { client in
            let seen = try await ask(client, "/api/diary/search?q=tacet")
            #expect(seen.text.contains("Obscurus"), "and it is remembered from here on")
            for role in [nil, WebRole.musician] {
                let answer = try await ask(client, confirm, .post, role: role, body: #"{"isPrivate":true}"#)
                #expect(answer.status == (role == nil ? 401 : 403))
            }
            for (isPrivate, status) in [(true, 404), (false, 200)] {
                let done = try await ask(
                    client, confirm, .post, role: .editor, body: #"{"isPrivate":\#(isPrivate)}"#)
                #expect(done.status == 200)
                for path in ["/api/diary/concerts/hidden-1", "/diary/concerts/hidden-1"] {
                    #expect(try await ask(client, path).status == status)
                }
                for path in ["search?q=tacet", "timeline", "people?name=Maestra%20Nemo", "calendar.ics"] {
                    let answer = try await ask(client, "/api/diary/" + path)
                    #expect(answer.text.contains("hidden-1") != isPrivate, "\(path): \(answer.text)")
                }
            }
        }
    }

    @Test func aPersonsOwnConcertsAreSeenByThatPersonAlone() async throws {
        try await server.makeApplication().test { client in
            let kept = try await ask(
                client, "/api/diary/mine/own-1", .put, role: .musician,
                body: #"{"revision":0,"concert":{"date":"2026-11-23","ensemble":"Quartz","rating":5}}"#)
            #expect(kept.status == 200 && kept.text.contains("\"revision\":1"))
            let again = try await ask(
                client, "/api/diary/mine/own-1", .put, role: .musician,
                body: #"{"revision":0,"concert":{"date":"2026-11-23","ensemble":"Quartz","rating":5}}"#)
            #expect(again.status == 200, "the device did not hear the first answer")
            let other = try await ask(
                client, "/api/diary/mine/own-1", .put, role: .musician,
                body: #"{"revision":0,"concert":{"date":"2026-11-23","rating":1}}"#)
            #expect(other.status == 409 && other.text.contains("\"revision\":1"))
            #expect(
                try await ask(client, "/api/diary/mine", role: .administrator).text
                    == #"{"account":"administrator","concerts":[],"gone":[]}"#)
            #expect(try await ask(client, "/api/diary/mine").status == 401)
            let wrong = try await ask(
                client, "/api/diary/mine/own-2", .put, role: .musician,
                body: #"{"revision":0,"concert":{"date":"yesterday"}}"#)
            #expect(wrong.status == 422 && wrong.text.contains("\"field\":\"date\""))
        }
    }

    @Test func aDeletedConcertIsDeletedOnTheOtherDevicesAndMayBeAddedAgain() async throws {
        let concert = #"{"date":"2026-11-23","ensemble":"Quartz"}"#
        try await server.makeApplication().test { client in
            func put(_ revision: Int) async throws -> Answer {
                try await ask(
                    client, "/api/diary/mine/own-1", .put, role: .musician,
                    body: #"{"revision":\#(revision),"concert":\#(concert)}"#)
            }
            #expect(try await put(0).status == 200)
            #expect(
                try await ask(client, "/api/diary/mine/own-1", .delete, role: .musician).status == 200)
            let mine = try await ask(client, "/api/diary/mine", role: .musician)
            #expect(mine.text.contains(#""concerts":[],"gone":["own-1"]"#))
            // Another device has edited it meanwhile: it learns that nothing is there, and sends it anew.
            let conflict = try await put(1)
            #expect(conflict.status == 409 && conflict.text.contains("\"revision\":0"))
            #expect(try await put(0).status == 200)
            let again = try await ask(client, "/api/diary/mine", role: .musician)
            #expect(again.text.contains("Quartz") && again.text.contains(#""gone":[]"#))
        }
    }

    @Test func aParameterThatIsEmptyOrGivenTwiceIsRefusedByItsName() async throws {
        let token = try await tokens.make(named: "app", kind: .application).text
        try await server.makeApplication().test { client in
            for query in ["limit=", "limit=5&limit=6", "limit=5&%6Cimit=5", "offset=&limit=5"] {
                let answer = try await ask(client, "/api/diary/bands?" + query, token: token)
                let field = query.hasPrefix("offset") ? "offset" : "limit"
                #expect(answer.status == 400 && answer.text.contains("\"field\":\"\(field)\""), "\(query)")
            }
            #expect(try await ask(client, "/api/diary/bands?limit=5&offset=0", token: token).status == 200)
        }
    }

    @Test func signsAloneFindNothing() async throws {
        try await store.save(Ensemble(id: "quartz", name: "Quartz Quintet"))
        try await store.save(try hiddenEntry(.published))
        try await server.makeApplication().test { client in
            for path in ["search", "timeline"] {
                for words in ["%F0%9F%92%A5", "--", "%27%22"] {
                    let answer = try await ask(client, "/api/diary/\(path)?q=\(words)")
                    #expect(answer.status == 200 && answer.text.contains("\"count\":0"), "\(path) \(words)")
                }
            }
        }
    }

    @Test func anEnsembleAddedByItsNameDoesNotReplaceAnother() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await server.makeApplication().test { client in
            func save(_ body: String) async throws -> BandRecord {
                let answer = try await ask(client, "/api/diary/bands", .post, token: token, body: body)
                return try JSONDecoder().decode(BandRecord.self, from: Data(answer.text.utf8))
            }
            let foo = try await save(#"{"name":"Foo","genre":"chamber"}"#)
            let again = try await save(#"{"name":"foo"}"#)
            #expect(again.id == foo.id && again.genre == "chamber")
            let id = try #require(foo.id)
            #expect(try await save(#"{"id":"\#(id)","name":"Bar"}"#).id == id)
            let new = try await save(#"{"name":"Foo"}"#)
            #expect(new.id != id && new.genre != "chamber")
            #expect(try await store.ensemble(id)?.name == "Bar")
            #expect(try await save(#"{"name":"!!!"}"#).id != save(#"{"name":"???"}"#).id)
        }
    }

    private func post(
        _ client: TestClient, _ path: String, _ token: String, _ body: String
    ) async throws -> (status: Int, fields: [String: Any]) {
        let answer = try await ask(client, "/api/diary/" + path, .post, token: token, body: body)
        let fields = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        return (answer.status, fields ?? [:])
    }

    @Test func aConcertOfWhichAPartIsSentKeepsTheRest() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "foo", name: "Foo"))
        try await server.makeApplication().test { client in
            let whole = """
                {"bandId":"foo","startDate":"2026-11-23T22:00","endDate":"2026-11-24T01:00","venue":"Barn",
                "city":"Musterstadt","countryCode":"AT","stage":"Big","supportAct":true}
                """
            let made = try await post(client, "tourdate", token, whole)
            let id = try #require(made.fields["id"] as? String)
            let moved = try await post(
                client, "tourdate", token, #"{"id":"\#(id)","bandId":"foo","startDate":"2026-11-25T22:30"}"#)
            #expect(moved.status == 200 && moved.fields["venue"] as? String == "Barn")
            #expect(moved.fields["endDate"] as? String == "2026-11-26T01:00:00.000")
            #expect(
                moved.fields["supportAct"] as? Bool == true && moved.fields["countryCode"] as? String == "AT")
            let cleared = try await post(
                client, "tourdate", token, #"{"id":"\#(id)","stage":"","supportAct":false}"#)
            #expect(cleared.status == 200 && cleared.fields["stage"] == nil)
            #expect(cleared.fields["city"] as? String == "Musterstadt")
            #expect(cleared.fields["startDate"] as? String == "2026-11-25T22:30:00.000")
        }
    }

    @Test func aConcertThatIsThereAlreadyIsNotReplacedBySilence() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "foo", name: "Foo"))
        try await server.makeApplication().test { client in
            let sent = #"{"bandId":"foo","startDate":"2026-11-23","venue":"Barn","countryCode":"AT"}"#
            #expect(try await post(client, "tourdate", token, sent).status == 200)
            #expect(
                try await post(client, "tourdate", token, sent).status == 200, "sent again it is the same")
            let other = try await post(
                client, "tourdate", token, sent.replacing("AT", with: "DE"))
            #expect(
                other.status == 409 && (other.fields["error"] as? String)?.contains("Send its id") == true)
        }
    }

    @Test func aConcertOfAnImportThatAnApplicationCorrectedStaysAtTheNextImport() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "quartz", name: "Quartz Quintet"))
        var entry = try hiddenEntry(.published)
        entry.concerts[0].countryCode = nil
        entry.provenance = Provenance(.imported, source: "nyphil")
        try await store.save(entry)
        try await server.makeApplication().test { client in
            let answer = try await post(client, "tourdate", token, #"{"id":"hidden-1","venue":"Newhall"}"#)
            #expect(answer.status == 200)
        }
        let again = entry
        let counts = try await store.importRecords(format: "nyphil", atMilliseconds: 0) { records in
            try records.add(again)
            return []
        }
        #expect(counts.kept == 1)
        #expect(try await store.programme("hidden")?.concerts.first?.venue == "Newhall")
    }

    @Test func anEventOfTheSameNameAndDayDoesNotReplaceAnother() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "foo", name: "Foo"))
        try await server.makeApplication().test { client in
            let sent = """
                {"description":"Open air","startDate":"2026-07-04","endDate":"2026-07-05","venue":"Meadow",
                "performances":{"2026-07-04":{"Big":[{"bandId":"foo","startTime":"2026-07-05T00:30"}]}}}
                """
            let made = try await post(client, "event", token, sent)
            #expect(made.status == 200)
            #expect(try await post(client, "event", token, sent).status == 200, "sent again it is the same")
            let other = try await post(
                client, "event", token,
                #"{"description":"Open air","startDate":"2026-07-04","endDate":"2026-07-06","venue":"Lake"}"#)
            #expect(
                other.status == 409 && (other.fields["error"] as? String)?.contains("Send its id") == true)
            let id = try #require(made.fields["id"] as? String)
            let part = try await post(client, "event", token, #"{"id":"\#(id)","city":"Musterstadt"}"#)
            #expect(part.status == 200)
            let event = try #require(await store.event(id))
            #expect(event.venue == "Meadow" && event.city == "Musterstadt")
            #expect(event.performances["2026-07-04"]?["Big"]?.first?.ensemble == "foo")
        }
    }

    @Test func aTextInOneLanguageLeavesTheOthers() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "foo", name: "Foo", biography: ["en": "Five", "de": "Fünf"]))
        try await store.save([Country(code: "AT", name: ["en": "Austria", "de": "Österreich"])])
        try await server.makeApplication().test { client in
            let band = try await post(
                client, "bands", token, #"{"id":"foo","biography":{"fr":"Cinq","en":""}}"#)
            #expect(band.status == 200 && band.fields["name"] as? String == "Foo")
            #expect(band.fields["biography"] as? [String: String] == ["de": "Fünf", "fr": "Cinq"])
            let country = try await post(client, "country", token, #"{"code":"AT","name":{"fr":"Autriche"}}"#)
            #expect((country.fields["name"] as? [String: String])?["de"] == "Österreich")
        }
    }

    @Test func aListNamesTheConductorsAndTheSearchFindsKindsOfWordsTogether() async throws {
        try await store.save(Ensemble(id: "quartz", name: "Quartz Quintet"))
        try await store.save(try hiddenEntry(.published))
        try await server.makeApplication().test { client in
            for words in ["nemo%20tacetsymphony%201999", "august%201999%20cavernhal", "Tazetsymfony%20Nemo"] {
                let answer = try await ask(client, "/api/diary/search?q=" + words)
                #expect(answer.text.contains(#""conductors":["Maestra Nemo"]"#), "\(words): \(answer.text)")
            }
            let counts = try await ask(client, "/api/diary/statistics?from=1999&to=1999")
            #expect(counts.status == 200 && counts.text.contains(#"{"concerts":1,"name":"Maestra Nemo"}"#))
            #expect(try await ask(client, "/api/diary/statistics?to=1998").text.contains(#""concerts":0"#))
        }
    }

    @Test func aConcertAfterMidnightHasTheDayOfItsBeginning() async throws {
        try await server.makeApplication().test { client in
            let kept = try await ask(
                client, "/api/diary/mine/own-1", .put, role: .musician,
                body: #"{"revision":0,"concert":{"date":"2026-07-04","start":"2026-07-05T00:30"}}"#)
            #expect(kept.status == 200)
            let mine = try await ask(client, "/api/diary/mine", role: .musician)
            #expect(mine.text.contains(#""date":"2026-07-05""#))
        }
    }

    @Test func aConcertDoesNotReplaceAnEntryWithItsID() async throws {
        let token = try await tokens.make(named: "admin", kind: .administrator).text
        try await store.save(Ensemble(id: "foo", name: "Foo"))
        let concert = DiaryConcert(id: "entry-a", date: try #require(CalendarDate("2026-11-23")))
        let entry = ConcertProgramme(
            id: "entry", ensemble: "foo", concerts: [concert], provenance: Provenance(.typed))
        try await store.save(entry)
        try await server.makeApplication().test { client in
            let answer = try await ask(
                client, "/api/diary/tourdate", .post, token: token,
                body: #"{"id":"entry","bandId":"foo","startDate":"2026-11-24T20:00:00.000"}"#)
            #expect(answer.status == 422 && answer.text.contains("\"field\":\"id\""))
            #expect(try await store.programme("entry")?.concerts.map(\.id) == ["entry-a"])
        }
    }

    @Test func tokensSayWhoMayReadAndWhoMayWrite() async throws {
        let (application, reading) = try await tokens.make(named: "app", kind: .application)
        let writing = try await tokens.make(named: "admin", kind: .administrator).text
        try await server.makeApplication().test { client in
            #expect(try await ask(client, "/api/diary/bands").status == 401)
            #expect(try await ask(client, "/api/diary/bands", token: "nonsense").status == 401)
            #expect(try await ask(client, "/api/diary/bands", token: reading).status == 200)
            let body = #"{"name":"Quartz Quintet","genre":"chamber"}"#
            #expect(
                try await ask(client, "/api/diary/bands", .post, token: reading, body: body).status == 403)
            #expect(try await ask(client, "/api/diary/bands", .post, body: body).status == 401)
            let made = try await ask(client, "/api/diary/bands", .post, token: writing, body: body)
            #expect(made.status == 200 && made.text.contains("Quartz Quintet"))
            let found = try await ask(client, "/api/diary/bands/find-by-name?name=quartz", token: reading)
            #expect(found.text.contains("Quartz Quintet") && !found.text.contains("biography"))
            let wrong = try await ask(
                client, "/api/diary/tourdate", .post, token: writing,
                body: #"{"bandId":"nobody","startDate":"2026-11-23"}"#)
            #expect(wrong.status == 422 && wrong.text.contains("\"field\":\"bandId\""))
            #expect(try await tokens.withdraw(application.id))
            #expect(try await ask(client, "/api/diary/bands", token: reading).status == 401)
        }
        let stored = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/catalogue.sqlite"))
        #expect(stored.range(of: Data(writing.utf8)) == nil, "only a digest is stored")
    }

    @Test func anyNameIsFoundAndNoSignHidesATag() async throws {
        try await store.save(Ensemble(id: "quartz", name: "\u{0600}<b>"))
        var entry = try hiddenEntry(.published)
        entry.items[0].conductors = [".Duo A/B: 5%"]
        try await store.save(entry)
        try await server.makeApplication().test { client in
            let person = try await ask(client, "/api/diary/people?name=.Duo%20A%2FB%3A%205%25")
            #expect(person.status == 200 && person.text.contains("\"count\":1"))
            #expect(try await ask(client, "/api/diary/people").status == 400)
            let page = try await ask(client, "/diary/concerts/hidden-1")
            #expect(page.status == 200 && page.text.contains("lt;b&gt;"))
            #expect(page.text.utf8.firstRange(of: "\u{0600}<".utf8) == nil)
        }
    }

    @Test func anEnsembleOfHiddenEntriesIsHiddenThoughItHasAnMBID() async throws {
        try await store.save(Ensemble(id: "quartz", mbid: "m-1", name: "Quartz Quintet"))
        try await server.makeApplication().test { client in
            #expect(try await ask(client, "/api/diary/ensembles").text.contains("Quartz"))
            try await store.save(try hiddenEntry(.proposed))
            #expect(try await !ask(client, "/api/diary/ensembles").text.contains("Quartz"))
            #expect(try await ask(client, "/api/diary/ensembles/quartz").status == 404)
            #expect(try await ask(client, "/api/diary/ensembles/quartz", role: .editor).status == 200)
        }
    }

    @Test func tooManyCallsOfOneAddressAreRefused() {
        let gate = DiaryGate(tokens: tokens, addressBurst: 3)
        #expect((0..<1_000).contains { _ in !gate.admits("192.0.2.1") })
        #expect(gate.admits("192.0.2.2"))
    }

    @Test func theDescriptionHasEveryCallOfTheSourceAndNoOther() {
        let real = SourceRoutes(
            store: store, gate: DiaryGate(tokens: tokens), bandKeeper: BandKeeper(store: store, sources: [])
        ).routes.map {
            "\($0.method.rawValue) " + $0.path.replacing(":id", with: "{id}")
        }
        #expect(real.sorted() == OpenAPIDescription.calls && real.count == 15)
    }
}
