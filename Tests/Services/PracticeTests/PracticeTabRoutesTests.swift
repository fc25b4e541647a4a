import Catalogue
import Foundation
import Testing

@testable import Practice
@testable import WebServer

/// The server keeps people's tabs, and loses nothing.
@Suite struct PracticeTabRoutesTests {
    private let catalogue: CatalogueStore
    private let routes: [WebRoute]
    private static let ines = WebPerson(id: "ines", name: "Ines", role: .musician)
    private static let otto = WebPerson(id: "otto", name: "Otto", role: .editor)

    init() throws {
        let folder = NSTemporaryDirectory() + "/practice-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        routes = PracticeTabRoutes(catalogue: catalogue).routes
    }

    private func ask(
        _ method: WebRoute.Method, _ tab: String? = nil, _ query: [String: String] = [:], _ body: String = "",
        by person: WebPerson? = ines, below: String = ""
    ) async throws -> WebResponse {
        let path = "/api/practice/tabs" + (tab == nil ? "" : "/:tab") + below
        let route = try #require(routes.first { $0.method == method && $0.path == path })
        return await route.response(
            to: WebRequest(
                path: path, pathParameters: tab.map { ["tab": $0] } ?? [:], queryParameters: query,
                rawQuery: "",
                person: person, sessionToken: nil, deviceMark: nil, visitorAddress: "192.0.2.7",
                isOwnMachine: false, contentType: "application/json", origin: "", body: Array(body.utf8),
                uploadedFile: nil))
    }

    private struct Saved: Decodable {
        var id: String
        var version: Int
        var isCopy: Bool
    }

    private struct Listed: Decodable {
        struct Tab: Decodable {
            var id: String
            var version: Int
            var isMine: Bool
        }
        var tabs: [Tab]
        var removed: [String]
    }

    private func save(
        _ tab: String, _ text: String, base: Int, shared: Bool = false, by person: WebPerson = ines
    ) async throws -> Saved {
        let answer = try await ask(
            .put, tab, ["title": "A", "base": "\(base)", "shared": shared ? "1" : "0"],
            #"{"format":"baton-tab","version":1,"notes":"\#(text)"}"#,
            by: person)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONDecoder().decode(Saved.self, from: Data(answer.body))
    }

    private func listed(by person: WebPerson = ines) async throws -> Listed {
        try JSONDecoder().decode(Listed.self, from: Data(try await ask(.get, by: person).body))
    }

    private func list(by person: WebPerson = ines) async throws -> [Listed.Tab] {
        try await listed(by: person).tabs
    }

    private func text(_ tab: String, by person: WebPerson = ines) async throws -> String {
        String(decoding: try await ask(.get, tab, by: person).body, as: UTF8.self)
    }

    @Test func aLaterSaveOfAnOlderVersionBecomesACopyAndNothingIsLost() async throws {
        #expect(try await save("tab-00001", "first", base: 0).version == 1)
        #expect(try await save("tab-00001", "from the phone", base: 1).version == 2)
        let copy = try await save("tab-00001", "from the laptop", base: 1)
        #expect(copy.isCopy && copy.id != "tab-00001")
        #expect(try await text("tab-00001").contains("from the phone"))
        #expect(try await text(copy.id).contains("from the laptop"))
        // The answer may have been lost on its way: the same change again makes no further copy.
        #expect(try await save("tab-00001", "from the laptop", base: 1).id == copy.id)
        #expect(try await list().count == 2)
    }

    @Test func theSameChangeSentTwiceCountsOnce() async throws {
        _ = try await save("tab-00001", "first", base: 0)
        let again = try await save("tab-00001", "first", base: 0)
        #expect(!again.isCopy && again.version == 1)
    }

    @Test func aTabThatWasRemovedElsewhereComesBackIfItWasChangedHere() async throws {
        _ = try await save("tab-00001", "first", base: 0)
        #expect(try await ask(.delete, "tab-00001", ["version": "1"]).status == 200)
        #expect(try await listed().removed == ["tab-00001"])
        #expect(try await list().isEmpty)
        #expect(try await ask(.get, "tab-00001").status == 404)
        let back = try await save("tab-00001", "changed meanwhile", base: 1)
        #expect(!back.isCopy && back.version == 3)
        #expect(try await listed().removed.isEmpty)
    }

    @Test func aTabThatWasChangedElsewhereIsNotRemoved() async throws {
        _ = try await save("tab-00001", "first", base: 0)
        _ = try await save("tab-00001", "second", base: 1)
        #expect(try await ask(.delete, "tab-00001", ["version": "1"]).status == 409)
        #expect(try await list().map(\.version) == [2])
    }

    @Test func othersReadOnlyWhatIsSharedAndChangeNothing() async throws {
        _ = try await save("tab-00001", "mine", base: 0)
        #expect(try await ask(.get, "tab-00001", by: Self.otto).status == 404)
        _ = try await save("tab-00001", "mine", base: 1, shared: true)
        #expect(try await text("tab-00001", by: Self.otto).contains("mine"))
        #expect(try await list(by: Self.otto).map(\.isMine) == [false])
        #expect(try await save("tab-00001", "Otto's", base: 2, by: Self.otto).isCopy)
        #expect(try await ask(.delete, "tab-00001", ["version": "9"], by: Self.otto).status == 200)
        #expect(try await text("tab-00001").contains("mine"))
    }

    @Test func whatIsNoTabIsRefusedWithASentence() async throws {
        for (query, body, status) in [
            (["title": "", "base": "0"], "{}", 422), (["title": "A", "base": "-1"], "{}", 400),
            (["title": "A", "base": "0"], "[1]", 422), (["title": "A", "base": "0"], "{", 422),
            (
                ["title": "A"],
                String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40), 422
            ),
            (["title": "A"], "{}", 422),
            (["title": "A"], #"{"format":"baton-tab","version":2}"#, 422),
            (["title": "A"], #"{"format":"baton-tab","version":1,"bars":3}"#, 422),
            (["title": "A"], #"{"format":"baton-tab","version":1,"tracks":[null]}"#, 422),
            (["title": "A"], #"{"format":"baton-tab","version":1,"bars":[{"time":[0,4]}]}"#, 422),
        ] {
            let answer = try await ask(.put, "tab-00001", query, body)
            #expect(answer.status == status, "\(query) \(body.prefix(20))")
        }
        let said = try await ask(
            .put, "tab-00001", ["title": "A"], #"{"format":"baton-tab","version":1,"bars":3}"#)
        #expect(String(decoding: said.body, as: UTF8.self).contains("wrong kind at bars"))
        #expect(try await ask(.put, "../../etc", ["title": "A"], "{}").status == 400)
        #expect(try await ask(.get, by: nil).status == 401)
    }

    @Test func nobodyFillsTheServer() async throws {
        let limits = PracticeTabLimits(tabsOfAccount: 2, bytesOfAccount: 100, totalBytes: 150)
        func keep(_ id: String, of account: String, bytes: Int) async throws -> SavedPracticeTab {
            try await catalogue.savePracticeTab(
                PracticeTabChange(
                    id: id, account: account, owner: account, title: id,
                    content: [UInt8](repeating: UInt8(bytes), count: bytes), isShared: false, baseVersion: 0),
                within: limits)
        }
        #expect(try await keep("a", of: "ines", bytes: 60) == .saved(id: "a", version: 1))
        #expect(try await keep("b", of: "ines", bytes: 50) == .accountFull(bytes: 100))
        #expect(try await keep("b", of: "ines", bytes: 30) == .saved(id: "b", version: 1))
        #expect(try await keep("c", of: "ines", bytes: 1) == .tooManyTabs(2))
        #expect(try await keep("d", of: "otto", bytes: 61) == .storageFull(bytes: 150))
        let (mine, operators) = (
            PracticeTabLimits.limits(for: .musician), PracticeTabLimits.limits(for: .technician)
        )
        #expect(operators.totalBytes - mine.totalBytes == PracticeTabLimits.reserveBytes)
    }

    // MARK: Sharing with a named person

    private struct Readers: Decodable, Equatable {
        struct Reader: Decodable, Equatable {
            var name: String
            var hasArrived: Bool
        }
        var readers: [Reader]
    }

    /// A teacher, a student, and somebody else, with accounts.
    private func people() async throws -> (teacher: WebPerson, student: WebPerson, other: WebPerson) {
        func person(_ name: String, _ role: AccountRole, _ webRole: WebRole) async throws -> WebPerson {
            let account = try await catalogue.addAccount(named: name, role: role, passwordHash: "")
            return WebPerson(id: account.id.rawValue, name: name, role: webRole)
        }
        return (
            try await person("Tilda", .musician, .musician), try await person("Anna", .musician, .musician),
            try await person("Root", .administrator, .administrator)
        )
    }

    private func share(
        _ tab: String, with name: String, by person: WebPerson, _ method: WebRoute.Method = .put
    ) async throws -> WebResponse {
        try await ask(method, tab, [:], #"{"name":"\#(name)"}"#, by: person, below: "/readers")
    }

    private func readers(_ tab: String, by person: WebPerson) async throws -> [String: Bool] {
        let answer = try await ask(.get, tab, by: person, below: "/readers")
        let found = try JSONDecoder().decode(Readers.self, from: Data(answer.body)).readers
        return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.hasArrived) })
    }

    @Test func aTabIsSharedWithOnePersonAndWithNobodyElse() async throws {
        let (teacher, student, other) = try await people()
        _ = try await save("tab-00001", "etude", base: 0, by: teacher)
        #expect(try await share("tab-00001", with: " anna ", by: teacher).status == 200)
        #expect(try await readers("tab-00001", by: teacher) == ["anna": false])
        #expect(try await list(by: student).map(\.isMine) == [false])
        #expect(try await text("tab-00001", by: student).contains("etude"))
        #expect(try await readers("tab-00001", by: teacher) == ["anna": true])
        #expect(try await list(by: other).isEmpty, "also not with an administrator")
        #expect(try await ask(.get, "tab-00001", by: other).status == 404)
        #expect(try await save("tab-00001", "mine", base: 1, by: student).isCopy)

        #expect(try await share("tab-00001", with: "Anna", by: teacher, .delete).status == 200)
        #expect(try await ask(.get, "tab-00001", by: student).status == 404)
    }

    @Test func nobodyLearnsBySharingWhoHasAnAccount() async throws {
        let (teacher, _, _) = try await people()
        _ = try await save("tab-00001", "etude", base: 0, by: teacher)
        let known = try await share("tab-00001", with: "Anna", by: teacher)
        _ = try await share("tab-00001", with: "Anna", by: teacher, .delete)
        let unknown = try await share("tab-00001", with: "Nobody", by: teacher)
        #expect(known.status == 200 && unknown.status == 200)
        let texts = [known, unknown].map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts[0].replacing("Anna", with: "Nobody") == texts[1])
        // The name is taken later: it was meant for somebody else.
        let late = try await catalogue.addAccount(named: "Nobody", role: .musician, passwordHash: "")
        let lateComer = WebPerson(id: late.id.rawValue, name: "Nobody", role: .musician)
        #expect(try await list(by: lateComer).isEmpty)
    }

    @Test func onlyTheOwnerSharesAndSeesTheReaders() async throws {
        let (teacher, student, other) = try await people()
        _ = try await save("tab-00001", "etude", base: 0, by: teacher)
        _ = try await share("tab-00001", with: "Anna", by: teacher)
        for person in [student, other] {
            for method: WebRoute.Method in [.put, .delete] {
                let answer = try await share("tab-00001", with: "Anna", by: person, method)
                #expect(answer.status == 404, "\(person.name) \(method)")
            }
            #expect(try await ask(.get, "tab-00001", by: person, below: "/readers").status == 404)
        }
        #expect(try await share("tab-00001", with: "tilda", by: teacher).status == 409, "herself")
        #expect(try await share("tab-00001", with: "", by: teacher).status == 422)
        #expect(try await ask(.put, "tab-00001", [:], "{}", by: teacher, below: "/readers").status == 400)
        for number in 1..<CatalogueStore.mostReadersOfTab {
            _ = try await share("tab-00001", with: "Student \(number)", by: teacher)
        }
        #expect(try await share("tab-00001", with: "One more", by: teacher).status == 507)
        #expect(try await share("tab-00001", with: "Anna", by: teacher).status == 200, "has a place")
    }

    @Test func aReaderTakesATabFromTheOwnListAndItStaysTheOwners() async throws {
        let (teacher, student, _) = try await people()
        _ = try await save("tab-00001", "etude", base: 0, by: teacher)
        _ = try await share("tab-00001", with: "Anna", by: teacher)
        #expect(try await ask(.delete, "tab-00001", ["version": "1"], by: student).status == 200)
        #expect(try await list(by: student).isEmpty)
        #expect(try await list(by: teacher).map(\.isMine) == [true])
        #expect(try await readers("tab-00001", by: teacher).isEmpty)
    }

    @Test func sharingEndsWithTheTabAndWithTheAccount() async throws {
        let (teacher, student, _) = try await people()
        for tab in ["tab-00001", "tab-00002"] {
            _ = try await save(tab, "etude \(tab)", base: 0, by: teacher)
            _ = try await share(tab, with: "Anna", by: teacher)
        }
        _ = try await ask(.delete, "tab-00001", ["version": "1"], by: teacher)
        #expect(try await list(by: student).map(\.id) == ["tab-00002"])
        // A removed tab that comes back is shared with nobody.
        _ = try await save("tab-00001", "etude again", base: 1, by: teacher)
        #expect(try await list(by: student).map(\.id) == ["tab-00002"])
        try await catalogue.removeAccount(AccountID(rawValue: student.id))
        #expect(try await readers("tab-00002", by: teacher).isEmpty)
    }
}
