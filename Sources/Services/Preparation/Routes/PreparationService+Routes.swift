import Concert
import Foundation
import Hosting
import ScoreFiles
import WebServer

/// The addresses of the page `/prepare`. Whoever may edit content may prepare pieces; everybody who is signed in may
/// make own tabs follow.
extension PreparationService {
    static let roles: Set<WebRole> = [.editor, .administrator]
    static let access = RouteAccess.roles(roles)
    /// The largest list of edits, in bytes: 10,000 bars with all their fields.
    static let largestEditBytes = 8 << 20

    package var routes: [WebRoute] {
        let piece = "/api/prepare/pieces/:piece"
        return [
            .stream("/api/prepare/events", Self.access, library.eventHub),
            WebRoute(.get, "/api/prepare/pieces", Self.access) { _ in await listResponse() },
            route(.post, "/api/prepare/pieces", .signedIn) { request in
                let wanted = try Self.decode(NewPiece.self, request)
                return .json([
                    "id": try await createPiece(wanted, request)
                ])
            },
            route(.get, piece) { request in
                let record = try await record(of: request)
                return .json(
                    DraftJSON(withoutRemovedModel(record), job: await queue.newestJob(of: record.id)))
            },
            route(.delete, piece, .signedIn) { request in
                let id = request.pathParameters["piece"] ?? ""
                try await deletePiece(id, request)
                say("\(Self.author(request)) deleted the piece in preparation “\(id)”.\n")
                return .succeeded
            },
            route(.post, piece + "/edits", limit: Self.largestEditBytes) { request in
                try await editResponse(request)
            },
        ] + modelRoutes + uploadRoutes + soundRoutes + barRoutes + jobRoutes + eveningRoutes
    }

    typealias Answer = @Sendable (WebRequest) async throws -> WebResponse

    func route(
        _ method: WebRoute.Method, _ path: String, _ access: RouteAccess = access, limit: Int? = nil,
        _ answer: @escaping Answer
    ) -> WebRoute {
        WebRoute(method, path, access, bodyLimitBytes: limit, answer: answer)
    }

    private func deletePiece(_ id: String, _ request: WebRequest) async throws(Refusal) {
        let record: DraftRecord?
        do throws(Refusal) { record = try await changeableRecord(of: request) } catch {
            // Damaged pieces can be deleted, by editors.
            guard error.code == Refusal.damagedCode,
                request.person.map({ Self.roles.contains($0.role) }) ?? false
            else {
                throw error
            }
            record = nil
        }
        if request.queryParameters["unused"] == "true" {
            try await library.deleteIfUnused(id)
        } else {
            try await library.delete(id)
        }
        await queue.forget(id)
        if let record { removeModel(of: record) }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ request: WebRequest) throws(Refusal)
        -> Value
    {
        do throws(JSONFault) { return try JSONBody.decode(type, from: request.body) } catch {
            throw .refused(code: "bad-json", sentence: error.sentence)
        }
    }

    static func author(_ request: WebRequest) -> String { request.person?.name ?? "Somebody" }

    func record(of request: WebRequest) async throws(Refusal) -> DraftRecord {
        try await library.record(request.pathParameters["piece"] ?? "")
    }

    struct NewPiece: Decodable {
        var name: String
        /// True if a file is uploaded into the piece next.
        var isForFile: Bool?
        /// True for a tab, which only its player may practise.
        var ofTab: Bool?
        /// The id of that tab on the page, which stays the same when the tab is changed.
        var tab: String?
    }

    private func listResponse() async -> WebResponse {
        var pieces: [ListedPieceJSON] = []
        for piece in await library.list() {
            guard case .readable(let record) = piece else {
                pieces.append(ListedPieceJSON(piece, job: nil))
                continue
            }
            pieces.append(
                ListedPieceJSON(
                    .readable(withoutRemovedModel(record)), job: await queue.newestJob(of: record.id)))
        }
        return .json(pieces)
    }

    private struct Edits: Decodable {
        var edits: [DraftEdit]
        var label: String?
        /// Identifies the list of edits, so that it can be sent again; nil if it will not be.
        var id: String?
        /// The name of the person who made the edits; nil for whoever is signed in.
        var by: String?
    }

    private func editResponse(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let wanted = try Self.decode(Edits.self, request)
        guard wanted.edits.count <= DraftLimits.mostEdits else {
            throw .refused(
                code: "too-many", sentence: "Send at most \(DraftLimits.mostEdits) edits at a time.")
        }
        // Another window of the same browser may have signed somebody else in since.
        if let by = wanted.by, by != Self.author(request) {
            throw .refused(
                code: "other-person",
                sentence:
                    "\(Self.author(request)) is signed in now, so the changes of \(by.prefix(100)) wait in this "
                    + "browser. They go out when \(by.prefix(100)) signs in here and opens the piece.")
        }
        let batch = wanted.id ?? ""
        guard batch.isEmpty || DraftLimits.isValidID(batch) else {
            throw .refused(
                code: "bad-json", sentence: "An id has 1 to 64 letters, digits, dashes and underscores.")
        }
        return .json(
            try await library.edit(
                request.pathParameters["piece"] ?? "", wanted.edits, batch: batch,
                label: String((wanted.label ?? "").prefix(DraftLimits.longestText)),
                author: Self.author(request)))
    }
}
