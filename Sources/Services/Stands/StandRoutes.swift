import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Routes for a stand's stream, messages, settings and home page.
struct StandRoutes {
    /// Largest request body, in bytes: enough for two hundred remarks with long strokes.
    private static let mostSendBytes = 4 << 20
    private static let mostSetupBytes = 65_536

    let roomHub: RoomHub

    func routes(_ streams: PersonalStreams) -> [WebRoute] {
        let stand = "/api/rooms/:room/stands/:stand"
        return [
            .personalStreams("/api/rooms/:room/stream", .signedIn, streams),
            WebRoute(
                .post, "/api/rooms/:room/send", .signedIn, bodyLimitBytes: Self.mostSendBytes,
                answer: receiveMessages),
            WebRoute(.put, stand, .signedIn, bodyLimitBytes: Self.mostSetupBytes, answer: setUpStand),
            WebRoute(.get, stand, .signedIn, answer: settingsResponse),
            WebRoute(.get, "/api/rooms/:room/present", .signedIn, answer: listConnectedUsers),
            WebRoute(.get, "/api/stand/home", .signedIn, answer: homeResponse),
        ]
    }

    private func makeStandKey(_ text: String?, _ person: RehearsalRoomUser) throws(Refusal) -> StandKey {
        guard let id = ObjectID<Stand>(text ?? "") else {
            throw .malformed("Identify the stand: add stand= and a UUID that the stand keeps.")
        }
        return StandKey(user: person.id, stand: id)
    }

    // MARK: Stream

    func openStream(_ request: WebRequest) async -> PersonalStreams.OpenResult {
        guard let asking = request.person, let person = RehearsalRoomUser(asking) else {
            return .refused(.refused(403, "no-user", "This account cannot use rooms; ask for another one."))
        }
        do throws(Refusal) {
            try RoomRequestHandling.checkNamedUserIsSignedIn(request, person)
            try roomHub.checkIsActiveServer()
            let key = try makeStandKey(request.queryParameters["stand"], person)
            try roomHub.chargeRateLimit(RoomRequestHandling.streamOpeningCost, by: key)
            let word = request.queryParameters["seen"] ?? "new"
            let seen = EventCursor(word)
            guard word == "new" || seen != nil else {
                throw .malformed(
                    "Name the newest event that the stand has seen: seen=new, or such as seen=1204.1180.")
            }
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            // The room is notified even if the connection ends before it is fully opened.
            let stream = PersonalStream(slots: Stand.StreamSlot.slotCount) { [weak room] stream in
                Task { await room?.disconnectStand(key, stream) }
            }
            let open = room.programmeScores.withLock { $0.open }
            try await room.connectStand(
                key, person, member, seen: seen, score: roomHub.scoreLookup.findScore(open),
                settings: storedSettings(of: person.id, open),
                knowsProgrammes: request.queryParameters["programme"] == "1", stream: stream)
            return .stream(stream)
        } catch {
            return .refused(error.response)
        }
    }

    private func storedSettings(of user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID) async
        -> StandSettings?
    {
        let json = try? await roomHub.store.pageTurningSettings(
            ofUser: user.description, score: score.description)
        return json.flatMap { $0 }.flatMap { try? RoomJSON.decode(StandSettings.self, from: $0) }
    }

    // MARK: Sending

    @Sendable private func receiveMessages(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let key = try makeStandKey(request.queryParameters["stand"], person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            try roomHub.checkIsActiveServer()
            // The allowance is checked before the body is decoded: slowing a stand down must cost little.
            try roomHub.chargeRateLimit(1, by: key)
            let arrivals = try ReceivedStandMessage.decodeBody(request.body)
            if arrivals.count > 1 { try roomHub.chargeRateLimit(arrivals.count - 1, by: key) }
            let answers = try await roomHub.countPublishing(of: arrivals, by: person) {
                mayPublish throws(Refusal) in
                let member = try await roomHub.makeActingUser(
                    person, of: room, alsoFor: ReceivedStandMessage.addedScores(arrivals),
                    mayPublishAnotherRoom: mayPublish)
                return try await room.processMessages(arrivals, from: key, by: member)
            }
            return .json(RoomJSON.encode(answers))
        }
    }

    @Sendable private func setUpStand(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let key = try makeStandKey(request.pathParameters["stand"], person)
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(1, by: key)
            let setup = try RoomRequestHandling.decodeBody(
                StandSetup.self, request, #"Send {"part","page","settings"}; see docs/rooms-api.md."#)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let score = setup.score ?? room.programmeScores.withLock { $0.open }
            await room.adoptScoreEdition(roomHub.scoreLookup.findScore(score))
            try await room.setUpStand(key, setup, by: roomHub.makeActingUser(person, of: room))
            return .json(["settings": setup.settings.withBoundedPageLeads])
        }
    }

    @Sendable private func settingsResponse(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            _ = try makeStandKey(request.pathParameters["stand"], person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            try await room.requireVisibility(member)
            let score = RoomRequestHandling.parseScore(request, room)
            let spot = await room.state.shownPage(of: person.id, in: score)
            return .json(
                SettingsAnswer(
                    settings: await storedSettings(of: person.id, score) ?? StandSettings(),
                    steers: await room.pinpointMovesFollower,
                    setsMargins: await room.maySetMargins(person, member, of: score), part: spot?.part,
                    page: spot?.page))
        }
    }

    private struct SettingsAnswer: Encodable {
        var settings: StandSettings
        /// True if a conductor who points at a bar moves the show's follower now.
        var steers: Bool
        /// True if this user may set the margins of that score for everybody.
        var setsMargins: Bool
        /// The part and page that this user's stand showed last in that score; left out if there are none.
        var part: Int?
        var page: Int?
    }

    /// Lists the users who have a stand connected to the room now.
    @Sendable private func listConnectedUsers(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            return .json([
                "users": try await room.connectedUsers(for: roomHub.makeActingUser(person, of: room))
            ])
        }
    }

    // MARK: Home

    @Sendable private func homeResponse(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let stand = request.queryParameters["stand"].flatMap { ObjectID<Stand>($0) }
            var home = StandHomeData(person, at: roomHub.dependencies.wallClock())
            let scores = try await roomHub.scores(of: person.isLibrarian ? nil : person.id)
            for score in scores {
                home.scores.append(
                    StandHomeData.HomeScore(
                        score, revision: await roomHub.scoreLookup.pagesRevisionTag(of: score.id))
                )
            }
            let held = Set(scores.map(\.id))
            for room in try await roomHub.allRooms() {
                home.addRoomEntry(
                    await room.makeHomeEntry(
                        for: person.id,
                        holds: !held.isDisjoint(with: room.programmeScores.withLock { $0.all }), asking: stand
                    ))
            }
            home.sortByName()
            return .json(RoomJSON.encode(home))
        }
    }
}
