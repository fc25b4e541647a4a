import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Routes for a stand's stream, messages, settings and home page.
struct StandRoutes {
    /// Largest request body, in bytes: enough for two hundred remarks with long strokes.
    private static let sendBytes = 4 << 20
    private static let setupBytes = 65_536

    let roomHub: RoomHub

    func routes(_ streams: PersonalStreams) -> [WebRoute] {
        let stand = "/api/rooms/:room/stands/:stand"
        return [
            .personalStreams("/api/rooms/:room/stream", .signedIn, streams),
            WebRoute(
                .post, "/api/rooms/:room/send", .signedIn, bodyLimitBytes: Self.sendBytes,
                answer: receiveMessages),
            WebRoute(.put, stand, .signedIn, bodyLimitBytes: Self.setupBytes, answer: setUp),
            WebRoute(.get, stand, .signedIn, answer: settingsResponse),
            WebRoute(.get, "/api/rooms/:room/present", .signedIn, answer: listConnectedUsers),
            WebRoute(.get, "/api/stand/home", .signedIn, answer: home),
        ]
    }

    private func standKey(_ text: String?, _ person: RoomPerson) throws(RoomError) -> StandKey {
        guard let id = ObjectID<Stand>(text ?? "") else {
            throw .malformed(sentence: "Identify the stand: add stand= and a UUID that the stand keeps.")
        }
        return StandKey(user: person.id, stand: id)
    }

    // MARK: Stream

    func openStream(_ request: WebRequest) async -> PersonalStreams.OpenResult {
        guard let asking = request.person, let person = RoomPerson(asking) else {
            return .refused(.refused(403, "no-user", "This account cannot use rooms; ask for another one."))
        }
        do throws(RoomError) {
            try RoomRequests.checkUser(request, person)
            try roomHub.checkIsActive()
            let key = try standKey(request.query["stand"], person)
            try roomHub.chargeRateLimit(RoomRequests.openingCost, by: key)
            let word = request.query["seen"] ?? "new"
            let seen = EventCursor(word)
            guard word == "new" || seen != nil else {
                throw .malformed(
                    sentence:
                        "Name the newest event that the stand has seen: seen=new, or such as seen=1204.1180.")
            }
            let room = try await roomHub.room(RoomRequests.roomID(request))
            let member = try await roomHub.actingUser(person, of: room)
            // The room is notified even if the connection ends before it is fully opened.
            let stream = PersonalStream(slots: Stand.Slot.count) { [weak room] stream in
                Task { await room?.disconnect(key, stream) }
            }
            try await room.connectStand(
                key, person, member, seen: seen, score: roomHub.scoreLookup.score(room.scoreID),
                settings: storedSettings(of: person.id, room), stream: stream)
            return .stream(stream)
        } catch {
            return .refused(error.response)
        }
    }

    private func storedSettings(of user: Rehearsal.User.ID, _ room: RoomActor) async -> StandSettings? {
        let json = try? await roomHub.store.settings(
            ofUser: user.description, score: room.scoreID.description)
        return json.flatMap { $0 }.flatMap { try? RoomJSON.decode(StandSettings.self, from: $0) }
    }

    // MARK: Sending

    @Sendable private func receiveMessages(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let key = try standKey(request.query["stand"], person)
            let room = try await roomHub.room(RoomRequests.roomID(request))
            try roomHub.checkIsActive()
            // The allowance is checked before the body is decoded: slowing a stand down must cost little.
            try roomHub.chargeRateLimit(1, by: key)
            let arrivals = try ReceivedStandMessage.decodeBody(request.body)
            if arrivals.count > 1 { try roomHub.chargeRateLimit(arrivals.count - 1, by: key) }
            let member = try await roomHub.actingUser(person, of: room)
            return .json(RoomJSON.encode(try await room.process(arrivals, from: key, by: member)))
        }
    }

    @Sendable private func setUp(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let key = try standKey(request.parameters["stand"], person)
            try roomHub.checkIsActive()
            try roomHub.chargeRateLimit(1, by: key)
            let setup = try RoomRequests.decodeBody(
                StandSetup.self, request, #"Send {"part","page","settings"}; see docs/rooms-api.md."#)
            let room = try await roomHub.room(RoomRequests.roomID(request))
            await room.adoptEdition(roomHub.scoreLookup.score(room.scoreID))
            try await room.setUp(key, setup, by: roomHub.actingUser(person, of: room))
            return .json(["settings": setup.settings.bounded])
        }
    }

    @Sendable private func settingsResponse(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            _ = try standKey(request.parameters["stand"], person)
            let room = try await roomHub.room(RoomRequests.roomID(request))
            try await room.requireVisibility(roomHub.actingUser(person, of: room))
            return .json(
                SettingsAnswer(
                    settings: await storedSettings(of: person.id, room) ?? StandSettings(),
                    steers: await room.canMoveFollower))
        }
    }

    private struct SettingsAnswer: Encodable {
        var settings: StandSettings
        /// True if a conductor who points at a bar moves the show's follower now.
        var steers: Bool
    }

    /// Lists the users who have a stand connected to the room now.
    @Sendable private func listConnectedUsers(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let room = try await roomHub.room(RoomRequests.roomID(request))
            return .json(["users": try await room.connectedUsers(for: roomHub.actingUser(person, of: room))])
        }
    }

    // MARK: Home

    @Sendable private func home(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let stand = request.query["stand"].flatMap { ObjectID<Stand>($0) }
            var home = StandHomeData(person, at: roomHub.dependencies.wallClock())
            let scores = try await roomHub.scores(of: person.isLibrarian ? nil : person.id)
            for score in scores {
                home.scores.append(
                    StandHomeData.HomeScore(score, revision: await roomHub.scoreLookup.revision(of: score.id))
                )
            }
            let held = Set(scores.map(\.id))
            for room in try await roomHub.all() {
                home.add(
                    await room.homeEntry(for: person.id, holds: held.contains(room.scoreID), asking: stand))
            }
            home.sortByName()
            return .json(RoomJSON.encode(home))
        }
    }
}
