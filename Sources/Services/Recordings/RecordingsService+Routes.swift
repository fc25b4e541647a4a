import Catalogue
import Hosting
import WebServer

/// The addresses of the recordings. A recording is the sound of a hall with people in it: those who run the show may
/// hear and copy it, and only an administrator may delete it.
extension RecordingsService {
    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/recordings", .roles(listeningRoles)) { _ in await listResponse() },
            WebRoute(.get, "/api/recordings/:recording/:part", .roles(listeningRoles)) { request in
                await fileResponse(request)
            },
            WebRoute(.delete, "/api/recordings/:recording", .roles([.administrator])) { request in
                await deletionResponse(request)
            },
        ]
    }

    private func listResponse() async -> WebResponse {
        let store = store
        let recordings = await Task.detached(priority: .utility) { store.list() }.value
        return .json(RecordingListJSON(now: section, recordings: recordings.map(RecordingJSON.init)))
    }

    private func fileResponse(_ request: WebRequest) async -> WebResponse {
        let (store, name) = (store, request.pathParameters["recording"] ?? "")
        let number = request.pathParameters["part"].flatMap { Int($0) }
        let part = await Task.detached(priority: .utility) {
            (try? store.recording(named: name))?.parts.first { $0.number == number && !$0.isDeleted }
        }.value
        guard let part else { return Self.missingResponse }
        return WebResponse.file(part.path, contentType: "audio/flac", tag: part.tag)
            .withHeader("Cache-Control", "no-store")
            .withHeader(
                "Content-Disposition", "inline; filename=\"\(name)-part-\(part.number).flac\"")
    }

    private func deletionResponse(_ request: WebRequest) async -> WebResponse {
        let (store, name) = (store, request.pathParameters["recording"] ?? "")
        let (recording, fault) = await Task.detached(priority: .utility) {
            () -> (Recording?, RecordingFault?) in
            let recording = try? store.recording(named: name)
            do throws(RecordingFault) {
                try store.delete(name)
                return (recording, nil)
            } catch {
                return (recording, error)
            }
        }.value
        switch fault {
        case nil:
            say("\(request.person?.name ?? "Somebody") deleted the recording “\(name)”.\n")
            if let recording { await noteErasure(of: recording) }
            return .succeeded
        case .missing: return Self.missingResponse
        case .running(let name):
            return .refused(409, "running", RecordingFault.running(name: name).sentence)
        case .notWritten:
            return .refused(
                500, "not-deleted",
                "The recording could not be deleted; the folder “recordings” of the server's data folder is not "
                    + "writable.")
        }
    }

    /// Notes a recording that is gone from this server, so that the other server's recording of the same time goes too.
    func noteErasure(of recording: Recording) async {
        do throws(CatalogueError) { try await erasures?.note(recording) } catch {
            say(
                "The backup server may keep what it recorded at the time of “\(recording.name)”, because the deletion "
                    + "could not be noted (\(error.sentenceWithoutPath)). Delete it there too.\n")
        }
    }

    private static let missingResponse = WebResponse.refused(
        404, "missing", "This recording no longer exists. Reload the list.")
}

/// The list of recordings as pages get it. Times of day are milliseconds since 1970.
struct RecordingListJSON: Encodable {
    var now: RecordingSection
    var recordings: [RecordingJSON]
}

struct RecordingJSON: Encodable {
    struct Part: Encodable {
        var number: Int
        var startedAt: Int64
        var endedAt: Int64?
        var seconds: Double
        var bytes: Int
        var gapSeconds: Double?
        var isInterrupted: Bool
        var isDeleted: Bool
        var lostSeconds: Double
        var sampleRate: Int
        var channels: Int
    }

    var name: String
    var title: String
    var pieces: [String]
    var isRunning: Bool
    var seconds: Double
    var bytes: Int
    var parts: [Part]

    init(_ recording: Recording) {
        (name, title, pieces) = (recording.name, recording.title, recording.pieces)
        isRunning = recording.isRunning
        (seconds, bytes) = (roundedToThousandths(recording.seconds), recording.byteCount)
        parts = recording.parts.map { part in
            Part(
                number: part.number, startedAt: part.startedAt, endedAt: part.endedAt,
                seconds: roundedToThousandths(part.seconds), bytes: part.byteCount,
                gapSeconds: part.gapSeconds.map(roundedToThousandths), isInterrupted: part.isInterrupted,
                isDeleted: part.isDeleted, lostSeconds: roundedToThousandths(part.lostSeconds),
                sampleRate: part.hertz, channels: part.channelCount)
        }
    }
}
