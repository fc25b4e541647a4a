import Rehearsal
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers

/// Texts of remarks in rooms are found by those who may see them.
@Suite(.ownThreads) struct RoomFindingTests {
    @Test func publicTextsAreFoundByMembersPrivateOnesByTheirAuthorAndNoneByStrangers() async throws {
        let stage = try RoomStage()
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        try await stage.send(
            [.beginSession(roomID(800), publicLayer: roomID(900), performances: [])], by: anna, to: room)
        try await stage.send([.openPrivateLayer(roomID(901))], by: bert, to: room)
        for (number, layer, text) in [(UInt64(1), UInt64(900), "dolce"), (2, 901, "dolce, but I rush")] {
            let remark = Remark(
                id: roomID(number), layer: roomID(layer), author: bert.id, part: 0, page: 0,
                anchor: try PagePoint(x: 1, y: 2), shape: .text(try RemarkText(text)))
            try await stage.send([.placeRemark(remark)], by: bert, to: room)
        }
        func found(_ person: RehearsalRoomUser) async -> Int {
            await stage.hub.findTexts(for: person) { $0.contains("dolce") }.count
        }
        #expect(await found(bert) == 2)
        #expect(await found(anna) == 1)
        #expect(await found(carl) == 0, "not a member")
        stage.shelf.takeBack(stage.score.id, from: bert.id)
        #expect(await found(bert) == 0, "the score was taken back")
    }
}
