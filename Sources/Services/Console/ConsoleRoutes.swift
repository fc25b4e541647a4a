import Hosting
import WebServer

/// The console's HTTP routes, with their access rights and the size limits of their bodies.
///
/// Unlike other routes, these are not refused when the disk is nearly full or another server is active: the backend
/// decides about each request.
package struct ConsoleRoutes: Sendable {
    package static let maximumCueListBytes = 1_048_576
    private static let maximumCommandArguments = 16

    private let backend: any ConsoleBackend
    private let liveEventHub: EventHub
    private let repeats = CommandRepeats()

    /// Creates the routes.
    /// - Parameter events: the consoles' live event stream.
    package init(desk: any ConsoleBackend, events: EventHub) {
        self.backend = desk
        self.liveEventHub = events
    }

    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/healthz", .anybody) { [backend] _ in await backend.health() },
            .stream("/api/events", .roles(WebRole.staff), liveEventHub),
            WebRoute(.post, "/api/command", .roles(WebRole.operators), answer: handleCommand),
            WebRoute(.post, "/api/check", .roles(WebRole.operators), answer: handleCheckStart),
            WebRoute(.get, "/api/cues/:piece", .roles(WebRole.staff), answer: handleCueListRequest),
            WebRoute(
                .put, "/api/cues/:piece", .roles(WebRole.staff), bodyLimitBytes: Self.maximumCueListBytes,
                answer: handleCueListReplacement),
            WebRoute(.get, "/api/programme", .roles(WebRole.staff)) { [backend] _ in
                await backend.respondWithProgramme()
            },
            WebRoute(.put, "/api/programme", .roles(WebRole.operators), answer: handleProgrammeChange),
            WebRoute(.get, "/api/evenings", .roles(WebRole.operators)) { [backend] _ in
                await backend.respondWithEvenings()
            },
            WebRoute(.post, "/api/evenings", .roles(WebRole.operators), answer: handleEveningBeginning),
            WebRoute(.post, "/api/evenings/end", .roles(WebRole.operators)) { [backend] request in
                guard let person = request.person else { return .signInFirst }
                return await backend.beginEvening(nil, by: person)
            },
            WebRoute(.put, "/api/evenings/planned/:plan", .roles(WebRole.operators)) { [backend] request in
                try await backend.planEvening(
                    JSONBody.decode(WantedEvening.self, from: request.body),
                    as: request.pathParameters["plan"] ?? "")
            },
            WebRoute(.delete, "/api/evenings/planned/:plan", .roles(WebRole.operators)) { [backend] request in
                try await backend.planEvening(nil, as: request.pathParameters["plan"] ?? "")
            },
            WebRoute(.get, "/api/sound", .roles(WebRole.operators)) { [backend] _ in
                await backend.respondWithSound()
            },
            WebRoute(.put, "/api/sound", .roles(WebRole.operators), bodyLimitBytes: 4_096) {
                [backend] request in
                struct Choice: Decodable {
                    var device: String
                    var channel: Int?
                }
                let choice = try JSONBody.decode(Choice.self, from: request.body)
                return await backend.chooseSoundDevice(choice.device, channel: choice.channel)
            },
            WebRoute(.post, "/api/silence", .roles(WebRole.operators)) { [backend] _ in
                await backend.measureSilence()
            },
            WebRoute(.get, "/api/report/current", .roles(WebRole.staff)) { [backend] _ in
                await backend.currentShowReport()
            },
            WebRoute(.get, "/api/report", .roles(WebRole.staff)) { [backend] _ in
                await backend.respondWithEvenings()
            },
            WebRoute(.get, "/api/report/:show", .roles(WebRole.staff)) { [backend] request in
                await backend.earlierShowReport(request.pathParameters["show"] ?? "")
            },
        ]
    }

    @Sendable private func handleCommand(_ request: WebRequest) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        let order = try JSONBody.decode(CommandRequest.self, from: request.body)
        guard order.arguments.count <= Self.maximumCommandArguments else {
            throw JSONFault("A command takes at most \(Self.maximumCommandArguments) arguments.")
        }
        guard order.id?.utf8.count ?? 0 <= CommandRepeats.longestID else {
            throw JSONFault("A command’s id has at most \(CommandRepeats.longestID) bytes.")
        }
        return await repeats.respond(to: order.id, of: person) { [backend] in
            await backend.executeCommand(order, by: person)
        }
    }

    @Sendable private func handleProgrammeChange(_ request: WebRequest) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return await backend.changeProgramme(
            to: try JSONBody.decode(WantedProgramme.self, from: request.body), by: person)
    }

    @Sendable private func handleEveningBeginning(_ request: WebRequest) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return await backend.beginEvening(
            try JSONBody.decode(WantedEvening.self, from: request.body), by: person)
    }

    @Sendable private func handleCheckStart(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return await backend.startPreShowCheck(by: person)
    }

    @Sendable private func handleCueListRequest(_ request: WebRequest) async -> WebResponse {
        guard let (piece, asCSV) = Self.parsePieceIndex(request) else { return Self.noSuchPieceResponse }
        return await backend.respondWithCueList(piece: piece, asCSV: asCSV)
    }

    @Sendable private func handleCueListReplacement(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        guard let (piece, namedCSV) = Self.parsePieceIndex(request) else { return Self.noSuchPieceResponse }
        let asCSV = namedCSV || !request.contentType.hasPrefix("application/json")
        if !asCSV, JSONBody.nestingDepth(of: request.body) > JSONBody.deepestNesting {
            return .refused(
                400, "bad-json", "The JSON is nested deeper than \(JSONBody.deepestNesting) levels.")
        }
        return await backend.replaceCueList(
            piece: piece, request.body, asCSV: asCSV, replacing: request.queryParameters["replacing"],
            by: person)
    }

    /// Parses a piece's number, `3` or `3.csv`.
    private static func parsePieceIndex(_ request: WebRequest) -> (index: Int, asCSV: Bool)? {
        guard let name = request.pathParameters["piece"] else { return nil }
        let asCSV = name.hasSuffix(".csv")
        let digits = asCSV ? name.dropLast(4) : name[...]
        guard (1...6).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int(digits).map { ($0, asCSV) }
    }

    private static let noSuchPieceResponse = WebResponse.refused(
        404, "no-such-piece", "Pieces are counted from 0; name one of the programme, as in /api/cues/0.csv.")
}
