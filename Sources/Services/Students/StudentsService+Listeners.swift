import Foundation
import Hosting
import ReferenceStore
import WebServer

/// The addresses by which a listener who is not in the hall follows the music by the phone's own microphone. They are
/// open to everybody, and what they answer stays the same: while a phone follows, it asks nothing.
extension StudentsService {
    var listenerRoutes: [WebRoute] {
        let root = "/api/audience/models"
        return [
            WebRoute(.get, root, .anybody) { _ in await listenerModelsResponse() },
            WebRoute(.get, "\(root)/:piece", .anybody) { try await listenerPieceResponse($0) },
            WebRoute(.get, "\(root)/:piece/frames/:digest", .anybody) { request in
                _ = try await listenerPiece(request)
                return try await framesResponse(request)
            },
        ]
    }

    private struct ModelsJSON: Encodable {
        struct Model: Encodable {
            var folder: String
            /// The name of the piece in the concert.
            var name: String
        }

        var models: [Model] = []
    }

    /// The pieces of the concert that can be followed; none unless the operator allows it.
    private func listenerModelsResponse() async -> WebResponse {
        guard let pieceInConcert else { return .json(ModelsJSON()) }
        let pieces = pieces
        let models = await Task.detached(priority: .utility) {
            pieces.summaries(for: "").compactMap { piece in
                pieceInConcert(piece.name).map { ModelsJSON.Model(folder: piece.folder, name: $0) }
            }
        }.value
        return .json(ModelsJSON(models: models))
    }

    /// A piece of the concert, without the frames.
    private func listenerPiece(_ request: WebRequest) async throws -> ModelForPages {
        let (pieces, folder) = (pieces, request.pathParameters["piece"] ?? "")
        let model = try await Task.detached(priority: .utility) { try pieces.read(folder, for: "") }.value
        guard pieceInConcert?(model.name) != nil else { throw PracticePieces.Fault.missing }
        return model
    }

    private func listenerPieceResponse(_ request: WebRequest) async throws -> WebResponse {
        let (folder, recordings) = (request.pathParameters["piece"] ?? "", recordings)
        return .json(
            PracticePieceJSON(
                folder: folder, model: try await listenerPiece(request), recordings: recordings,
                data: pieces.data))
    }
}
