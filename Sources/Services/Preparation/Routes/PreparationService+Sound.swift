import Foundation
import Hosting
import WebServer

/// The addresses of recordings: the listening copy and the pictures of the sound.
extension PreparationService {
    var soundRoutes: [WebRoute] {
        let recording = "/api/prepare/pieces/:piece/recordings/:recording"
        return [
            route(.get, recording + "/sound") { request in
                let folder = try await readyFolder(of: request)
                return WebResponse.file(
                    folder + "/" + SoundPictures.copyFile, contentType: "audio/wav",
                    tag: request.pathParameters["recording"] ?? "")
            },
            route(.get, recording + "/peaks") { request in
                try await tileResponse(
                    request, SoundPictures.peaksFile,
                    SoundPictures.peakColumnsPerTile * SoundPictures.peakColumnBytes)
            },
            route(.get, recording + "/spectrum") { request in
                try await tileResponse(
                    request, SoundPictures.spectrumFile,
                    SoundPictures.spectrumColumnsPerTile * SoundPictures.bandCount)
            },
            route(.get, recording + "/curve") { request in try await curveResponse(request)
            },
            route(.delete, recording) { request in try await deleteRecording(request) },
        ]
    }

    /// The folder of a recording whose listening copy has been made.
    private func readyFolder(of request: WebRequest) async throws(Refusal) -> String {
        let record = try await record(of: request)
        let recording = try record.recording(request.pathParameters["recording"] ?? "")
        guard recording.isReady else {
            throw .refused(code: "not-ready", sentence: "The sound is being prepared; try again in a moment.")
        }
        return library.store.soundFolder(of: record.id, recording.id)
    }

    private func tileResponse(
        _ request: WebRequest, _ fileName: (Int) -> String, _ tileBytes: Int
    ) async throws(Refusal) -> WebResponse {
        let folder = try await readyFolder(of: request)
        guard let level = request.queryParameters["level"].flatMap({ Int($0) }), (0...20).contains(level),
            let tile = request.queryParameters["tile"].flatMap({ Int($0) }), (0...1_000_000).contains(tile),
            let bytes = Self.readBytes(folder + "/" + fileName(level), at: tile * tileBytes, count: tileBytes)
        else { return .refused(404, "no-tile", "The recording has no such level or tile.") }
        // A recording's sound never changes.
        return WebResponse(contentType: "application/octet-stream", body: bytes)
            .forOnePerson
    }

    /// Reads a part of a file; nil if it begins after the end.
    private static func readBytes(_ path: String, at offset: Int, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(offset))
        guard read > 0 else { return nil }
        return Array(bytes.prefix(read))
    }

    private struct Curve: Encodable {
        /// The time of each of the piece's bars in this recording; nil for bars that were added since.
        var secondsByBar: [Double?]
        @OrNull var end: Double?
    }

    private func curveResponse(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let record = try await record(of: request)
        let recording = try record.recording(request.pathParameters["recording"] ?? "")
        if recording.id == record.main {
            return .json(Curve(secondsByBar: record.draft.bars.map(\.seconds), end: record.draft.end))
        }
        guard let alignment = recording.alignment else {
            throw .refused(
                code: "not-aligned", sentence: "The bars of this recording have not been found yet.")
        }
        let times = Dictionary(
            alignment.bars.map { ($0.bar, $0.seconds) }, uniquingKeysWith: { first, _ in first })
        return .json(Curve(secondsByBar: record.draft.bars.map { times[$0.id] }, end: alignment.end))
    }

    private func deleteRecording(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let id = request.pathParameters["recording"] ?? ""
        let piece = request.pathParameters["piece"] ?? ""
        try await queue.removeEnded(of: piece)
        let record = try await library.change(
            piece, label: "a recording removed",
            author: Self.author(request)
        ) { record throws(Refusal) in
            _ = try record.recording(id)
            if let other = record.pending.first(where: { !$0.task.isInBackground }) {
                throw Refusal.jobRunning(kind: other.task.kind)
            }
            record.recordings.removeAll { $0.id == id }
            if record.main == id { record.main = record.recordings.first?.id }
            return nil
        }
        try? FileManager.default.removeItem(atPath: library.store.soundFolder(of: record.id, id))
        return .succeeded
    }
}
