import Rehearsal
import Testing
import WebServer

@testable import Hosting
@testable import Stands

/// Rooms that are made, and who may come in.
extension RoomHubTests {
    @Test func roomIsMadeOnceAndOnlyFromAScoreOnesOwn() async throws {
        let first = try await stage.makeRoom()
        #expect(try await stage.makeRoom() === first)
        await #expect(throws: Refusal.idAlreadyUsed) { try await stage.makeRoom(by: bert) }
        let stranger = RehearsalRoomUser(id: roomID(8), name: "Nobody")
        await #expect(throws: Refusal.self) { try await stage.makeRoom(300, by: stranger) }
        _ = try await stage.makeRoom(400, by: librarian)
    }

    @Test func wrongPasskeysAreSlowedDownAndTheRightOneJoins() async throws {
        let room = try await stage.makeRoom(passkey: "Ode an die Freude")
        #expect(
            try await stage.send([.joinRoom(roomID(202))], by: bert, to: room).first?.refusal == .wrongPasskey
        )
        for _ in 0..<5 {
            #expect(try await stage.hub.isPasskey("guess", of: room, bert, from: "10.0.0.2") == false)
        }
        do throws(Refusal) {
            _ = try await stage.hub.isPasskey("Ode an die Freude", of: room, bert, from: "10.0.0.2")
            Issue.record("the sixth try is not slowed down")
        } catch {
            #expect(error == .mustWaitForPasskeyCheck(milliseconds: 1_000))
        }
        stage.showMilliseconds.withLock { $0 += 1_000 }
        #expect(try await stage.hub.isPasskey("Ode an die Freude", of: room, bert, from: "10.0.0.2"))
        #expect(try await stage.hub.isPasskey("Ode an die Freude", of: room, carl, from: "10.0.0.3"))
        let member = try await stage.hub.makeActingUser(carl, of: room, knowsPasskey: true)
        let event = RoomEvent(id: .new(), act: .joinRoom(roomID(203)))
        let answers = try await room.processMessages(
            [.message(.event(event))], from: StandKey(user: carl.id, stand: roomID(1)), by: member)
        #expect(answers.first?.receipt == 1)
    }

    @Test func newPasskeySurvivesAndNoneOpensTheRoom() async throws {
        let room = try await stage.makeRoom(passkey: "old")
        let member = try await stage.hub.makeActingUser(anna, of: room)
        try await room.replacePasskey(by: stage.hub.hashPasskey("new", by: anna), by: member)
        let next = try RoomStage(after: stage)
        let found = try await next.hub.findRoom(room.id)
        #expect(try await next.hub.isPasskey("new", of: found, bert, from: "a"))
        #expect(try await next.hub.isPasskey("old", of: found, bert, from: "a") == false)
        try await found.replacePasskey(by: next.hub.hashPasskey(nil, by: anna), by: member)
        #expect(try await next.send([.joinRoom(roomID(202))], by: bert, to: found).first?.receipt != nil)
    }
}
