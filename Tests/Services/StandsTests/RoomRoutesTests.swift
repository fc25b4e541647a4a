import Foundation
import Rehearsal
import Repository
import Score
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

/// Over loopback, as any program uses the rooms.
@Suite(.ownThreads, .serialized) struct RoomRoutesTests {
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    private struct NoAccounts: Accounts {
        func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
            .wrongCredentials
        }
        func findPerson(token: String) async -> WebPerson? { nil }
        func signOut(token: String) async {}
        func changePassword(
            of person: WebPerson, from old: String, to new: String, keeping token: String?
        ) async -> PasswordChangeOutcome { .wrongPassword }
    }

    private func live(_ work: @escaping @Sendable (String) async throws -> Void) async throws {
        let hub = stage.hub
        let streams = PersonalStreams(ResourceQuota.Limits(total: 10)) {
            await StandRoutes(roomHub: hub).openStream($0)
        }
        let server = try WebServer(
            settings: WebSettings(port: 0, signIn: .notNeeded), accounts: NoAccounts(),
            routes: StandRoutes(roomHub: hub).routes(streams) + RoomRoutes(roomHub: hub).routes
                + RoomReportRoutes(roomHub: hub).routes)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            _ = await eventually { server.boundPort != nil }
            do {
                try await work("http://127.0.0.1:\(server.boundPort!)")
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            try await group.waitForAll()
        }
    }

    private struct Answer {
        var status: Int
        var text: String
    }

    /// `curl`, for the library's own client keeps connections as it likes.
    private func ask(
        _ method: String, _ address: String, _ body: String? = nil
    ) async throws -> Answer {
        let arguments =
            ["-s", "-m", "60", "-X", method, "-H", "X-Baton: 1", "-w", "\n%{http_code}", address]
            + (body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? [])
        let said = try await run("/usr/bin/curl", arguments)
        let lines = said.split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(status: Int(lines.last ?? "") ?? 0, text: lines.dropLast().joined(separator: "\n"))
    }

    /// Waits without holding a thread that the server needs.
    private func run(_ program: String, _ arguments: [String]) async throws -> String {
        let path = "\(stage.folder.path)/said-\(UUID())"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        process.standardOutput = output
        process.standardError = output
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                ended.resume(throwing: error)
            }
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private let room = "00000000-0000-4000-8000-0000000000aa"
    private let stand = "00000000-0000-4000-8000-0000000000bb"

    private func make(_ server: String) async throws -> Answer {
        let score: Rehearsal.Score.ID = roomID(50)
        return try await ask(
            "POST", server + "/api/rooms",
            #"{"id":"\#(room)","membership":"\#(UUID())","score":"\#(score)","name":"Tutti","passkey":null,"published":true}"#
        )
    }

    @Test func roomIsMadeEnteredPlayedInAndReported() async throws {
        try await live { server in
            #expect(try await make(server).status == 200)
            let session = UUID().uuidString.lowercased()
            let sent = try await ask(
                "POST", "\(server)/api/rooms/\(room)/send?stand=\(stand)",
                """
                [{"v":1,"id":"\(UUID())","begin":{"session":"\(session)","layer":"\(UUID())"}},
                 {"v":1,"id":"\(UUID())","enter":{"participation":"\(UUID())","part":1}},
                 {"v":1,"id":"\(UUID())","turn":[0,1]},
                 {"v":1,"id":"\(UUID())","turn":[0,9]}]
                """)
            #expect(sent.status == 200)
            let answers = try RoomJSON.decode([RoomMessage].self, from: Array(sent.text.utf8))
            #expect(answers.map(\.receipt) == [1, 2, 3, nil] && answers[3].refusal == .noPage)

            let home = try await ask("GET", server + "/api/stand/home").text
            #expect(home.contains(#""title":"Sinfonie""#) && home.contains(#""isRunning":true"#))
            #expect(home.contains(#""whereabouts":{"#) && home.contains(#""live":null"#))
            #expect(home.contains(RehearsalRoomUser.idWithoutSignIn.description))

            let listed = try await ask("GET", "\(server)/api/rooms/\(room)/sessions").text
            #expect(listed.contains(session) && listed.contains(#""ended":null"#))
            let report = try await ask(
                "GET", "\(server)/api/rooms/\(room)/report?session=\(session)&part=1")
            #expect(report.status == 200 && report.text.contains(#""turns":1"#))
            #expect(report.text.contains(#""names":{"\#(RehearsalRoomUser.idWithoutSignIn)":"local"}"#))
            #expect(
                try await ask("GET", "\(server)/api/rooms/\(room)/report?session=\(session)&part=9").status
                    == 404)
        }
    }

    @Test func settingsComeBackAndNonsenseIsRefused() async throws {
        try await live { server in
            _ = try await make(server)
            let address = "\(server)/api/rooms/\(room)/stands/\(stand)"
            let settings = String(decoding: RoomJSON.encode(StandSettings()), as: UTF8.self)
            let put = try await ask("PUT", address, #"{"part":1,"page":1,"settings":\#(settings)}"#)
            #expect(put.status == 200)
            // The same, where the stand was, and what its user may move: the margins, and the follower.
            let kept = try await ask("GET", address).text
            #expect(
                kept == #"{"page":1,"part":1,"setsMargins":true,"# + put.text.dropFirst().dropLast()
                    + #","steers":false}"#)
            #expect(try await ask("PUT", address, "{}").status == 400)
            #expect(try await ask("GET", "\(server)/api/rooms/nonsense/sessions").status == 404)
            #expect(try await ask("GET", "\(server)/api/rooms/\(room)/stream?stand=x").status == 400)
            #expect(
                try await ask("POST", "\(server)/api/rooms/\(room)/send?stand=\(stand)", "[").status == 400)
        }
    }

    @Test func whatOneUserMadeIsNotTakenFromAnother() async throws {
        try await live { server in
            _ = try await make(server)
            let address = "\(server)/api/rooms/\(room)/send?stand=\(stand)&user="
            let echo = #"{"v":1,"echo":"\#(stand)"}"#
            #expect(
                try await ask("POST", address + "\(RehearsalRoomUser.idWithoutSignIn)", echo).status == 200)
            let other = try await ask("POST", address + "\(anna.id)", echo)
            #expect(other.status == 401 && other.text.contains(#""code":"other-user""#))
            let stream = try await ask(
                "GET", "\(server)/api/rooms/\(room)/stream?stand=\(stand)&user=\(anna.id)")
            #expect(stream.status == 401 && stream.text.contains("other-user"))
        }
    }

    @Test func serverThatDoesNotLeadRefusesWhatChangesAnything() async throws {
        try await live { server in
            _ = try await make(server)
            stage.leads.withLock { $0 = false }
            let place = "\(server)/api/rooms/\(room)"
            let settings = String(decoding: RoomJSON.encode(StandSettings()), as: UTF8.self)
            let asked = [
                try await make(server), try await ask("DELETE", place),
                try await ask(
                    "POST", place + "/join", #"{"event":"\#(UUID())","membership":"\#(UUID())"}"#),
                try await ask("PUT", place + "/passkey", #"{"passkey":null}"#),
                try await ask("POST", place + "/send?stand=\(stand)", #"{"v":1,"echo":"\#(stand)"}"#),
                try await ask(
                    "PUT", place + "/stands/\(stand)", #"{"part":1,"page":1,"settings":\#(settings)}"#),
                try await ask("GET", place + "/stream?stand=\(stand)"),
            ]
            #expect(asked.map(\.status) == Array(repeating: 503, count: 7))
            #expect(asked.allSatisfy { $0.text.contains(#""code":"not-reigning""#) })
            #expect(try await ask("GET", server + "/api/stand/home").status == 200)
        }
    }

    @Test func reportsAreSlowedDownToo() async throws {
        try await live { server in
            _ = try await make(server)
            let place = "\(server)/api/rooms/\(room)"
            // More than the allowance, in one go.
            let reports = try await ask("GET", place + "/report?session=\(UUID())&part=0&n=[1-120]")
            #expect(reports.text.contains("no-session") && reports.text.contains("too-fast"))
        }
    }

    @Test func floodIsSlowedDownWithAWordWhenToTryAgain() async throws {
        try await live { server in
            _ = try await make(server)
            let list =
                "[" + Array(repeating: #"{"v":1,"echo":"\#(stand)"}"#, count: 200).joined(separator: ",")
                + "]"
            var statuses: [Int] = []
            for _ in 0..<4 {
                statuses.append(
                    try await ask("POST", "\(server)/api/rooms/\(room)/send?stand=\(stand)", list).status)
            }
            #expect(statuses.first == 200 && statuses.last == 429)
        }
    }

    @Test func exampleOfTheDocumentsRuns() async throws {
        let page = Repository.root.appending(path: "docs/rooms-api.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let code = try #require(text.components(separatedBy: "```python\n").dropFirst().first)
            .components(separatedBy: "\n```")[0]
        try stage.folder.write(code, to: "client.py")
        try await live { server in
            // It ends with the answer to its last turn, whether or not that turn has come back through the stream.
            let said = try await run(
                "/usr/bin/env", ["python3", stage.folder.path + "/client.py", server, "4"])
            #expect(said.contains("'receipt':") && said.contains("'turn': [0, 0]"), "\(said)")
            #expect(said.contains("'seq': 2"), "\(said)")
        }
    }
}
