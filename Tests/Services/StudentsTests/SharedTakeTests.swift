import Catalogue
import Foundation
import Testing

@testable import Students
@testable import WebServer

/// A teacher sees the report on a take if the student lets the teacher, and nobody else sees anything.
@Suite final class SharedTakeTests {
    private let folder = NSTemporaryDirectory() + "baton-shared-takes-" + UUID().uuidString
    private let catalogue: CatalogueStore
    private let service: StudentsService
    private var people: [String: WebPerson] = [:]

    init() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        service = try StudentsService(data: folder, models: folder, recordings: folder, catalogue: catalogue)
        for (name, role) in [
            ("Tilda", AccountRole.musician), ("Uwe", .editor), ("Anna", .musician), ("Root", .administrator),
            ("Nick", .technician),
        ] {
            let account = try await catalogue.addAccount(named: name, role: role, passwordHash: "")
            people[name] = WebPerson(
                id: account.id.rawValue, name: name, role: try #require(WebRole(rawValue: role.rawValue)))
        }
        try await shareTab("etude-0001", of: "Tilda")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func id(_ name: String) -> String { people[name]?.id ?? "" }

    private func shareTab(_ tab: String, of teacher: String) async throws {
        _ = try await catalogue.savePracticeTab(
            PracticeTabChange(
                id: tab, account: id(teacher), owner: teacher, title: "Etude", content: Array(tab.utf8),
                isShared: false, baseVersion: 0),
            within: PracticeTabLimits(tabsOfAccount: 9, bytesOfAccount: 999, totalBytes: 999))
        #expect(try await catalogue.sharePracticeTab(tab, of: id(teacher), with: "Anna") == .shared)
    }

    /// A take of Anna's; its report says that it is too short.
    private func take() throws -> String {
        let take = Take(piece: "made", pieceName: "Made: Study", startedAt: 1_790_000_000_000)
        let begun = try service.takes.begin(take, owner: id("Anna"))
        let writer = try TakeWriter(folder: begun.folder, take: take, rate: PracticeStage.rate)
        writer.write(PracticeStage.playing(to: 1)[...])
        try writer.close(lostSeconds: 0)
        return begun.name
    }

    private func ask(
        _ method: WebRoute.Method, _ path: String, _ parameters: [String: String] = [:], _ body: String = "",
        by name: String
    ) async throws -> WebResponse {
        let route = try #require(service.takeRoutes.first { $0.method == method && $0.path == path })
        return await route.response(
            to: WebRequest(
                path: path, pathParameters: parameters, queryParameters: [:], rawQuery: "",
                person: people[name], sessionToken: nil, deviceMark: nil, visitorAddress: "192.0.2.7",
                isOwnMachine: false, contentType: "application/json", origin: "", body: Array(body.utf8),
                uploadedFile: nil))
    }

    private func setShared(_ take: String, with reader: String, _ isShared: Bool, by name: String = "Anna")
        async throws -> Int
    {
        try await ask(
            .put, "/api/practice/takes/:take/readers", ["take": take],
            #"{"reader":"\#(id(reader))","isShared":\#(isShared)}"#, by: name
        ).status
    }

    private func reportStatus(_ take: String, by name: String) async throws -> Int {
        try await ask(
            .get, "/api/practice/shared/:student/:take/report", ["student": id("Anna"), "take": take],
            by: name
        ).status
    }

    private struct Listed: Decodable {
        struct Person: Decodable {
            var id: String
            var name: String
        }
        struct Entry: Decodable {
            var name: String
            var bytes: Int?
            var readers: [String]?
            var student: Person?
        }
        var takes: [Entry]
        var teachers: [Person]?
    }

    private func list(_ path: String, by name: String) async throws -> Listed {
        try JSONDecoder().decode(Listed.self, from: Data(try await ask(.get, path, by: name).body))
    }

    @Test func aReportIsSeenWhileTheStudentLetsItBeSeen() async throws {
        let (seen, other) = (try take(), try take())
        #expect(try await reportStatus(seen, by: "Tilda") == 404, "nothing is shared by itself")
        let own = try await list("/api/practice/takes", by: "Anna")
        #expect(own.teachers?.map(\.name) == ["Tilda"] && own.takes.allSatisfy { $0.readers == [] })

        #expect(try await setShared(seen, with: "Tilda", true) == 200)
        let shared = try await list("/api/practice/shared", by: "Tilda").takes
        #expect(shared.map(\.name) == [seen] && shared.first?.student?.name == "Anna")
        #expect(shared.first?.readers == nil && shared.first?.bytes == nil)
        #expect(try await reportStatus(seen, by: "Tilda") == 200)
        #expect(try await reportStatus(other, by: "Tilda") == 404)
        #expect(
            try await list("/api/practice/takes", by: "Anna").takes.filter { $0.readers != [] }.count == 1)

        #expect(try await setShared(seen, with: "Tilda", false) == 200)
        #expect(try await reportStatus(seen, by: "Tilda") == 404)
        #expect(try await list("/api/practice/shared", by: "Tilda").takes.isEmpty)
    }

    @Test func nobodyElseSeesOrSharesIt() async throws {
        let seen = try take()
        #expect(try await setShared(seen, with: "Tilda", true) == 200)
        for name in ["Uwe", "Root", "Nick"] {
            #expect(try await reportStatus(seen, by: name) == 404, "\(name)")
            #expect(try await list("/api/practice/shared", by: name).takes.isEmpty, "\(name)")
            #expect(try await setShared(seen, with: name, true, by: name) == 404, "\(name)")
            #expect(try await setShared(seen, with: name, true) == 422, "\(name) is no teacher of Anna's")
        }
        // The teacher sees the report only.
        for (method, path) in [
            (WebRoute.Method.get, "/api/practice/takes/:take/sound"),
            (.get, "/api/practice/takes/:take/report"),
            (.delete, "/api/practice/takes/:take"),
        ] {
            #expect(try await ask(method, path, ["take": seen], by: "Tilda").status == 404, "\(path)")
        }
        #expect(try await setShared(seen, with: "Uwe", true, by: "Tilda") == 404)
        #expect(
            try await ask(
                .put, "/api/practice/takes/:take/readers", ["take": seen], #"{"reader":"x"}"#, by: "Anna"
            ).status == 400)
    }

    @Test func eachTeacherIsLetInAlone() async throws {
        try await shareTab("etude-0002", of: "Uwe")
        let seen = try take()
        #expect(try await list("/api/practice/takes", by: "Anna").teachers?.map(\.name) == ["Tilda", "Uwe"])
        #expect(try await setShared(seen, with: "Uwe", true) == 200)
        #expect(try await reportStatus(seen, by: "Uwe") == 200)
        #expect(try await reportStatus(seen, by: "Tilda") == 404)
        // The student can take it back also when the teacher shares nothing any more.
        _ = try await catalogue.removePracticeTab("etude-0002", of: id("Uwe"), version: 9)
        #expect(try await list("/api/practice/takes", by: "Anna").teachers?.map(\.name) == ["Tilda", "Uwe"])
        #expect(try await setShared(seen, with: "Uwe", false) == 200)
        #expect(try await list("/api/practice/takes", by: "Anna").teachers?.map(\.name) == ["Tilda"])
    }

    @Test func whatIsDeletedIsSharedNoMore() async throws {
        let (deleted, kept) = (try take(), try take())
        for take in [deleted, kept] { #expect(try await setShared(take, with: "Tilda", true) == 200) }
        #expect(
            try await ask(.delete, "/api/practice/takes/:take", ["take": deleted], by: "Anna").status == 200)
        #expect(try await catalogue.takes(readableBy: id("Tilda")).map(\.take) == [kept])
        try await catalogue.setAccountDisabled(true, AccountID(rawValue: id("Anna")))
        #expect(try await reportStatus(kept, by: "Tilda") == 404, "whoever is suspended cannot take it back")
        try await catalogue.setAccountDisabled(false, AccountID(rawValue: id("Anna")))
        #expect(try await reportStatus(kept, by: "Tilda") == 200)
        try await catalogue.removeAccount(AccountID(rawValue: id("Anna")))
        #expect(try await catalogue.takes(readableBy: id("Tilda")).isEmpty)
    }
}
