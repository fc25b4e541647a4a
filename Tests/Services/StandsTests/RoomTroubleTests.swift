import Foundation
import Rehearsal
import Testing

@testable import Catalogue
@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

/// A failed look-up is no “no”: nothing is refused for good, and nothing changes.
@Suite(.ownThreads) struct RoomTroubleTests {
    private let fault = CatalogueError.busy(path: "catalogue.sqlite")
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    @Test func whoCannotBeLookedUpIsAskedToComeAgain() async throws {
        let room = try await stage.makeRoom()
        stage.shelf.fail(fault)
        await #expect(throws: Refusal.storeFailed(fault)) {
            try await stage.hub.makeActingUser(anna, of: room)
        }
        await #expect(throws: Refusal.storeFailed(fault)) { try await stage.hub.scores(of: anna.id) }
        await #expect(throws: Refusal.storeFailed(fault)) { try await stage.makeRoom(120) }
        #expect(Refusal.storeFailed(fault).response.status == 503)
        #expect(Refusal.storeFailed(fault).code == "not-stored")
        // A librarian's right is not looked up.
        #expect(try await stage.hub.makeActingUser(librarian, of: room).hasScoreGrant)
    }

    @Test func standStaysInsideWhileRightsCannotBeLookedUp() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        stage.shelf.takeBack(stage.score.id, from: anna.id)
        stage.shelf.fail(fault)
        await stage.hub.refreshRights(room)
        #expect(try stand.heard().isEmpty)
        stage.shelf.fail(nil)
        await stage.hub.refreshRights(room)
        #expect(try stand.heard().contains { $0.refusal == .noScoreGrant })
    }

    @Test func roomsThatCannotBeReadAtTheStartAreReadWhenTheyCanBe() async throws {
        try await stage.makeRoom()
        let store = try RehearsalRoomStore(path: stage.folder.path + "/rooms.sqlite")
        try await store.hide("room")
        let next = try RoomStage(after: stage)
        for _ in 0..<2 {
            do throws(Refusal) {
                _ = try await next.hub.findRoom(roomID(100))
                Issue.record("there is no room")
            } catch {
                #expect(error.code == "not-stored" && error.response.status == 503)
            }
        }
        await #expect(throws: Refusal.self) { try await next.hub.allRooms() }
        try await store.show("room")
        #expect(try await next.hub.findRoom(roomID(100)).id == roomID(100))
        #expect(try await next.hub.waitUntilRoomsLoaded().isEmpty)
    }

    @Test func roomThatOneVersionCannotReadIsNotGone() async throws {
        try await stage.makeRoom()
        let store = try RehearsalRoomStore(path: stage.folder.path + "/rooms.sqlite")
        try await store.spoil("room")
        let next = try RoomStage(after: stage)
        #expect(try await next.hub.waitUntilRoomsLoaded().count == 1)
        await #expect(throws: Refusal.roomUnavailable) { try await next.hub.findRoom(roomID(100)) }
        await #expect(throws: Refusal.noRoom) { try await next.hub.findRoom(roomID(9)) }
    }
}

extension RehearsalRoomStore {
    fileprivate func hide(_ table: String) async throws {
        try await pool.write { db in try db.execute(sql: "ALTER TABLE \(table) RENAME TO hidden") }
    }

    fileprivate func show(_ table: String) async throws {
        try await pool.write { db in try db.execute(sql: "ALTER TABLE hidden RENAME TO \(table)") }
    }

    fileprivate func spoil(_ table: String) async throws {
        try await pool.write { db in try db.execute(sql: "UPDATE \(table) SET state = '{}'") }
    }
}
