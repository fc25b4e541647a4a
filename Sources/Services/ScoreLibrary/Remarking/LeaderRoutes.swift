import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The routes by which librarians name the leaders of sections, such as the concertmaster.
struct LeaderRoutes {
    static let librarianAccess = RouteAccess.roles([.editor, .administrator])
    private static let mostBodyBytes = 4_096

    let desk: RemarkDesk

    var routes: [WebRoute] {
        let leaders = "/api/scores/:score/leaders"
        return [
            WebRoute(.get, leaders, Self.librarianAccess, answer: listLeaders),
            WebRoute(
                .put, leaders + "/:user", Self.librarianAccess, bodyLimitBytes: Self.mostBodyBytes,
                answer: putLeader),
        ]
    }

    @Sendable private func listLeaders(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(1, reader)
            let score = try await desk.score(of: request, for: reader)
            let leaders = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.sectionLeaders(of: score.id)
            }
            return .json(["leaders": leaders])
        }
    }

    private struct LeaderRequest: Decodable { var parts: [Int] }

    @Sendable private func putLeader(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(1, reader)
            let score = try await desk.score(of: request, for: reader)
            guard let user = Rehearsal.User.ID(request.pathParameters["user"] ?? "") else {
                throw .refused(RoomRefusal(.noMember, "There is no such user; load the list again."))
            }
            let parts = Set(try desk.decode(LeaderRequest.self, request).parts)
            guard parts.allSatisfy(score.parts.indices.contains) else {
                throw .malformed("Say the parts to lead, such as {\"parts\":[0,1]}, by their indices.")
            }
            try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.setPartsLed(parts, by: user, in: score.id)
            }
            desk.readers.announce(score.id, to: [user])
            return .json(["parts": parts.sorted()])
        }
    }
}
