import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Routes of a stand: its stream, its messages, its settings, and its home page.
struct StandRoutes {
    /// Largest request body; has room for two hundred remarks with long strokes.
    private static let sendBytes = 4 << 20
    private static let setupBytes = 65_536

    let hub: RoomHub

    func routes(_ streams: PersonalStreams) -> [WebRoute] {
        let stand = "/api/rooms/:room/stands/:stand"
        return [
            .personal("/api/rooms/:room/stream", .signedIn, streams),
            WebRoute(
                .post, "/api/rooms/:room/send", .signedIn, bodyLimitBytes: Self.sendBytes, answer: send),
            WebRoute(.put, stand, .signedIn, bodyLimitBytes: Self.setupBytes, answer: setUp),
            WebRoute(.get, stand, .signedIn, answer: settings),
            WebRoute(.get, "/api/rooms/:room/present", .signedIn, answer: present),
            WebRoute(.get, "/api/stand/home", .signedIn, answer: home),
        ]
    }

    private func key(_ text: String?, _ person: RoomPerson) throws(RoomError) -> StandKey {
        guard let id = ObjectID<Stand>(text ?? "") else {
            throw .malformed(sentence: "Identify the stand: add stand= and a UUID that the stand keeps.")
        }
        return StandKey(user: person.id, stand: id)
    }

    // MARK: Stream

    func open(_ request: WebRequest) async -> PersonalStreams.Opening {
        guard let asking = request.person, let person = RoomPerson(asking) else {
            return .refused(.refused(403, "no-user", "This account cannot use rooms; ask for another one."))
        }
        do throws(RoomError) {
            try RoomRequests.checkUser(request, person)
            try hub.checkIsActive()
            let key = try key(request.query["stand"], person)
            try hub.chargeRateLimit(RoomRequests.openingCost, by: key)
            let word = request.query["seen"] ?? "new"
            let seen = EventCursor(word)
            guard word == "new" || seen != nil else {
                throw .malformed(
                    sentence:
                        "Name the newest event that the stand has seen: seen=new, or such as seen=1204.1180.")
            }
            let room = try await hub.room(RoomRequests.room(request))
            let member = try await hub.member(person, of: room)
            // The room is notified even if the connection ends before it is fully opened.
            let stream = PersonalStream(slots: Stand.Slot.count) { [weak room] stream in
                Task { await room?.disconnect(key, stream) }
            }
            try await room.open(
                key, person, member, seen: seen, score: hub.shelf.score(room.scoreID),
                settings: settings(of: person.id, room), stream: stream)
            return .stream(stream)
        } catch {
            return .refused(error.answer)
        }
    }

    private func settings(of user: Rehearsal.User.ID, _ room: RoomActor) async -> StandSettings? {
        let json = try? await hub.store.settings(
            ofUser: user.description, score: room.scoreID.description)
        return json.flatMap { $0 }.flatMap { try? RoomJSON.value(StandSettings.self, from: $0) }
    }

    // MARK: Sending

    @Sendable private func send(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let key = try key(request.query["stand"], person)
            let room = try await hub.room(RoomRequests.room(request))
            try hub.checkIsActive()
            // The allowance is checked before the body is decoded: slowing a stand down must cost little.
            try hub.chargeRateLimit(1, by: key)
            let arrivals = try ReceivedStandMessage.read(request.body)
            if arrivals.count > 1 { try hub.chargeRateLimit(arrivals.count - 1, by: key) }
            let member = try await hub.member(person, of: room)
            return .json(RoomJSON.bytes(try await room.process(arrivals, from: key, by: member)))
        }
    }

    @Sendable private func setUp(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let key = try key(request.parameters["stand"], person)
            try hub.checkIsActive()
            try hub.chargeRateLimit(1, by: key)
            let setup = try RoomRequests.body(
                StandSetup.self, request, #"Send {"part","page","settings"}; see docs/rooms-api.md."#)
            let room = try await hub.room(RoomRequests.room(request))
            await room.adoptEdition(hub.shelf.score(room.scoreID))
            try await room.setUp(key, setup, by: hub.member(person, of: room))
            return .json(["settings": setup.settings.bounded])
        }
    }

    @Sendable private func settings(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            _ = try key(request.parameters["stand"], person)
            let room = try await hub.room(RoomRequests.room(request))
            try await room.check(hub.member(person, of: room))
            return .json(
                SettingsAnswer(
                    settings: await settings(of: person.id, room) ?? StandSettings(),
                    steers: await room.canMoveFollower))
        }
    }

    private struct SettingsAnswer: Encodable {
        var settings: StandSettings
        /// True if a pinpoint moves the show's follower now.
        var steers: Bool
    }

    /// Lists the users who have a stand of the room connected now.
    @Sendable private func present(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let room = try await hub.room(RoomRequests.room(request))
            return .json(["users": try await room.connectedUsers(for: hub.member(person, of: room))])
        }
    }

    // MARK: Home

    @Sendable private func home(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            let stand = request.query["stand"].flatMap { ObjectID<Stand>($0) }
            var home = StandHomeData(person, at: hub.dependencies.wall())
            let scores = try await hub.scores(of: person.isLibrarian ? nil : person.id)
            for score in scores {
                home.scores.append(
                    StandHomeData.HomeScore(score, revision: await hub.shelf.revision(of: score.id)))
            }
            let held = Set(scores.map(\.id))
            for room in try await hub.all() {
                home.add(
                    await room.homeEntry(for: person.id, holds: held.contains(room.scoreID), asking: stand))
            }
            home.finish()
            return .json(RoomJSON.bytes(home))
        }
    }
}
