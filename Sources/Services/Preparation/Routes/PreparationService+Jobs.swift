import Hosting
import WebServer

/// The addresses of tasks: what the server does with a piece for longer than a request takes.
extension PreparationService {
    var jobRoutes: [WebRoute] {
        let jobs = "/api/prepare/pieces/:piece/jobs"
        return [
            route(.delete, jobs + "/:job") { request throws(DraftFault) in
                let piece = try await record(of: request).id
                try await queue.interrupt(request.pathParameters["job"] ?? "", of: piece)
                return .succeeded
            }
        ]
    }
}
