import Rehearsal
import Synchronization
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct RoomCropTests {
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    @Test func onlyLeadersSetMargins() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        for (person, may) in [(anna, true), (bert, false), (carl, false)] {
            let member = try await stage.hub.makeActingUser(person, of: room)
            do {
                try await room.requireLeader(member)
                #expect(may, "\(person.name)")
            } catch let refusal as Refusal {
                #expect(!may && refusal.sentence.count > 10, "\(person.name)")
            }
        }
        try await stage.send([.setRole(bert.id, .leader)], by: anna, to: room)
        try await room.requireLeader(stage.hub.makeActingUser(bert, of: room))
        try await stage.send([.expelMember(bert.id)], by: anna, to: room)
        await #expect(throws: Refusal.self) {
            try await room.requireLeader(stage.hub.makeActingUser(bert, of: room))
        }
    }

    @Test func standsOfferMarginsToThoseAloneWhoMaySetThem() async throws {
        for (number, owner) in [(100, anna), (300, bert)] as [(UInt64, RehearsalRoomUser)] {
            let room = try await stage.makeRoom(number, by: owner)
            try await stage.join(owner == anna ? bert : anna, room)
            try await stage.join(carl, room)
            try await stage.send([.setRole(carl.id, .leader)], by: owner, to: room)
            // Anna works on the concert, Bert does not: in his room nobody decides for the whole orchestra.
            for (person, may) in [(anna, owner == anna), (bert, false), (carl, owner == anna)] {
                let member = try await stage.hub.makeActingUser(person, of: room)
                let isOffered = await room.maySetMargins(person, member, of: stage.score.id)
                #expect(isOffered == may, "\(person.name) in \(owner.name)'s room")
                let isOfferedAnother = await room.maySetMargins(person, member, of: roomID(51))
                #expect(!isOfferedAnother)
            }
        }
    }

    @Test func standsAreToldOfANewEditionAndKeepTheirPage() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, page: 2, on: stand, in: room, by: anna)
        let old = stage.score
        let order = try PartLayout(pages: [3, 2, 4, 0].map { LaidPage(page: $0) }, count: 4)
        let new = try Rehearsal.Score(
            id: old.id, title: old.title, movements: old.movements,
            parts: [old.parts[0].laid(order), old.parts[1]])
        await room.adoptScoreEdition(new)
        let told = try stand.heard()
        #expect(told.contains(.scoreChanged))
        // The empty page can be turned to; a page that the part does not have cannot.
        for (page, isTaken) in [(4, true), (3, true), (5, false), (-1, false)] {
            let answer = try await stage.send(
                [.turnPagesForAll(PageTurnForAll(part: 0, page: page))], by: anna, to: room)
            if case .refused = answer[0] { #expect(!isTaken, "\(page)") } else { #expect(isTaken, "\(page)") }
        }
    }
}
