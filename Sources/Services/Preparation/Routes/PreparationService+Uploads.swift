import Foundation
import Hosting
import WebServer

/// The addresses by which files arrive, chunk by chunk.
extension PreparationService {
    var uploadRoutes: [WebRoute] {
        let uploads = "/api/prepare/pieces/:piece/uploads"
        return [
            route(.post, uploads, .signedIn) { request in try await beginUpload(request) },
            route(.get, uploads + "/:upload", .signedIn) { request in
                let (piece, id) = try await names(of: request)
                let found = try await self.uploads.upload(id, of: piece)
                return .json(["received": found.received, "bytes": found.upload.byteCount])
            },
            route(.delete, uploads + "/:upload", .signedIn) { request in
                let (piece, id) = try await names(of: request)
                await self.uploads.delete(id, of: piece)
                return .succeeded
            },
            .upload(
                .put, uploads + "/:upload", .signedIn, limitBytes: DraftUploads.chunkBytes,
                folder: library.store.arrivingFolder
            ) { request in
                try await receiveChunk(request)
            },
        ]
    }

    private func names(of request: WebRequest) async throws(Refusal) -> (piece: String, upload: String) {
        (try await changeableRecord(of: request).id, request.pathParameters["upload"] ?? "")
    }

    private struct NewUpload: Decodable {
        var name: String
        var bytes: Int
        var purpose: UploadPurpose
    }

    private struct UploadAnswer: Encodable {
        var upload: String
        var received: Int
        var chunkBytes: Int
    }

    private struct ChunkAnswer: Encodable {
        var received: Int
        var done: Bool?
    }

    private func beginUpload(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let record = try await changeableRecord(of: request)
        let piece = record.id
        let wanted = try Self.decode(NewUpload.self, request)
        try checkUpload(wanted.purpose, bytes: wanted.bytes, to: record, request)
        let upload = try await uploads.begin(
            piece: piece, name: wanted.name, byteCount: wanted.bytes, purpose: wanted.purpose)
        return .json(UploadAnswer(upload: upload.id, received: 0, chunkBytes: DraftUploads.chunkBytes))
    }

    @Sendable private func receiveChunk(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let (piece, id) = try await names(of: request)
        guard let offset = request.queryParameters["offset"].flatMap({ Int($0) }), offset >= 0 else {
            throw .refused(code: "bad-offset", sentence: "Say with ?offset=N where the chunk begins.")
        }
        guard let file = request.uploadedFile,
            let chunk = FileManager.default.contents(atPath: file.path)
        else { throw .notWritten(reason: "the chunk was lost") }
        let (upload, received) = try await uploads.append(Array(chunk), at: offset, to: id, of: piece)
        guard received == upload.byteCount else { return .json(ChunkAnswer(received: received)) }
        try await intake.takeIn(upload, of: piece, author: Self.author(request))
        return .json(ChunkAnswer(received: received, done: true))
    }
}
