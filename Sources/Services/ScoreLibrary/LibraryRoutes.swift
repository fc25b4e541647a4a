import Catalogue
import Foundation
import Hosting
import Rehearsal
import ScorePages
import WebServer

/// Routes of the librarian's page. For editors and administrators.
struct LibraryRoutes {
    static let librarians = Access.roles([.editor, .administrator])
    /// Largest request body: the most measures that a part may have.
    static let markingBytes = 8 << 20

    let library: Library
    /// How much librarians may bring; nil for no bound.
    let quota: UploadQuota?

    var routes: [WebRoute] {
        let scores = "/api/library/scores"
        return [
            get(scores) { library, _ in .json(await library.all.map(LibraryListEntry.init)) },
            .upload(
                .post, scores, Self.librarians, limitBytes: Library.mostBytes,
                folder: library.shelf.arrivals, answer: add
            ).bringing(.scores, within: quota),
            get(scores + "/:score") { library, request in
                .json(ScoreDetail(try await library.entry(try Self.score(request))))
            },
            get(scores + "/:score/progress") { library, request in
                .json(try await library.importProgress(of: try Self.score(request)))
            },
            change(.put, scores + "/:score") { library, request in
                let id = try Self.score(request)
                return .json(try await library.change(id, try Self.decoded(request)))
            },
            change(.delete, scores + "/:score") { library, request in
                try await library.remove(try Self.score(request))
                return .done
            },
            .upload(
                .post, scores + "/:score/parts", Self.librarians, limitBytes: Library.mostBytes,
                folder: library.shelf.arrivals, answer: addPart
            ).bringing(.scores, within: quota),
            change(.put, scores + "/:score/parts/:part", bodyLimitBytes: Self.markingBytes) {
                library, request in
                let (id, part) = (try Self.score(request), try Self.part(request))
                return .json(try await library.mark(id, part: part, try Self.decoded(request)))
            },
            change(.delete, scores + "/:score/parts/:part") { library, request in
                .json(
                    try await library.removePart(try Self.part(request), of: try Self.score(request)))
            },
            get(scores + "/:score/parts/:part/proposals") { library, request in
                let page = Int(request.query["page"] ?? "") ?? -1
                return .json(
                    try await library.proposals(
                        try Self.score(request), part: try Self.part(request), page: page
                    ).map(ProposalAnswer.init))
            },
            get(scores + "/:score/parts/:part/pdf") { library, request in
                await library.answer(
                    printing: try Self.score(request), part: try Self.part(request), remarks: [])
            },
            get("/api/library/bundles") { library, request in
                let wanted = request.query["score"]
                let id = wanted.flatMap { Rehearsal.Score.ID($0) }
                if wanted != nil, id == nil { throw LibraryError.noSuchScore }
                return .json(try await library.grants(of: id).map(GrantAnswer.init))
            },
            change(.post, "/api/library/bundles") { library, request in
                let new: GrantRequest = try Self.decoded(request)
                return .json(["bundle": try await library.grant(new.score, to: new.user)])
            },
            change(.delete, "/api/library/bundles/:bundle") { library, request in
                try await library.revokeGrant(bundle: request.parameters["bundle"] ?? "")
                return .done
            },
            get("/api/library/users") { library, _ in .json(try await library.users()) },
            get("/api/library/pieces") { library, _ in .json(library.pieces) },
        ]
    }

    private struct GrantRequest: Decodable {
        var user: Rehearsal.User.ID
        var score: Rehearsal.Score.ID
    }

    // MARK: Uploads

    @Sendable private func add(_ request: WebRequest) async -> WebResponse {
        guard let file = request.upload else { return Self.refusal(.notScoreFile) }
        let heading = Library.ScoreHeading(
            title: request.query["title"] ?? "", composer: request.query["composer"] ?? "",
            lyricist: request.query["lyricist"] ?? "", arranger: request.query["arranger"] ?? "",
            file: request.query["file"].flatMap { $0.isEmpty ? nil : String($0.prefix(200)) })
        do throws(LibraryError) {
            return .json(["score": try await library.add(file: file.path, heading).description])
        } catch { return Self.refusal(error) }
    }

    @Sendable private func addPart(_ request: WebRequest) async -> WebResponse {
        guard let file = request.upload else { return Self.refusal(.notScoreFile) }
        do throws(LibraryError) {
            let id = try Self.score(request)
            try await library.addPart(file: file.path, named: request.query["name"] ?? "Part", to: id)
            return .json(["score": id.description])
        } catch { return Self.refusal(error) }
    }

    // MARK: Helpers

    private func get(
        _ path: String, _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, Self.librarians) { [library] request in
            await Self.answering { try await answer(library, request) }
        }
    }

    private func change(
        _ method: WebRoute.Method, _ path: String, bodyLimitBytes: Int? = nil,
        _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(method, path, Self.librarians, bodyLimitBytes: bodyLimitBytes) { [library] request in
            await Self.answering { try await answer(library, request) }
        }
    }

    static func answering(_ work: () async throws -> WebResponse) async -> WebResponse {
        do { return try await work() } catch {
            return refusal(error as? LibraryError ?? .badRequest("The request cannot be used: \(error)."))
        }
    }

    private struct MarkingRefusal: Encodable {
        var error: String
        var code: String
        /// Errors in marked measures, one sentence each; nil for other refusals.
        var sentences: [String]?
    }

    static func refusal(_ fault: LibraryError) -> WebResponse {
        let (status, word) = fault.code
        guard case .places(let sentences) = fault else { return .refused(status, word, fault.sentence) }
        return .json(MarkingRefusal(error: fault.sentence, code: word, sentences: sentences), status: status)
    }

    static func score(_ request: WebRequest) throws(LibraryError) -> Rehearsal.Score.ID {
        guard let id = Rehearsal.Score.ID(request.parameters["score"] ?? "") else { throw .noSuchScore }
        return id
    }

    static func part(_ request: WebRequest) throws(LibraryError) -> Int {
        guard let part = Int(request.parameters["part"] ?? ""), part >= 0 else { throw .noSuchPart(-1) }
        return part
    }

    private static func decoded<Value: Decodable>(_ request: WebRequest) throws(LibraryError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(request.body)) } catch {
            if let fault = error as? RehearsalFault { throw .rehearsal(fault) }
            guard let error = error as? DecodingError else { throw .badRequest("Send a JSON object.") }
            let path: [any CodingKey] =
                switch error {
                case .keyNotFound(let key, let context): context.codingPath + [key]
                case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
                default: []
                }
            let place = path.prefix(5).map { key in
                key.intValue.map { "item \($0 + 1)" } ?? key.stringValue
            }.joined(separator: ", ")
            throw .badRequest(
                place.isEmpty
                    ? "The request is not JSON; send a JSON object."
                    : "The JSON lacks “\(place)” or has a wrong value there.")
        }
    }
}
