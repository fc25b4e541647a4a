import ArgumentParser
import Basics
import Console
import Foundation
import FoundationNetworking
import Hosting
import Performance
import Podium

/// `baton ctl` gives a running server all commands of the console, from a terminal.
struct ServerControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Gives a command to a running server, or asks for its state.",
        discussion: """
            baton ctl status                 the section “position”, and faults
            baton ctl watch                  every change, a line each
            baton ctl nudge 1                any command:
            \(commandHelp)
            Further: check; time-code on or off; silence measures the silence of the hall; cues PIECE [FILE.csv] shows or replaces the cues of a piece (from 1); report.
            The server is the one of --server or BATON_SERVER. Sign in with --user or BATON_USER; the passphrase is \
            in BATON_PASSPHRASE, or asked for.
            Exit status: 0 obeyed, 1 refused or not reached, 64 the command makes no sense.
            """)

    /// The help text: one line for each command, with its arguments and its effect.
    private static let commandHelp = PodiumCommand.descriptions.map { use in
        "  \(use.arguments.isEmpty ? use.name : use.name + " " + use.arguments): \(use.meaning)"
    }.joined(separator: "\n")

    @Option(help: "The server, or BATON_SERVER; http://127.0.0.1:8080 unless given.")
    var server: String?

    @Option(help: "Who signs in, or BATON_USER; not needed where the server runs with --no-sign-in.")
    var user: String?

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var words: [String] = []

    func run() async throws {
        try await printingErrors(as: "ctl") {
            let given = try ServerControlArguments(self.words)
            guard !given.wantsHelp else { return print(Self.helpMessage()) }
            let words = given.commandWords
            guard let name = words.first else {
                throw ValidationError("Name a command; “baton help ctl” lists them.")
            }
            let environment = ProcessInfo.processInfo.environment
            let client = try ConsoleClient(
                server: given.serverAddress ?? server ?? environment["BATON_SERVER"]
                    ?? "http://127.0.0.1:8080")
            guard let user = given.userName ?? user ?? environment["BATON_USER"] else {
                return try await Self.execute(name, words, client)
            }
            let passphrase = try readPassphrase(for: user, isNew: false)
            try await client.withSignIn(as: user, passphrase, until: ShutdownSignal()) {
                try await Self.execute(name, words, client)
            }
        }
    }

    private static func execute(_ name: String, _ words: [String], _ client: ConsoleClient) async throws {
        switch name {
        case "status": print(try await client.fetchStatusText())
        case "watch": try await client.watchEvents { print($0) }
        case "check": try await client.runPreShowCheck { print($0) }
        case "silence": print(try await client.measureSilence())
        case "time-code": try await switchTimeCode(words, client)
        case "cues": try await transferCues(words, client)
        case "report": print(try await client.get("/api/report/current"))
        default:
            let command: PodiumCommand
            do throws(CommandFault) { command = try PodiumCommand(words: words) } catch {
                throw ValidationError(error.sentence)
            }
            print(try await client.sendCommand(command.words))
        }
    }

    private static func switchTimeCode(_ words: [String], _ client: ConsoleClient) async throws {
        guard words.count == 2, ["on", "off"].contains(words[1]) else {
            throw ValidationError("time-code needs on or off: time-code off")
        }
        try await client.post("/api/time-code", Data(#"{"on":\#(words[1] == "on")}"#.utf8))
    }

    private static func transferCues(_ words: [String], _ client: ConsoleClient) async throws {
        guard words.count >= 2, let piece = Int(words[1]), piece >= 1 else {
            throw ValidationError(
                "cues needs the number of a piece, from 1, and perhaps a file: cues 1 new.csv")
        }
        guard words.count > 2 else {
            print(try await client.get("/api/cues/\(piece - 1).csv"), terminator: "")
            return
        }
        guard let bytes = FileManager.default.contents(atPath: words[2]) else {
            throw ExplainedError("There is no file “\(words[2])”.")
        }
        _ = try await client.put("/api/cues/\(piece - 1).csv", bytes, type: "text/csv")
    }
}

/// A client of the server's console API.
final class ConsoleClient: Sendable {
    private let serverURL: URL
    private let urlSession: URLSession

    init(server: String) throws {
        guard let url = URL(string: server), url.scheme == "http" || url.scheme == "https", url.host != nil
        else {
            throw ExplainedError(
                "“\(server)” is not a server's address; give one such as http://127.0.0.1:8080.")
        }
        serverURL = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        urlSession = URLSession(configuration: configuration)
    }

    private struct SignInBody: Encodable {
        var name: String
        var password: String
    }

    private struct CommandBody: Encodable {
        var command: String
        var arguments: [String]
    }

    private struct CommandResponse: Decodable {
        var epoch: String?
        var error: String?
    }

    /// Signs in, runs the body and signs out again, even if it fails or is interrupted. Without signing out, the
    /// account's limited number of sign-ins would be used up.
    func withSignIn(
        as user: String, _ passphrase: String, until interruption: ShutdownSignal? = nil,
        _ work: @Sendable @escaping () async throws -> Void
    ) async throws {
        try await signIn(user, passphrase)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await work() }
                if let interruption {
                    group.addTask { await interruption.run() }
                }
                defer { group.cancelAll() }
                _ = try await group.next()
                if interruption?.isRequested == true { throw ExitCode(130) }
            }
        } catch {
            await signOut()
            throw error
        }
        await signOut()
    }

    private func signOut() async {
        // If the server no longer answers, the sign-in cannot be ended, so the error is ignored.
        _ = try? await send("POST", "/api/logout", Data("{}".utf8), type: "application/json")
    }

    func signIn(_ name: String, _ password: String) async throws {
        _ = try await send(
            "POST", "/api/login", JSONEncoder().encode(SignInBody(name: name, password: password)),
            type: "application/json")
    }

    /// Sends a command.
    /// - Returns: the epoch after the command.
    func sendCommand(_ words: [String]) async throws -> String {
        let body = try JSONEncoder().encode(
            CommandBody(command: words[0], arguments: Array(words.dropFirst())))
        let data = try await send("POST", "/api/command", body, type: "application/json")
        return "epoch \((try? JSONDecoder().decode(CommandResponse.self, from: data))?.epoch ?? "?")"
    }

    func get(_ path: String) async throws -> String {
        String(decoding: try await send("GET", path, nil, type: nil), as: UTF8.self)
    }

    /// Posts JSON.
    func post(_ path: String, _ body: Data) async throws {
        _ = try await send("POST", path, body, type: "application/json")
    }

    func put(_ path: String, _ body: Data, type: String) async throws -> String {
        String(decoding: try await send("PUT", path, body, type: type), as: UTF8.self)
    }

    private func makeRequest(_ method: String, _ path: String, _ body: Data?, type: String?) -> URLRequest {
        var request = URLRequest(url: serverURL.appending(path: path))
        request.httpMethod = method
        request.httpBody = body
        request.setValue("1", forHTTPHeaderField: "X-Baton")
        if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        return request
    }

    private func send(_ method: String, _ path: String, _ body: Data?, type: String?) async throws -> Data {
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await urlSession.data(for: makeRequest(method, path, body, type: type))
        } catch {
            throw ExplainedError(Self.requestFailureSentence(for: error, from: serverURL))
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            let answer = try? JSONDecoder().decode(CommandResponse.self, from: data)
            throw ExplainedError(answer?.error ?? "The server answered with status \(status).")
        }
        return data
    }

    /// Explains why a request failed, in a sentence for people.
    static func requestFailureSentence(for error: any Error, from server: URL) -> String {
        // The library has no error code for TLS failures, so the message from libcurl is checked.
        let reason = error.localizedDescription
        if server.scheme == "https", reason.hasPrefix("SSL") || reason.contains("certificate") {
            return "The certificate of \(server) is not accepted here (\(reason)); copy it to "
                + "/usr/local/share/ca-certificates/baton.crt, run update-ca-certificates as root, and name the "
                + "server as in the certificate."
        }
        return "The server \(server) does not answer; start it with baton serve, or name it with --server, "
            + "http or https as it is served."
    }

    /// Returns the server's present state, as lines of text.
    func fetchStatusText() async throws -> String {
        for try await (event, data) in openEventStream() where event == "snapshot" {
            return try Self.statusSummary(data)
        }
        throw ExplainedError("The server ended the stream; try again.")
    }

    func watchEvents(_ line: (String) -> Void) async throws {
        for try await (event, data) in openEventStream() where event != "beat" && event != "meters" {
            line(event + " " + data)
        }
    }

    /// Runs the pre-show check and prints its findings.
    func runPreShowCheck(_ line: (String) -> Void) async throws {
        _ = try await send("POST", "/api/check", Data("{}".utf8), type: "application/json")
        var failed = 0
        for try await (event, data) in openEventStream() where event == "check" {
            let section = try JSONDecoder().decode(PreShowCheckSection.self, from: Data(data.utf8))
            guard !section.running, section.progress >= 1 else { continue }
            for item in section.items { line("\(item.state)\t\(item.title)\t\(item.sentence)") }
            failed = section.items.count { $0.state == "fail" }
            break
        }
        guard failed > 0 else { return }
        throw ExplainedError(
            failed == 1 ? "1 thing is not ready." : "\(failed) things are not ready.")
    }

    /// Measures the silence of the hall, which takes five seconds.
    /// - Returns: what was measured, as a sentence.
    func measureSilence() async throws -> String {
        struct Answer: Decodable { var sentence: String }
        let answer = try await send("POST", "/api/silence", Data("{}".utf8), type: "application/json")
        return try JSONDecoder().decode(Answer.self, from: answer).sentence
    }

    private static func statusSummary(_ data: String) throws -> String {
        struct Snapshot: Decodable {
            struct Show: Decodable { var evening: String }

            var position: PositionSection
            var show: Show
            var faults: [FaultJSON]?
        }
        let snapshot = try JSONDecoder().decode(Snapshot.self, from: Data(data.utf8))
        let position = snapshot.position
        var lines = [
            "\(position.pieceName): measure \(position.measure.map(String.init) ?? "unknown"), \(position.mode), "
                + "held by \(position.holder.kind)\(position.holder.name.isEmpty ? "" : " " + position.holder.name), "
                + "epoch \(position.epoch)"
        ]
        lines.append(
            "evening: " + (EveningStage(rawValue: snapshot.show.evening)?.words ?? snapshot.show.evening))
        lines += (snapshot.faults ?? []).filter { !$0.over }.map { "fault: \($0.sentence)" }
        return lines.joined(separator: "\n")
    }

    /// Returns the console's live events, each with its name and its data.
    private func openEventStream() -> AsyncThrowingStream<(String, String), any Error> {
        let reader = EventStreamParser(serverURL: serverURL)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: (String, String).self)
        reader.onEvent = { continuation.yield($0) }
        reader.onEnd = { continuation.finish(throwing: $0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = urlSession.configuration.httpCookieStorage
        let streaming = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
        let task = streaming.dataTask(with: makeRequest("GET", "/api/events", nil, type: nil))
        continuation.onTermination = { _ in
            task.cancel()
            streaming.finishTasksAndInvalidate()
        }
        task.resume()
        return stream
    }
}

/// Splits a stream of server-sent events into single events.
private final class EventStreamParser: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked: `onEvent` and `onEnd` are set before the task starts; the rest belongs to the session's queue.
    var onEvent: ((String, String)) -> Void = { _ in }
    var onEnd: ((any Error)?) -> Void = { _ in }
    private let serverURL: URL
    private var hasReceivedData = false
    private var unparsedBytes: [UInt8] = []
    private var eventName = ""

    init(serverURL: URL) { self.serverURL = serverURL }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let status = (dataTask.response as? HTTPURLResponse)?.statusCode, status != 200 {
            onEnd(ExplainedError("The server answered with status \(status); sign in with --user."))
            return
        }
        hasReceivedData = true
        unparsedBytes += data
        while let end = unparsedBytes.firstIndex(of: 0x0A) {
            let line = String(decoding: unparsedBytes[..<end], as: UTF8.self)
            unparsedBytes.removeSubrange(...end)
            if line.hasPrefix("event: ") { eventName = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { onEvent((eventName, String(line.dropFirst(6)))) }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else { return onEnd(nil) }
        onEnd(
            ExplainedError(
                hasReceivedData
                    ? "The server's stream ended; is it still running?"
                    : ConsoleClient.requestFailureSentence(for: error, from: serverURL)))
    }
}
