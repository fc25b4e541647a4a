import WebServer

/// The console's HTTP routes, with their access rights and the size limits of their bodies.
///
/// Unlike other routes, these are not refused when the disk is nearly full or another server is active: the backend
/// decides about each request.
package struct ConsoleRoutes: Sendable {
    package static let maximumCueListBytes = 1_048_576
    private static let mostArguments = 16

    private let backend: any ConsoleBackend
    private let events: EventHub

    /// Creates the routes.
    /// - Parameter events: the consoles' live event stream.
    package init(desk: any ConsoleBackend, events: EventHub) {
        self.backend = desk
        self.events = events
    }

    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/healthz", .anybody) { [backend] _ in await backend.health() },
            .stream("/api/events", .roles(WebRole.staff), events),
            WebRoute(.post, "/api/command", .roles(WebRole.operators), answer: command),
            WebRoute(.post, "/api/check", .roles(WebRole.operators), answer: startCheck),
            WebRoute(.get, "/api/cues/:piece", .roles(WebRole.staff), answer: cues),
            WebRoute(
                .put, "/api/cues/:piece", .roles(WebRole.staff), bodyLimitBytes: Self.maximumCueListBytes,
                answer: setCues),
            WebRoute(.get, "/api/report/current", .roles(WebRole.staff)) { [backend] _ in
                await backend.currentShowReport()
            },
        ]
    }

    @Sendable private func command(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        do throws(JSONFault) {
            let order = try JSONBody.decode(CommandRequest.self, from: request.body)
            guard order.arguments.count <= Self.mostArguments else {
                throw JSONFault("A command takes at most \(Self.mostArguments) arguments.")
            }
            return await backend.command(order, by: person)
        } catch {
            return error.answer
        }
    }

    @Sendable private func startCheck(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return await backend.startCheck(by: person)
    }

    @Sendable private func cues(_ request: WebRequest) async -> WebResponse {
        guard let (piece, asCSV) = Self.parsePieceIndex(request) else { return Self.noSuchPiece }
        return await backend.cues(piece: piece, asCSV: asCSV)
    }

    @Sendable private func setCues(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        guard let (piece, namedCSV) = Self.parsePieceIndex(request) else { return Self.noSuchPiece }
        let asCSV = namedCSV || !request.contentType.hasPrefix("application/json")
        if !asCSV, JSONBody.depth(of: request.body) > JSONBody.deepest {
            return .refused(400, "bad-json", "The JSON is nested deeper than \(JSONBody.deepest) levels.")
        }
        return await backend.setCues(piece: piece, request.body, asCSV: asCSV, by: person)
    }

    /// Parses a piece's number, `3` or `3.csv`.
    private static func parsePieceIndex(_ request: WebRequest) -> (index: Int, asCSV: Bool)? {
        guard let name = request.parameters["piece"] else { return nil }
        let asCSV = name.hasSuffix(".csv")
        let digits = asCSV ? name.dropLast(4) : name[...]
        guard (1...6).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int(digits).map { ($0, asCSV) }
    }

    private static let noSuchPiece = WebResponse.refused(
        404, "no-such-piece", "Pieces are counted from 0; name one of the programme, as in /api/cues/0.csv.")
}
