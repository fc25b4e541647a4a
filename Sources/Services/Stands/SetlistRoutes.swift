import Catalogue
import Rehearsal
import WebServer

/// Keeps the setlists of each user, so that they are the same on all of the user's stands.
struct SetlistRoutes {
    /// Enough for a name and the ids of as many scores as a setlist may have.
    private static let mostBodyBytes = 8_192

    let roomHub: RoomHub

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/setlists", .signedIn, answer: listSetlists),
            WebRoute(
                .put, "/api/setlists/:setlist", .signedIn, bodyLimitBytes: Self.mostBodyBytes,
                answer: storeSetlist),
            WebRoute(
                .delete, "/api/setlists/:setlist", .signedIn, bodyLimitBytes: Self.mostBodyBytes,
                answer: removeSetlist),
        ]
    }

    private struct ListedSetlist: Encodable {
        var id: Setlist.ID
        var name: String
        var scores: [Rehearsal.Score.ID]
        var revision: Int64

        init?(_ stored: StoredDocument) {
            guard let setlist = try? RoomJSON.decode(Setlist.self, from: stored.content) else { return nil }
            (id, name, scores, revision) = (setlist.id, setlist.name, setlist.scores, stored.revision)
        }
    }

    private struct SetlistChange: Decodable {
        var name: String
        var scores: [Rehearsal.Score.ID]
        /// The revision that was changed; nil or 0 for a new setlist.
        var revision: Int64?
    }

    @Sendable private func listSetlists(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let user = person.id.description
            let stored = try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.setlists(ofUser: user)
            }
            return .json(RoomJSON.encode(["setlists": stored.compactMap(ListedSetlist.init)]))
        }
    }

    @Sendable private func storeSetlist(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(1, by: person)
            let change = try RoomRequestHandling.decodeBody(
                SetlistChange.self, request, #"Send {"name","scores","revision"}; see docs/rooms-api.md."#)
            let setlist: Setlist
            do throws(RehearsalFault) {
                setlist = try Setlist(id: parseID(request), name: change.name, scores: change.scores)
            } catch {
                throw .malformed(error.sentence)
            }
            let (id, user, json) = (setlist.id.description, person.id.description, RoomJSON.encode(setlist))
            let outcome = try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.storeSetlist(
                    id, ofUser: user, json: json, changing: change.revision ?? 0, most: Setlist.mostPerUser)
            }
            switch outcome {
            case .saved(let revision): return .json(["revision": revision])
            case .conflict:
                return .refused(
                    409, "changed",
                    "This setlist was changed on another stand; look at it and change it again.")
            case .tooMany:
                return .refused(
                    409, "full",
                    "You have \(Setlist.mostPerUser) setlists, the most there may be; remove one.")
            }
        }
    }

    @Sendable private func removeSetlist(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(1, by: person)
            let (id, user): (String, String)
            do throws(RehearsalFault) {
                (id, user) = (try parseID(request).description, person.id.description)
            } catch {
                throw .malformed(error.sentence)
            }
            try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.removeSetlist(id, ofUser: user)
            }
            return .succeeded
        }
    }

    private func parseID(_ request: WebRequest) throws(RehearsalFault) -> Setlist.ID {
        let text = request.pathParameters["setlist"] ?? ""
        guard let id = Setlist.ID(text) else { throw .notAnID(text) }
        return id
    }

    private func mappingStoreErrors<Value: Sendable>(
        _ work: (RehearsalRoomStore) async throws(CatalogueError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(CatalogueError) { return try await work(roomHub.store) } catch { throw .storeFailed(error) }
    }
}
