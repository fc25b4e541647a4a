import Rehearsal
import Testing

@Suite struct RoomListsTests {
    @Test func roomsAreThreeLists() throws {
        func room(_ number: UInt64, _ name: String, owner: ActingUser, published: Bool = true) throws
            -> RoomState
        {
            RoomState(
                room: try RehearsalRoom(
                    id: id(number), score: scoreID, name: name, passkeyHash: nil, owner: owner.user,
                    isPublished: published), owner: id(20), ownerName: owner.name, pageCounts: [4])
        }
        var joined = try room(3, "Übung", owner: anna)
        _ = try joined.process(RoomEvent(id: id(1), act: .joinRoom(id(22))), by: bert, at: .zero)
        let rooms = [
            try room(1, "mine, being prepared", owner: bert, published: false),
            try room(2, "Other", owner: anna),
            joined, try room(4, "Hidden", owner: anna, published: false),
        ]
        let bundles = [Rehearsal.ScoreGrant(id: id(1), user: bert.user, score: scoreID)]
        let lists = RoomLists(of: bert.user, rooms: rooms, bundles: bundles)
        #expect(lists.owned.map(\.id) == [id(1)])
        #expect(lists.joined.map(\.id) == [id(3)])
        #expect(lists.notJoined.map(\.id) == [id(2)])
        #expect(json(lists.joined[0]).contains(#""name":{"pieces":[{"isMatch":false,"text":"Übung"}]}"#))
        let none = RoomLists(of: bert.user, rooms: rooms, bundles: [])
        #expect(none.owned.isEmpty && none.joined.isEmpty && none.notJoined.isEmpty)
    }
}
