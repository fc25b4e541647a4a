import Hosting
import Rehearsal
import WebServer

/// Routes for creating, joining and closing rooms, for changing their passkeys, and for the evening's own room.
struct RoomRoutes {
    private static let mostBodyBytes = 8_192

    let roomHub: RoomHub

    var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/rooms", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: createRoom),
            WebRoute(
                .delete, "/api/rooms/:room", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: removeRoom
            ),
            WebRoute(
                .post, "/api/rooms/:room/join", .signedIn, bodyLimitBytes: Self.mostBodyBytes,
                answer: joinRoom),
            WebRoute(
                .put, "/api/rooms/:room/passkey", .signedIn, bodyLimitBytes: Self.mostBodyBytes,
                answer: setPasskey),
            WebRoute(.get, "/api/stands/tonight", .roles(WebRole.operators)) { request in
                await RoomRequestHandling.answerRoomRequest(request) { _ throws(Refusal) in
                    .json(RoomJSON.encode(try await roomHub.describeEveningStands()))
                }
            },
            WebRoute(
                .post, "/api/stands/tonight", .roles(WebRole.operators), bodyLimitBytes: Self.mostBodyBytes,
                answer: openEveningRoom),
        ]
    }

    private struct EveningRequest: Decodable { var players: EveningPlayers }

    @Sendable private func openEveningRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.roomChangeCost, by: person)
            let wanted = try RoomRequestHandling.decodeBody(
                EveningRequest.self, request, #"Send {"players"}: "people" or "everyMusician"."#)
            try await roomHub.openEveningRoom(for: wanted.players, by: person)
            return .json(RoomJSON.encode(try await roomHub.describeEveningStands()))
        }
    }

    @Sendable private func createRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.roomChangeCost, by: person)
            let new = try RoomRequestHandling.decodeBody(
                RoomHub.RoomCreationRequest.self, request,
                #"Send {"id","membership","score","name","passkey","published"} with UUIDs of your own."#)
            return .json(["id": try await roomHub.createRoom(new, by: person).id.description])
        }
    }

    @Sendable private func removeRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try await roomHub.removeRoom(RoomRequestHandling.parseRoomID(request), by: person)
            return .succeeded
        }
    }

    private struct JoinRequest: Decodable {
        var event: RoomEvent.ID
        var membership: Membership.ID
        var passkey: String?
    }

    @Sendable private func joinRoom(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.roomChangeCost, by: person)
            let joining = try RoomRequestHandling.decodeBody(
                JoinRequest.self, request, #"Send {"event","membership","passkey"} with UUIDs of your own."#)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let stranger = try await roomHub.makeActingUser(person, of: room)
            guard stranger.hasScoreGrant else {
                throw .refused(
                    RoomRefusal(
                        .noScoreGrant, "You have not been given this room's score; ask the librarian for it.")
                )
            }
            let knows = try await roomHub.isPasskey(
                joining.passkey, of: room, person, from: request.visitorAddress)
            var member = stranger
            member.knowsPasskey = knows
            let event = RoomEvent(id: joining.event, act: .joinRoom(joining.membership))
            let answers = try await room.processMessages(
                [.message(.event(event))], from: StandKey(user: person.id, stand: .init(high: 0, low: 0)),
                by: member)
            if case .refused(_, let refusal)? = answers.first { throw .refused(refusal) }
            return .json(RoomJSON.encode(answers))
        }
    }

    private struct PasskeyChangeRequest: Decodable {
        var passkey: String?
    }

    @Sendable private func setPasskey(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.roomChangeCost, by: person)
            let new = try RoomRequestHandling.decodeBody(
                PasskeyChangeRequest.self, request, #"Send {"passkey": "…"}, or null."#)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            guard await room.isOwner(person.id) else {
                throw .refused(
                    RoomRefusal(.notAllowed, "Only the room's owner can change its passkey; ask the owner."))
            }
            try await room.replacePasskey(
                by: roomHub.hashPasskey(new.passkey, by: person), by: roomHub.makeActingUser(person, of: room)
            )
            return .succeeded
        }
    }
}

/// The steps that all routes of rooms share: checking the sign-in, reading the body, charging the cost and reporting
/// errors.
enum RoomRequestHandling {
    /// Cost of creating or joining a room or changing its passkey, counted in messages of a stand. Each may need an
    /// expensive password hash.
    static let roomChangeCost = 4
    /// Cost of a report or a print, counted in messages of a stand.
    static let reportOrPrintCost = 10
    /// Cost of opening a stream, counted in messages of a stand.
    static let streamOpeningCost = 2

    static func answerRoomRequest(
        _ request: WebRequest, _ work: (RehearsalRoomUser) async throws(Refusal) -> WebResponse
    ) async -> WebResponse {
        guard let asking = request.person, let person = RehearsalRoomUser(asking) else {
            return .refused(403, "no-user", "This account cannot use rooms; ask for another one.")
        }
        do throws(Refusal) {
            try checkNamedUserIsSignedIn(request, person)
            return try await work(person)
        } catch {
            return error.response
        }
    }

    /// Prevents one user's offline work from being sent with the sign-in of another user.
    /// - Throws: ``Refusal/otherUserSignedIn`` if the request names a user other than the one who is signed in.
    static func checkNamedUserIsSignedIn(_ request: WebRequest, _ person: RehearsalRoomUser) throws(Refusal) {
        guard let said = request.queryParameters["user"] else { return }
        guard Rehearsal.User.ID(said) == person.id else { throw .otherUserSignedIn }
    }

    static func parseRoomID(_ request: WebRequest) throws(Refusal) -> RehearsalRoom.ID {
        guard let id = RehearsalRoom.ID(request.pathParameters["room"] ?? "") else { throw .noRoom }
        return id
    }

    /// The score that a request names by `score=`; the room's open one if it names none.
    static func parseScore(_ request: WebRequest, _ room: RoomActor) -> Rehearsal.Score.ID {
        request.queryParameters["score"].flatMap { Rehearsal.Score.ID($0) }
            ?? room.programmeScores.withLock { $0.open }
    }

    /// Decodes a request body.
    /// - Parameter hint: the error sentence for a body that cannot be read; it says what to send.
    static func decodeBody<Value: Decodable>(
        _ type: Value.Type, _ request: WebRequest, _ hint: String
    ) throws(Refusal) -> Value {
        do { return try RoomJSON.decode(type, from: request.body) } catch {
            throw .malformed((error as? RehearsalFault)?.sentence ?? hint)
        }
    }
}
