import Hosting
import Rehearsal
import WebServer

/// Routes for creating, joining and closing rooms and for changing their passkeys.
struct RoomRoutes {
    private static let bodyBytes = 8_192

    let roomHub: RoomHub

    var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/rooms", .signedIn, bodyLimitBytes: Self.bodyBytes, answer: createRoom),
            WebRoute(
                .delete, "/api/rooms/:room", .signedIn, bodyLimitBytes: Self.bodyBytes, answer: removeRoom),
            WebRoute(
                .post, "/api/rooms/:room/join", .signedIn, bodyLimitBytes: Self.bodyBytes, answer: join),
            WebRoute(
                .put, "/api/rooms/:room/passkey", .signedIn, bodyLimitBytes: Self.bodyBytes,
                answer: setPasskey),
        ]
    }

    @Sendable private func createRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            try roomHub.checkIsActive()
            try roomHub.chargeRateLimit(RoomRequests.changeCost, by: person)
            let new = try RoomRequests.decodeBody(
                RoomHub.NewRoom.self, request,
                #"Send {"id","membership","score","name","passkey","published"} with UUIDs of your own."#)
            return .json(["id": try await roomHub.createRoom(new, by: person).id.description])
        }
    }

    @Sendable private func removeRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            try roomHub.checkIsActive()
            try await roomHub.removeRoom(RoomRequests.roomID(request), by: person)
            return .succeeded
        }
    }

    private struct Joining: Decodable {
        var event: RoomEvent.ID
        var membership: Membership.ID
        var passkey: String?
    }

    @Sendable private func join(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            try roomHub.checkIsActive()
            try roomHub.chargeRateLimit(RoomRequests.changeCost, by: person)
            let joining = try RoomRequests.decodeBody(
                Joining.self, request, #"Send {"event","membership","passkey"} with UUIDs of your own."#)
            let room = try await roomHub.room(RoomRequests.roomID(request))
            let stranger = try await roomHub.actingUser(person, of: room)
            guard stranger.hasScoreGrant else {
                throw .refused(
                    RoomRefusal(
                        .noScoreGrant, "You have not been given this room's score; ask the librarian for it.")
                )
            }
            let knows = try await roomHub.isPasskey(joining.passkey, of: room, person, from: request.address)
            var member = stranger
            member.knowsPasskey = knows
            let event = RoomEvent(id: joining.event, act: .join(joining.membership))
            let answers = try await room.process(
                [.message(.event(event))], from: StandKey(user: person.id, stand: .init(high: 0, low: 0)),
                by: member)
            if case .refused(_, let refusal)? = answers.first { throw .refused(refusal) }
            return .json(RoomJSON.encode(answers))
        }
    }

    private struct NewPasskey: Decodable {
        var passkey: String?
    }

    @Sendable private func setPasskey(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            try roomHub.checkIsActive()
            try roomHub.chargeRateLimit(RoomRequests.changeCost, by: person)
            let new = try RoomRequests.decodeBody(
                NewPasskey.self, request, #"Send {"passkey": "…"}, or null."#)
            let room = try await roomHub.room(RoomRequests.roomID(request))
            guard await room.isOwner(person.id) else {
                throw .refused(
                    RoomRefusal(.notAllowed, "Only the room's owner can change its passkey; ask the owner."))
            }
            try await room.replacePasskey(
                by: roomHub.hashPasskey(new.passkey, by: person), by: roomHub.actingUser(person, of: room))
            return .succeeded
        }
    }
}

/// Steps that all routes of rooms share: checking the sign-in, reading the body, reporting errors, and costs.
enum RoomRequests {
    /// Cost of creating or joining a room or changing its passkey, counted in messages of a stand. Each may need an
    /// expensive password hash.
    static let changeCost = 4
    /// Cost of a report or a print, counted in messages of a stand.
    static let readingCost = 10
    /// Cost of opening a stream, counted in messages of a stand.
    static let openingCost = 2

    static func answer(
        _ request: WebRequest, _ work: (RoomPerson) async throws(RoomError) -> WebResponse
    ) async -> WebResponse {
        guard let asking = request.person, let person = RoomPerson(asking) else {
            return .refused(403, "no-user", "This account cannot use rooms; ask for another one.")
        }
        do throws(RoomError) {
            try checkUser(request, person)
            return try await work(person)
        } catch {
            return error.response
        }
    }

    /// Prevents one user's offline work from being sent with the sign-in of another user.
    /// - Throws: ``RoomError/otherUser`` if the request names a user other than the one who is signed in.
    static func checkUser(_ request: WebRequest, _ person: RoomPerson) throws(RoomError) {
        guard let said = request.query["user"] else { return }
        guard Rehearsal.User.ID(said) == person.id else { throw .otherUser }
    }

    static func roomID(_ request: WebRequest) throws(RoomError) -> Room.ID {
        guard let id = Room.ID(request.parameters["room"] ?? "") else { throw .noRoom }
        return id
    }

    /// Decodes a request body.
    /// - Parameter hint: the error sentence for a body that cannot be read; it says what to send.
    static func decodeBody<Value: Decodable>(
        _ type: Value.Type, _ request: WebRequest, _ hint: String
    ) throws(RoomError) -> Value {
        do { return try RoomJSON.decode(type, from: request.body) } catch {
            throw .malformed(sentence: (error as? RehearsalFault)?.sentence ?? hint)
        }
    }
}
