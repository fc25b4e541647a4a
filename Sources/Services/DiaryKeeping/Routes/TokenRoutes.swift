import Catalogue
import Foundation
import WebServer

/// The addresses by which administrators make, list and withdraw tokens.
struct TokenRoutes: Sendable {
    let tokens: DiaryTokens

    private struct TokenJSON: Encodable {
        var id: String
        var name: String
        var kind: String
        var createdAt: String
        var lastUsedAt: String?
        /// The secret text, in the answer that makes the token and nowhere else.
        var token: String?

        init(_ made: DiaryToken, text: String? = nil) {
            (id, name, kind, token) = (made.id, made.name, made.kind.rawValue, text)
            createdAt = made.createdAt.formatted(.iso8601)
            lastUsedAt = made.lastUsedAt?.formatted(.iso8601)
        }
    }

    private struct WantedToken: Decodable {
        var name: String
        var kind: String
    }

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/diary/tokens", .roles([.administrator])) { _ in
                .json(["tokens": try await tokens.list().map { TokenJSON($0) }])
            },
            WebRoute(.post, "/api/diary/tokens", .roles([.administrator]), bodyLimitBytes: 2_048) { request in
                let wanted = try JSONBody.decode(WantedToken.self, from: request.body)
                guard let kind = DiaryToken.Kind(rawValue: wanted.kind) else {
                    throw DiaryInputFault("kind", "The kind of a token is application or administrator.")
                }
                let (token, text) = try await tokens.make(named: wanted.name, kind: kind)
                return .json(TokenJSON(token, text: text), status: 201)
            },
            WebRoute(.delete, "/api/diary/tokens/:id", .roles([.administrator])) { request in
                guard try await tokens.withdraw(request.pathParameters["id"] ?? "") else {
                    throw DiaryInputFault("id", "There is no such token.", status: 404, code: "not-found")
                }
                return .succeeded
            },
        ]
    }
}
