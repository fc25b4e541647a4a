import Foundation
import Hosting
import Listening
import ReferenceStore
import ServiceLifecycle
import WebServer

/// The service by which people make recorded evenings further references of the pieces, while a show may run.
package struct EveningReferenceService: HostedService {
    let store: RecordingStore
    let models: ModelFolder
    let tabs: TabPieceOwners
    let reserve: DiskReserve
    let runner: ReferenceJobRunner

    /// Those who may change content may change references.
    static let access = RouteAccess.roles([.editor, .administrator])

    /// Creates the service.
    /// - Parameter program: the program `baton`, which does the work in a process of its own.
    package init(
        data: String, modelsFolder: String, recordings: String, program: URL, reserve: DiskReserve
    ) {
        self.init(
            data: data, modelsFolder: modelsFolder, recordings: recordings, reserve: reserve,
            runner: ReferenceJobRunner(
                .init(program: program, dataFolder: data, modelsFolder: modelsFolder)))
    }

    init(
        data: String, modelsFolder: String, recordings: String, reserve: DiskReserve,
        runner: ReferenceJobRunner
    ) {
        store = RecordingStore(data: data)
        tabs = TabPieceOwners(recordings: recordings)
        models = ModelFolder(path: modelsFolder)
        (self.reserve, self.runner) = (reserve, runner)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [runner] in await runner.run() }
    }

    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/references", Self.access) { _ in await listResponse() },
            WebRoute(.get, "/api/references/jobs", Self.access) { _ in .json(await runner.jobs) },
            WebRoute(.post, "/api/references/jobs", Self.access) { request in await startResponse(request) },
            WebRoute(.delete, "/api/references/jobs/:job", Self.access) { request in
                await endResponse(request.pathParameters["job"] ?? "")
            },
        ]
    }

    private func listResponse() async -> WebResponse {
        let (store, models, tabs) = (store, models, tabs)
        let list = await Task.detached(priority: .utility) {
            ReferenceChoicesJSON(recordings: store.list(), models: models, tabs: tabs)
        }.value
        return .json(list)
    }

    private func endResponse(_ job: String) async -> WebResponse {
        do throws(ReferenceJobFile.Fault) {
            return try await runner.interruptOrRemove(job)
                ? .succeeded : .refused(404, "missing", "This work is not in the list any more.")
        } catch { return .refused(507, "not-written", error.sentence) }
    }

    private struct StartRequest: Decodable {
        var recording: String
        var pieces: [String]
    }

    private func startResponse(_ request: WebRequest) async -> WebResponse {
        guard let order = try? JSONDecoder().decode(StartRequest.self, from: Data(request.body)),
            !order.pieces.isEmpty, order.pieces.count <= 100
        else {
            return .refused(400, "bad-json", "Send the name of a recording and the folders of pieces.")
        }
        let (store, models) = (store, models)
        let recording = await Task.detached(priority: .utility) {
            try? store.recording(named: order.recording)
        }.value
        guard let recording else {
            return .refused(404, "missing", "This recording no longer exists. Reload the page.")
        }
        if let piece = order.pieces.first(where: { !models.contains($0) || tabs.isTab($0) }) {
            return .refused(
                422, "not-prepared",
                "“\(piece)” has no model to which a reference can be added. Reload the page.")
        }
        // The sound is copied twice in the course of the work.
        if let refusal = reserve.refusal(adding: 2 * recording.byteCount) { return refusal }
        let id: String?
        do throws(ReferenceJobFile.Fault) {
            id = try await runner.add(
                recording: recording.name, title: recording.title, pieces: order.pieces,
                by: request.person?.name ?? "Somebody")
        } catch { return .refused(507, "not-written", error.sentence) }
        guard let id else {
            return .refused(
                429, "too-many",
                "\(ReferenceJobList.mostWaiting) evenings wait already. Try again when they are done.")
        }
        return .json(["job": id])
    }
}

/// The recordings and the pieces of which they can become references, as the page gets them.
struct ReferenceChoicesJSON: Encodable {
    struct Piece: Encodable {
        /// The folder, which identifies the piece.
        var folder: String
        var name: String
        var references: [String]
    }

    struct Recording: Encodable {
        var name: String
        var title: String
        /// Milliseconds since 1970; nil if no part is left.
        @OrNull var startedAt: Int64?
        var seconds: Double
        var isRunning: Bool
        /// The folders of the pieces of the programme that are prepared.
        var pieces: [String]
    }

    var recordings: [Recording]
    /// All prepared pieces of the house, by folder.
    var pieces: [Piece]

    init(recordings: [Recordings.Recording], models: ModelFolder, tabs: TabPieceOwners) {
        let names = models.pieceNames().filter { !tabs.isTab($0) }
        pieces = names.compactMap { folder in
            (try? models.contents(of: folder)).map {
                Piece(folder: folder, name: $0.name, references: $0.references)
            }
        }
        let known = Set(pieces.map(\.folder))
        self.recordings = recordings.filter { $0.seconds > 0 }.map { recording in
            Recording(
                name: recording.name, title: recording.title, startedAt: recording.parts.first?.startedAt,
                seconds: roundedToThousandths(recording.seconds), isRunning: recording.isRunning,
                pieces: recording.folders.filter(known.contains))
        }
    }
}
