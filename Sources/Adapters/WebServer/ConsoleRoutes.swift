/// The handlers of the console's addresses, which pass requests on to the ``ConsoleBackend``.
extension RouteTable {
    static let mostArguments = 16

    @Sendable func command(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        do throws(JSONFault) {
            let order = try JSONBody.decode(CommandRequest.self, from: request.body)
            guard order.arguments.count <= Self.mostArguments else {
                throw JSONFault("A command takes at most \(Self.mostArguments) arguments.")
            }
            return await desk.command(order, by: person)
        } catch {
            return error.answer
        }
    }

    @Sendable func startCheck(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return await desk.startCheck(by: person)
    }

    @Sendable func cues(_ request: WebRequest) async -> WebResponse {
        guard let (piece, asCSV) = Self.piece(request) else { return Self.noSuchPiece }
        return await desk.cues(piece: piece, asCSV: asCSV)
    }

    @Sendable func setCues(_ request: WebRequest) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        guard let (piece, namedCSV) = Self.piece(request) else { return Self.noSuchPiece }
        let asCSV = namedCSV || !request.contentType.hasPrefix("application/json")
        if !asCSV, JSONBody.depth(of: request.body) > JSONBody.deepest {
            return .refused(400, "bad-json", "The JSON is nested deeper than \(JSONBody.deepest) levels.")
        }
        return await desk.setCues(piece: piece, request.body, asCSV: asCSV, by: person)
    }

    /// Parses a piece's number, `3` or `3.csv`.
    private static func piece(_ request: WebRequest) -> (index: Int, asCSV: Bool)? {
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
