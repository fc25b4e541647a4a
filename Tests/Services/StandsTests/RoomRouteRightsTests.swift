import Foundation
import Rehearsal
import Synchronization
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

private let finale: Rehearsal.Score.ID = roomID(51)
private let dora = RehearsalRoomUser(id: roomID(14), name: "Dora")

/// The rights to read a room's statistics, set margins for everybody, and add a score. Anna owns the room and works on
/// the concert; Bert and Carl are members; the second score was given to Anna and Bert; Dora has neither.
@Suite(.ownThreads) struct RoomRouteRightsTests {
    private let stage: RoomStage

    init() throws {
        stage = try RoomStage()
        let page = PageSize(width: 595, height: 842)
        stage.shelf.put(
            try Rehearsal.Score(
                id: finale, title: "Finale", movements: [Movement(name: "Presto", piece: "presto")],
                parts: [Part(name: "Full score", pages: [page])]))
        for person in [anna, bert] { stage.shelf.give(finale, to: person.id) }
    }

    private func room(playingBoth: Bool = true) async throws -> RoomActor {
        let room = try await stage.makeRoom()
        for person in [bert, carl] { try await stage.join(person, room) }
        guard playingBoth else { return room }
        #expect(try await add(finale, by: anna, to: room) == nil)
        return room
    }

    private func add(_ score: Rehearsal.Score.ID, by person: RehearsalRoomUser, to room: RoomActor)
        async throws
        -> RoomRefusalCode?
    {
        let act = RoomAct.addScore(ProgrammeAddition(ProgrammeEntry(id: .new(), score: score)))
        let events = [ReceivedStandMessage.message(.event(RoomEvent(id: .new(), act: act)))]
        let added = ReceivedStandMessage.addedScores(events)
        let answers = try await room.processMessages(
            events, from: StandKey(user: person.id, stand: roomID(700)),
            by: try await stage.hub.makeActingUser(person, of: room, alsoFor: added))
        return answers.compactMap(\.refusal).first
    }

    private struct Answer {
        var status: Int
        var code: String?
    }

    private func ask(
        _ routes: [WebRoute], _ method: WebRoute.Method, _ path: String, _ room: RoomActor,
        query: [String: String] = [:], body: String = "", as person: RehearsalRoomUser
    ) async throws -> Answer {
        let route = try #require(
            routes.first { $0.method == method && $0.path == "/api/rooms/:room/" + path })
        let said = await route.response(
            to: WebRequest(
                path: route.path, pathParameters: ["room": room.id.description], queryParameters: query,
                rawQuery: "",
                person: WebPerson(
                    id: person.id.description, name: person.name,
                    role: person.isLibrarian ? .editor : .musician),
                sessionToken: nil, deviceMark: nil, visitorAddress: "192.0.2.7", isOwnMachine: false,
                contentType: "application/json", origin: "", body: Array(body.utf8), uploadedFile: nil))
        let fields = (try? JSONSerialization.jsonObject(with: Data(said.body))) as? [String: Any]
        return Answer(status: said.status, code: fields?["code"] as? String)
    }

    @Test func membersReadStatisticsOfScoresThatTheyWereGiven() async throws {
        let room = try await room()
        let routes = RoomStatisticsRoutes(roomHub: stage.hub, analyst: nil, history: RoomHistories()).routes
        func history(_ score: String? = nil, as person: RehearsalRoomUser) async throws -> Answer {
            try await ask(
                routes, .get, "history", room, query: score.map { ["score": $0] } ?? [:], as: person)
        }
        for person in [anna, bert, carl] { #expect(try await history(as: person).status == 200) }
        #expect(try await history(as: dora).status == 403)
        #expect(try await history(finale.description, as: bert).status == 200)
        // Carl was not given the second score; it is refused as one that does not exist.
        for score in [finale.description, "00000000-0000-4000-8000-00000000dead"] {
            let refused = try await history(score, as: carl)
            #expect(refused.status == 404 && refused.code == "no-score")
        }
        for method in [WebRoute.Method.get, .post, .delete] {
            let unknown = try await ask(
                routes, method, "tuning", room, query: ["session": "00000000-0000-4000-8000-000000000001"],
                as: bert)
            #expect(unknown.status == 404 && unknown.code == "no-session", "\(method)")
            #expect(try await ask(routes, method, "tuning", room, as: dora).status == 403, "\(method)")
        }
    }

    @Test func marginsForEverybodyAreSetInRoomsOfTheConcertByLeadersWhoHaveTheScore() async throws {
        let room = try await room()
        let stored = Mutex(0)
        let routes = RoomCropRoutes(roomHub: stage.hub) { _, _ in
            stored.withLock { $0 += 1 }
            return .succeeded
        }.routes
        func crop(
            _ query: [String: String] = [:], _ body: String = #"{"revision":"1"}"#,
            as person: RehearsalRoomUser
        )
            async throws -> Answer
        {
            try await ask(routes, .put, "crop", room, query: query, body: body, as: person)
        }
        #expect(try await crop(as: anna).status == 200)
        for person in [bert, carl, dora] { #expect(try await crop(as: person).status == 403) }
        #expect(
            try await crop(["score": "00000000-0000-4000-8000-00000000dead"], as: anna).code == "no-score")
        #expect(try await crop(["user": bert.id.description], as: anna).code == "other-user")
        #expect(try await crop([:], "{}", as: anna).code == "changed")
        // A leader without the second score decides nothing about it.
        try await stage.send([.setRole(carl.id, .leader)], by: anna, to: room)
        #expect(try await crop(as: carl).status == 200)
        #expect(try await crop(["score": finale.description], as: carl).code == "no-bundle")
        // In a room that is not of the concert, leading is not enough.
        stage.staff.withLock { $0 = [] }
        #expect(try await crop(as: anna).code == "not-allowed")
        stage.leads.withLock { $0 = false }
        #expect(try await crop(as: anna).status == 503)
        #expect(stored.withLock { $0 } == 2)
    }

    @Test func aScoreIsAddedByLeadersWhoHaveItAndOthersLearnNothingOfIt() async throws {
        let room = try await room(playingBoth: false)
        try await stage.send([.setRole(carl.id, .leader)], by: anna, to: room)
        let absent = try await add(roomID(59), by: carl, to: room)
        #expect(try await add(finale, by: carl, to: room) == absent && absent == .noScoreGrant)
        #expect(try await add(finale, by: bert, to: room) == .notAllowed)
        stage.shelf.fail(.diskFull(path: "x"))
        await #expect(throws: Refusal.self) { try await add(finale, by: anna, to: room) }
        stage.shelf.fail(nil)
        #expect(room.programmeScores.withLock { $0.all } == [stage.score.id])
        #expect(try await add(finale, by: anna, to: room) == nil)
        #expect(room.programmeScores.withLock { $0.all } == [stage.score.id, finale])
    }
}
