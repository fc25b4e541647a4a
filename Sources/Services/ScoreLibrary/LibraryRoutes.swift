import Catalogue
import Foundation
import Hosting
import Rehearsal
import ScorePages
import WebServer

/// Routes of the librarian's page, for editors and administrators only.
struct LibraryRoutes {
    static let librarians = RouteAccess.roles([.editor, .administrator])
    /// Largest request body for marking measures, in bytes: enough for the most measures that a part may have.
    static let markingBytes = 8 << 20

    let library: Library
    /// Limits what librarians may upload; nil for no limit.
    let quota: UploadQuota?

    var routes: [WebRoute] {
        let scores = "/api/library/scores"
        return [
            getRoute(scores) { library, _ in .json(await library.all.map(LibraryListEntry.init)) },
            .upload(
                .post, scores, Self.librarians, limitBytes: Library.mostUploadBytes,
                folder: library.assetStore.uploadFolder, answer: add
            ).limitingUploads(.scores, within: quota),
            getRoute(scores + "/:score") { library, request in
                .json(ScoreDetail(try await library.entry(try Self.scoreID(request))))
            },
            getRoute(scores + "/:score/progress") { library, request in
                .json(try await library.importProgress(of: try Self.scoreID(request)))
            },
            changeRoute(.put, scores + "/:score") { library, request in
                let id = try Self.scoreID(request)
                return .json(try await library.changeScore(id, try Self.decoded(request)))
            },
            changeRoute(.delete, scores + "/:score") { library, request in
                try await library.removeScore(try Self.scoreID(request))
                return .succeeded
            },
            .upload(
                .post, scores + "/:score/parts", Self.librarians, limitBytes: Library.mostUploadBytes,
                folder: library.assetStore.uploadFolder, answer: addPart
            ).limitingUploads(.scores, within: quota),
            changeRoute(.put, scores + "/:score/parts/:part", bodyLimitBytes: Self.markingBytes) {
                library, request in
                let (id, part) = (try Self.scoreID(request), try Self.partIndex(request))
                return .json(try await library.changePart(id, part: part, try Self.decoded(request)))
            },
            changeRoute(.delete, scores + "/:score/parts/:part") { library, request in
                .json(
                    try await library.removePart(try Self.partIndex(request), of: try Self.scoreID(request)))
            },
            getRoute(scores + "/:score/parts/:part/proposals") { library, request in
                let page = Int(request.query["page"] ?? "") ?? -1
                return .json(
                    try await library.proposals(
                        try Self.scoreID(request), part: try Self.partIndex(request), page: page
                    ).map(ProposalAnswer.init))
            },
            getRoute(scores + "/:score/parts/:part/pdf") { library, request in
                await library.printResponse(
                    printing: try Self.scoreID(request), part: try Self.partIndex(request), remarks: [])
            },
            getRoute("/api/library/bundles") { library, request in
                let wanted = request.query["score"]
                let id = wanted.flatMap { Rehearsal.Score.ID($0) }
                if wanted != nil, id == nil { throw LibraryError.noSuchScore }
                return .json(try await library.grants(of: id).map(GrantAnswer.init))
            },
            changeRoute(.post, "/api/library/bundles") { library, request in
                let new: GrantRequest = try Self.decoded(request)
                return .json(["bundle": try await library.grant(new.score, to: new.user)])
            },
            changeRoute(.delete, "/api/library/bundles/:bundle") { library, request in
                try await library.revokeGrant(bundle: request.parameters["bundle"] ?? "")
                return .succeeded
            },
            getRoute("/api/library/users") { library, _ in .json(try await library.grantableUsers()) },
            getRoute("/api/library/pieces") { library, _ in .json(library.pieces) },
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
            let id = try Self.scoreID(request)
            try await library.addPart(file: file.path, named: request.query["name"] ?? "Part", to: id)
            return .json(["score": id.description])
        } catch { return Self.refusal(error) }
    }

    // MARK: Helpers

    private func getRoute(
        _ path: String, _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(.get, path, Self.librarians) { [library] request in
            await Self.refusingErrors { try await answer(library, request) }
        }
    }

    private func changeRoute(
        _ method: WebRoute.Method, _ path: String, bodyLimitBytes: Int? = nil,
        _ answer: @escaping @Sendable (Library, WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        WebRoute(method, path, Self.librarians, bodyLimitBytes: bodyLimitBytes) { [library] request in
            await Self.refusingErrors { try await answer(library, request) }
        }
    }

    static func refusingErrors(_ work: () async throws -> WebResponse) async -> WebResponse {
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
        let (status, word) = fault.statusAndCode
        guard case .invalidMeasures(let sentences) = fault else {
            return .refused(status, word, fault.sentence)
        }
        return .json(MarkingRefusal(error: fault.sentence, code: word, sentences: sentences), status: status)
    }

    static func scoreID(_ request: WebRequest) throws(LibraryError) -> Rehearsal.Score.ID {
        guard let id = Rehearsal.Score.ID(request.parameters["score"] ?? "") else { throw .noSuchScore }
        return id
    }

    static func partIndex(_ request: WebRequest) throws(LibraryError) -> Int {
        guard let part = Int(request.parameters["part"] ?? ""), part >= 0 else { throw .noSuchPart(-1) }
        return part
    }

    private static func decoded<Value: Decodable>(_ request: WebRequest) throws(LibraryError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(request.body)) } catch {
            if let fault = error as? RehearsalFault { throw .invalidScore(fault) }
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
