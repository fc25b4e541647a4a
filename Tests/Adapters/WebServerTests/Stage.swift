import Console
import Foundation
import Hosting
import Logging
import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

/// A server with a desk and accounts in memory, and pages in a folder of its own.
final class Stage: Sendable {
    let desk = RecordingDesk()
    /// The consoles' live stream.
    let events: EventHub
    let accounts = ListedAccounts()
    let pages: PageFolder
    let server: WebServer
    let clock = StageClock()

    init(
        _ change: (inout WebSettings) -> Void = { _ in }, routes: [WebRoute] = [],
        findOtherServer: @escaping @Sendable () -> String? = { nil }
    ) throws {
        pages = try PageFolder()
        var settings = WebSettings(port: 0, pagesPath: pages.path)
        settings.timeouts.wrongPasswordDelay = .zero
        change(&settings)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        events = WebServer.makeConsoleHub(settings.limits)
        let console = ConsoleRoutes(desk: desk, events: events).routes
        server = try WebServer(
            settings: settings, accounts: accounts,
            routes: console + routes, logger: logger,
            readMilliseconds: { [clock] in clock.milliseconds.withLock { $0 } },
            findOtherServer: findOtherServer)
    }

    /// As this stage's own, for parts of the server by themselves.
    var quickSettings: WebSettings {
        var settings = WebSettings(port: 0, pagesPath: pages.path)
        settings.timeouts.wrongPasswordDelay = .zero
        return settings
    }

    /// Runs the server on a free port of this machine while `work` lasts.
    func live<Value: Sendable>(_ work: @Sendable @escaping (Int) async throws -> Value) async throws -> Value
    {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await self.server.run()
                return nil
            }
            group.addTask {
                _ = await eventually { self.server.boundPort != nil }
                let port = try #require(self.server.boundPort)
                do {
                    let value = try await work(port)
                    await self.server.stop()
                    return value
                } catch {
                    await self.server.stop()
                    throw error
                }
            }
            var value: Value?
            while let next = try await group.next() { value = next ?? value }
            return value!
        }
    }
}

/// The server's clock, which stands until it is moved.
final class StageClock: Sendable {
    let milliseconds = Mutex<Int64>(0)
}

/// Remembers what it was asked and answers with it.
final class RecordingDesk: ConsoleBackend {
    private let orders = Mutex<[(CommandRequest, WebPerson)]>([])
    private let lists = Mutex<[(Int, [UInt8], Bool)]>([])

    var commands: [CommandRequest] { orders.withLock { $0.map(\.0) } }
    var people: [String] { orders.withLock { $0.map(\.1.name) } }
    var cueLists: [(Int, [UInt8], Bool)] { lists.withLock { $0 } }

    func executeCommand(_ order: CommandRequest, by person: WebPerson) async -> WebResponse {
        orders.withLock { $0.append((order, person)) }
        if order.lastSeenEpoch == "1.0" {
            return .refused(409, "old-epoch", "Somebody else took the baton meanwhile.")
        }
        return .json(Array(#"{"ok":true,"epoch":"1.5"}"#.utf8))
    }

    func respondWithCueList(piece: Int, asCSV: Bool) async -> WebResponse {
        asCSV ? .csvDownload("piece,place\n\(piece),1\n", file: "cues \(piece).csv") : .json(["piece": piece])
    }

    func replaceCueList(
        piece: Int, _ body: [UInt8], asCSV: Bool, replacing old: String?, by person: WebPerson
    ) async -> WebResponse {
        lists.withLock { $0.append((piece, body, asCSV)) }
        return .succeeded
    }

    func respondWithProgramme() async -> WebResponse { .succeeded }

    func changeProgramme(to wanted: WantedProgramme, by person: WebPerson) async -> WebResponse { .succeeded }

    func respondWithEvenings() async -> WebResponse { .succeeded }
    func earlierShowReport(_ show: String) async -> WebResponse { .succeeded }
    func planEvening(_ wanted: WantedEvening?, as id: String) async throws -> WebResponse { .succeeded }
    func beginEvening(_ wanted: WantedEvening?, by person: WebPerson) async -> WebResponse { .succeeded }
    func respondWithSound() async -> WebResponse { .succeeded }
    func chooseSoundDevice(_ name: String, channel: Int?) async -> WebResponse { .succeeded }
    func measureSilence() async -> WebResponse { .succeeded }
    func startPreShowCheck(by person: WebPerson) async -> WebResponse { .succeeded }

    func currentShowReport() async -> WebResponse { .json(["title": "Tonight"]) }

    func health() async -> WebResponse { .succeeded }
}

/// Ines (technician), Ed (editor), Ada (administrator), each with the password “open sesame”.
final class ListedAccounts: Accounts {
    private let tokens = Mutex<[String: WebPerson]>([:])
    private let checks = Mutex(0)
    /// False: no passphrase can be checked.
    let hasMemory = Mutex(true)
    let networksBefore = Mutex<[String: [String]]>([:])
    let remembered = Mutex<[String]>([])
    let endedTokens = Mutex<[String]>([])
    /// The tokens that the last sign-in was told are in use.
    let inUse = Mutex<Set<String>>([])

    static let people = [
        "ines": WebPerson(id: "1", name: "Ines", role: .technician),
        "ed": WebPerson(id: "2", name: "Ed", role: .editor),
        "ada": WebPerson(id: "3", name: "Ada", role: .administrator),
    ]

    /// Passwords that were really checked, not turned away before.
    var checked: Int { checks.withLock { $0 } }

    /// Signs somebody in without asking.
    func token(_ name: String) -> String {
        let token = "token-\(name)-\(UInt64.random(in: 0 ... .max))"
        tokens.withLock { $0[token] = Self.people[name]! }
        return token
    }

    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        checks.withLock { $0 += 1 }
        self.inUse.withLock { $0 = inUse }
        guard hasMemory.withLock({ $0 }) else { return .failed(sentence: "There is no memory.") }
        guard let person = Self.people[name.lowercased()], password == "open sesame" else {
            return .wrongCredentials
        }
        return .signedIn(person, token: token(name.lowercased()))
    }

    func findPerson(token: String) async -> WebPerson? { tokens.withLock { $0[token] } }

    func signOut(token: String) async {
        endedTokens.withLock { $0.append(token) }
        tokens.withLock { $0[token] = nil }
    }

    func signInNetworksByAccount() async -> [String: [String]] { networksBefore.withLock { $0 } }

    func rememberNetwork(_ network: String, of person: WebPerson) async {
        remembered.withLock { $0.append(network) }
    }

    func makeDeviceMark(of person: WebPerson) async -> String? { "marked-\(person.id)" }

    func isDeviceMark(_ mark: String, of name: String) async -> Bool {
        Self.people[name.lowercased()].map { mark == "marked-\($0.id)" } ?? false
    }

    func listCurrentRights() async -> Set<String>? {
        tokens.withLock { Set($0.map { "\($0.key) \($0.value.role)" }) }
    }

    /// Changes a role as `baton user` does beside a running server.
    func give(_ role: WebRole?, to token: String) {
        tokens.withLock { tokens in
            tokens[token] = role.flatMap { role in
                tokens[token].map { WebPerson(id: $0.id, name: $0.name, role: role) }
            }
        }
    }

    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome {
        guard hasMemory.withLock({ $0 }) else { return .failed(sentence: "There is no memory.") }
        guard old == "open sesame" else { return .wrongPassword }
        return new.count < 8 ? .refused(sentence: "The passphrase is too short.") : .changed
    }
}

/// A folder of pages that lasts as long as this object.
final class PageFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        path = url.appending(path: "pages").path
        try FileManager.default.createDirectory(atPath: path + "/console", withIntermediateDirectories: true)
        try write("console.html", "<!doctype html><title>Console</title>")
        try write("screen.html", "<!doctype html><title>Screen</title>")
        try write("login.html", "<!doctype html><title>Sign in</title>")
        try write("console/main.js", String(repeating: "export const answer = 42;\n", count: 100))
        try write("../secret.txt", "not for the audience")
        try write(".hidden", "not for the audience")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link.txt", withDestinationPath: "/etc/passwd")
    }

    deinit { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }
}
