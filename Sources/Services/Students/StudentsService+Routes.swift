import Basics
import Catalogue
import Foundation
import Hosting
import WebServer

/// The addresses of practising. Whoever is signed in may practise; the page itself follows the student.
extension StudentsService {
    package var routes: [WebRoute] {
        let own = [
            WebRoute(.get, "/api/practice/pieces", .signedIn) { await listResponse($0) },
            WebRoute(.get, "/api/practice/pieces/:piece", .signedIn) { request in
                try await pieceResponse(request)
            },
            WebRoute(.get, "/api/practice/pieces/:piece/notes", .signedIn) { request in
                try await notesResponse(request)
            },
            WebRoute(.get, "/api/practice/pieces/:piece/pages/:page", .signedIn) { request in
                await pageResponse(request)
            },
            WebRoute(.get, "/api/practice/pieces/:piece/frames/:digest", .signedIn) { request in
                try await framesResponse(request)
            },
        ]
        return (own + listenerRoutes + partnerRoutes + takeRoutes + microphoneRoutes).explaining(Self.explain)
    }

    // MARK: Pieces

    private struct PieceListJSON: Encodable {
        struct Piece: Encodable {
            var folder: String
            var name: String
            var seconds: Double
            var bars: Int
        }

        var pieces: [Piece]
    }

    private func listResponse(_ request: WebRequest) async -> WebResponse {
        let (pieces, account) = (pieces, Self.owner(request))
        let list = await Task.detached(priority: .utility) { pieces.summaries(for: account) }.value
        return .json(
            PieceListJSON(
                pieces: list.map {
                    .init(
                        folder: $0.folder, name: $0.name.text,
                        seconds: roundedToThousandths($0.durationSeconds), bars: $0.measureCount)
                }))
    }

    private func pieceResponse(_ request: WebRequest) async throws -> WebResponse {
        let (pieces, recordings) = (pieces, recordings)
        let (folder, account) = (request.pathParameters["piece"] ?? "", Self.owner(request))
        return try await Task.detached(priority: .utility) { () -> WebResponse in
            .json(
                PracticePieceJSON(
                    folder: folder, model: try pieces.read(folder, for: account), recordings: recordings,
                    data: pieces.data)
            ).forOnePerson
        }.value
    }

    private func notesResponse(_ request: WebRequest) async throws -> WebResponse {
        let (pieces, folder) = (pieces, request.pathParameters["piece"] ?? "")
        let account = Self.owner(request)
        let bars = try await Task.detached(priority: .utility) {
            try pieces.read(folder, for: account).measures.marks.count
        }.value
        return .document(await scoreNotes.notes(in: "\(recordings)/\(folder)", bars: bars))
    }

    func framesResponse(_ request: WebRequest) async throws -> WebResponse {
        let (pieces, parameters) = (pieces, request.pathParameters)
        let account = Self.owner(request)
        return try await Task.detached(priority: .utility) { () -> WebResponse in
            .document(
                try pieces.frames(
                    parameters["digest"] ?? "", of: parameters["piece"] ?? "", for: account))
        }.value
    }

    private func pageResponse(_ request: WebRequest) async -> WebResponse {
        let (pieces, recordings) = (pieces, recordings)
        let (folder, number) = (request.pathParameters["piece"] ?? "", request.pathParameters["page"] ?? "")
        let account = Self.owner(request)
        let page = await Task.detached(priority: .utility) { () -> (svg: [UInt8], isCompressed: Bool)? in
            guard let number = Int(number), let model = try? pieces.read(folder, for: account) else {
                return nil
            }
            return PracticePages(
                piece: folder, recordings: recordings, bars: model.measures.marks.count)?.page(number)
        }.value
        guard let page else { return .refused(404, "missing", "This page no longer exists.") }
        let answer = WebResponse(contentType: "image/svg+xml", body: page.svg)
            .withHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
            .forOnePerson
        return page.isCompressed ? answer.withHeader("Content-Encoding", "gzip") : answer
    }

    /// What errors mean to people who practise.
    @Sendable static func explain(_ error: any Error) -> Refusal? {
        switch error {
        case let error as CatalogueError: Refusal(503, "not-stored", error.sentenceWithoutPath)
        case let fault as SoundBatch.Fault: Refusal(422, "bad-sound", fault.sentence)
        case PracticePieces.Fault.missing:
            Refusal(404, "missing", "This piece is not prepared on this server. Choose another one.")
        case PracticePieces.Fault.unreadable(let sentence):
            Refusal(422, "unreadable", WebResponse.removeMachinePaths(sentence))
        case TakeFault.badSound(let sentence):
            Refusal(422, "bad-sound", WebResponse.removeMachinePaths(sentence))
        case let fault as TakeFault: Refusal(507, "not-kept", fault.sentence)
        default: nil
        }
    }

    /// The id of the account that asks; the routes admit nobody else.
    static func owner(_ request: WebRequest) -> String { request.person?.id ?? "" }

    /// Whoever sent a request, to whom a place in a quota is given.
    static func holder(_ request: WebRequest) -> ResourceQuota.Holder {
        // Without sign-in only this machine reaches the server, and everybody is one person.
        guard let person = request.person, !person.isLocalVisitor else {
            return ResourceQuota.Holder(address: request.visitorAddress, trustLevel: .ownMachine)
        }
        return ResourceQuota.Holder(
            address: request.visitorAddress, account: person.id,
            trustLevel: WebRole.operators.contains(person.role) ? .staff : .anybody)
    }
}
