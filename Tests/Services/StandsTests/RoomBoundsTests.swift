import Rehearsal
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

/// The limits of one user, and the server that has the rooms.
@Suite(.ownThreads) struct RoomBoundsTests {
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    @Test func guessingInOneRoomLeavesTheOtherRoomsOpen() async throws {
        let (one, two) = (
            try await stage.makeRoom(passkey: "one"), try await stage.makeRoom(300, passkey: "two")
        )
        for _ in 0..<5 { _ = try await stage.hub.isPasskey("guess", of: one, bert, from: "10.0.0.2") }
        await #expect(throws: Refusal.self) {
            _ = try await stage.hub.isPasskey("one", of: one, bert, from: "10.0.0.2")
        }
        #expect(try await stage.hub.isPasskey("two", of: two, bert, from: "10.0.0.2"))
        // Persons whose ids differ at their ends only are two.
        #expect(try await stage.hub.isPasskey("one", of: one, carl, from: "10.0.0.3"))
    }

    @Test func moreRoomsThanOneMayOwnAreNotMadeAtOnceEither() async throws {
        let most = 200
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<(most + 20) {
                group.addTask { [stage] in
                    (try? await stage.makeRoom(UInt64(10_000 + 2 * number), published: false)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made <= most)
        #expect(try await stage.hub.allRooms().count == made)
        // Those that were refused for others' sake may be made now.
        for number in 0..<max(most - made, 0) {
            try await stage.makeRoom(UInt64(20_000 + 2 * number), published: false)
        }
        await #expect(throws: Refusal.tooManyRooms(most: most)) {
            try await stage.makeRoom(30_000, published: false)
        }
    }

    @Test func oneMusicianCannotFillTheListOfPublishedRooms() async throws {
        let most = RoomLimits.mostPublishedRooms
        let refusal = Refusal.refused(.tooManyPublishedRooms)
        for number in 0..<most { try await stage.makeRoom(UInt64(10_000 + 2 * number)) }
        await #expect(throws: refusal) { try await stage.makeRoom(20_000) }
        let preparedRoom = try await stage.makeRoom(20_002, published: false)
        let answer = try await stage.send([.setRoomPublished(true)], by: anna, to: preparedRoom)
        #expect(answer.contains { if case .refused = $0 { true } else { false } })
        #expect(await !preparedRoom.isPublished(by: anna.id))
        // Somebody else, and the same musician after closing one, may publish.
        try await stage.makeRoom(30_000, by: bert)
        let first = try await stage.hub.findRoom(roomID(10_000))
        try await stage.send([.setRoomPublished(false)], by: anna, to: first)
        try await stage.send([.setRoomPublished(true)], by: anna, to: preparedRoom)
        #expect(await preparedRoom.isPublished(by: anna.id))
        // Publishing a published room again is no further one.
        let again = try await stage.send([.setRoomPublished(true)], by: anna, to: preparedRoom)
        #expect(!again.contains { if case .refused = $0 { true } else { false } })
    }

    @Test func ofAUsersStandsTheSetupsOfTheNewestAreKeptAndNobodyElsesGo() {
        var setups = StandSetups()
        let setup = StandSetup(part: 0, page: 0, settings: StandSettings())
        func key(_ person: RehearsalRoomUser, _ number: UInt64) -> StandKey {
            StandKey(user: person.id, stand: roomID(number))
        }
        setups[key(bert, 1)] = setup
        for number in 0..<100 { setups[key(anna, UInt64(number))] = setup }
        #expect(setups.count == 17 && setups[key(bert, 1)] != nil)
        #expect(setups[key(anna, 83)] == nil && setups[key(anna, 84)] != nil)
        setups[key(anna, 84)] = setup
        setups[key(anna, 100)] = setup
        #expect(setups[key(anna, 84)] != nil && setups[key(anna, 85)] == nil)
    }

    @Test func standThatWaitsOutsideIsKnownForAlive() async throws {
        let room = try await stage.makeRoom()
        let outside = try await stage.stand(bert, room)
        #expect(try outside.heard().map(\.refusal) == [.notAMember])
        #expect(room.hasStandsOrSession.withLock { $0 })
        await room.disconnectStand(outside.key, outside.stream)
        #expect(!room.hasStandsOrSession.withLock { $0 })
    }

    @Test func roomsThatAnotherProgramWroteAreReadAgainAndTheirStandsSentThere() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.join(bert, room)
        stage.hub.dropAllRooms()
        let again = try await stage.hub.findRoom(room.id)
        #expect(again !== room && stand.stream.isOver)
        #expect(await again.state.content.membership(of: bert.id) != nil)
        await #expect(throws: Refusal.notActiveServer(address: nil)) {
            try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 3))], by: anna, to: room)
        }
        try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 3))], by: anna, to: again)
    }

    @Test func aReadingThatWasOvertakenBringsNoOldRoomBack() async throws {
        let id = try await stage.makeRoom().id
        for _ in 0..<20 {
            stage.hub.startLoading()
            stage.hub.dropAllRooms()
            async let first = stage.hub.findRoom(id)
            async let second = stage.hub.findRoom(id)
            #expect(try await first === second)
        }
    }

    @Test func serverThatDoesNotLeadTouchesNoRoom() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try stage.hub.checkIsActiveServer()
        stage.leads.withLock { $0 = false }
        #expect(throws: Refusal.notActiveServer(address: nil)) { try stage.hub.checkIsActiveServer() }
        let run = Task { await stage.hub.runPeriodicUpkeep() }
        while !stand.stream.isOver { await Task.yield() }
        run.cancel()
    }
}
