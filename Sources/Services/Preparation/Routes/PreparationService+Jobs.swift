import Hosting
import WebServer

/// The addresses of tasks: what the server does with a piece for longer than a request takes.
extension PreparationService {
    var jobRoutes: [WebRoute] {
        let jobs = "/api/prepare/pieces/:piece/jobs"
        return [
            route(.post, jobs, .signedIn, limit: 1 << 20) { request in
                let record = try await changeableRecord(of: request)
                let task = try Self.decode(TaskRequest.self, request).task()
                try await checkTask(task, of: record, request)
                return .json(["job": try await queue.submit(task, of: record.id)])
            },
            route(.get, jobs + "/:job", .signedIn) { request in
                let piece = try await changeableRecord(of: request).id
                return .json(try await queue.job(request.pathParameters["job"] ?? "", of: piece))
            },
            route(.delete, jobs + "/:job", .signedIn) { request in
                let piece = try await changeableRecord(of: request).id
                try await queue.interrupt(request.pathParameters["job"] ?? "", of: piece)
                return .succeeded
            },
        ]
    }

    /// A task as the page asks for it.
    private struct TaskRequest: Decodable {
        var kind: String
        var route: String?
        var insist: Bool?
        var recording: String?
        var folder: String?
        var taps: [TapOrder.Tap]?
        var every: Int?
        var replace: String?

        func task() throws(Refusal) -> PreparationTask {
            switch kind {
            case "align": return .align(route: route ?? "found", insists: insist ?? false)
            case "snap":
                guard ["all", "range"].contains(replace ?? "all") else {
                    throw .refused(
                        code: "bad-replace",
                        sentence: "“replace” is all (every bar) or range (the bars that the taps cover).")
                }
                return .snap(taps: taps ?? [], every: every ?? 1, replacesAll: replace != "range")
            case "listen":
                guard let recording else { throw .noSuchRecording }
                return .listen(recording: recording)
            case "render": return .render
            case "reference":
                guard let recording else { throw .noSuchRecording }
                return .reference(recording: recording)
            case "prepare":
                guard let folder else {
                    throw .refused(code: "no-folder", sentence: "Say in which folder the piece goes.")
                }
                return .prepare(folder: folder)
            default:
                throw .refused(
                    code: "bad-kind",
                    sentence: "“\(kind.prefix(30))” is nothing that can be done with a piece.")
            }
        }
    }
}
