import Podium
import Rehearsal
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct RoomHubTests {
    let stage: RoomStage

    init() throws { stage = try RoomStage() }

    private let publicLayer: RemarkLayer.ID = roomID(900)
    private let ownLayer: RemarkLayer.ID = roomID(901)

    private func begin(_ room: RoomActor) async throws {
        try await stage.send(
            [
                .beginSession(roomID(800), publicLayer: publicLayer, performances: []),
                .enterSession(roomID(801), part: 0),
            ], by: anna, to: room)
    }

    // MARK: One order

    @Test func everybodyHearsTheSameInTheSameOrderAndTheSenderGetsReceipts() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let (one, two) = (try await stage.stand(anna, room), try await stage.stand(bert, room))
        _ = (try one.heard(), try two.heard())
        let answers = try await stage.send(
            (0..<4).map { .turnPagesForAll(PageTurnForAll(part: 0, page: $0)) }, by: anna, to: room)
        #expect(answers.compactMap(\.receipt) == [2, 3, 4, 5])
        let heard = try one.heard()
        #expect(heard.compactMap(\.event).map(\.sequence) == [2, 3, 4, 5])
        #expect(try two.heard() == heard)
    }

    @Test func eventsOfManyAtOnceHaveOneOrderForAll() async throws {
        let room = try await stage.makeRoom()
        try await begin(room)
        for person in [bert, carl] { try await stage.join(person, room) }
        let stands = [
            try await stage.stand(anna, room), try await stage.stand(bert, room),
            try await stage.stand(carl, room),
        ]
        for stand in stands { _ = try stand.heard() }
        try await withThrowingTaskGroup { group in
            for (index, person) in [anna, bert, carl].enumerated() {
                group.addTask { [stage, publicLayer] in
                    for number in 0..<40 {
                        let remark = try madeRemark(
                            UInt64(10_000 + 100 * index + number), layer: publicLayer, by: person)
                        try await stage.send([.placeRemark(remark)], by: person, to: room)
                    }
                }
            }
            try await group.waitForAll()
        }
        let heard = try stands.map { try $0.heard().compactMap(\.event).map(\.sequence) }
        #expect(heard[0].count == 120 && heard[0] == heard[0].sorted())
        #expect(heard[1] == heard[0] && heard[2] == heard[0])
    }

    @Test func idIsTakenOnceHoweverOftenItComes() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let act = RoomAct.turnPagesForAll(PageTurnForAll(part: 0, page: 2))
        let first = try await stage.send([act], by: anna, to: room, ids: [roomID(5)])
        let again = try await stage.send([act], by: anna, to: room, ids: [roomID(5)])
        #expect(first == again)
        #expect(try stand.heard().compactMap(\.event).count == 1)
    }

    @Test func whatIsMalformedIsRefusedWithItsIDAndTheRestIsTaken() async throws {
        let room = try await stage.makeRoom()
        let id = RoomEvent.ID.new()
        let body = """
            [{"v":1,"id":"\(id)","turn":[0]},{"v":1,"id":"\(RoomEvent.ID.new())","turn":[0,1]},{"v":2},7]
            """
        let answers = try await room.processMessages(
            ReceivedStandMessage.decodeBody(Array(body.utf8)),
            from: StandKey(user: anna.id, stand: roomID(700)),
            by: stage.hub.makeActingUser(anna, of: room))
        #expect(answers.map(\.refusal) == [.invalid, nil, .invalid, .invalid])
        guard case .refused(let named, _) = answers[0] else {
            Issue.record("\(answers[0])")
            return
        }
        #expect(named == id && answers[1].receipt == 1)
    }

    @Test func moreMessagesThanAStandSendsAreNotRead() throws {
        let many =
            "["
            + Array(repeating: "{}", count: ReceivedStandMessage.mostOfRequest + 1).joined(
                separator: ",")
            + "]"
        #expect(throws: Refusal.self) { try ReceivedStandMessage.decodeBody(Array(many.utf8)) }
        #expect(throws: Refusal.self) { try ReceivedStandMessage.decodeBody(Array("{".utf8)) }
        #expect(throws: Refusal.self) { try ReceivedStandMessage.decodeBody([]) }
    }

    // MARK: Coming back

    @Test func standThatWasAwayGetsWhatItMissedAndNothingTwice() async throws {
        let room = try await stage.makeRoom()
        let first = try await stage.stand(anna, room)
        let seen = try #require(try first.heard().first?.snapshot).seen
        try await stage.send(
            (0..<3).map { .turnPagesForAll(PageTurnForAll(part: 0, page: $0)) }, by: anna, to: room)
        let again = try await stage.stand(anna, room, seen: seen)
        try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 3))], by: anna, to: room)
        #expect(try again.heard().compactMap(\.event).map(\.sequence) == [1, 2, 3, 4])
        #expect(first.stream.isOver, "a second connection of the same stand closes the first")
    }

    @Test func standOfAnotherUserWithTheSameIDClosesNothing() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let one = try await stage.stand(anna, room)
        _ = try await stage.stand(bert, room)
        #expect(!one.stream.isOver)
    }

    @Test func everythingAcknowledgedIsThereAfterTheServerWasKilled() async throws {
        let room = try await stage.makeRoom(passkey: "secret")
        try await begin(room)
        try await stage.send([.openPrivateLayer(ownLayer)], by: anna, to: room)
        let acts: [RoomAct] = [
            .placeRemark(try madeRemark(1_000, layer: publicLayer, by: anna)),
            .placeRemark(try madeRemark(1_001, layer: ownLayer, by: anna)),
            .turnPagesForAll(PageTurnForAll(part: 0, page: 2)),
            .pinpoint(Pinpoint(part: 0, page: 1, point: try PagePoint(x: 5, y: 5), measure: 12)),
        ]
        let first = try await stage.send(
            acts, by: anna, to: room, ids: acts.indices.map { roomID(70 + UInt64($0)) })
        let stand = try await stage.stand(anna, room)
        let before = try #require(try stand.heard().first?.snapshot)
        _ = try await room.processMessages(
            [.message(.turnedPage(page: 3))], from: stand.key, by: stage.hub.makeActingUser(anna, of: room))

        let next = try RoomStage(after: stage)
        let found = try await next.hub.findRoom(room.id)
        let after = try await next.stand(anna, found)
        #expect(try after.heard().first?.snapshot == before)
        #expect(before.content.remarks.count == 1)
        #expect(
            try await next.catalogue.ownRemarks(of: anna.id, in: next.score.id).map(\.id) == [roomID(1_001)])
        #expect(before.content.pinpoint?.measure == 12 && before.content.session?.isRunning == true)
        let home = await found.makeHomeEntry(for: anna.id, holds: true).resumePoint
        #expect(home?.page == 3 && home?.session == roomID(800))
        // Since when, told while no other stand of hers may be the one that turned.
        #expect(home?.at == nil, "another stand of Anna's is connected")
        let asking = await found.makeHomeEntry(for: anna.id, holds: true, asking: after.key.stand).resumePoint
        #expect(try #require(asking?.at).milliseconds > 1_790_000_000_000)
        #expect(await found.passkeyHash != nil)
        // The old server's ids are known to the new one.
        let again = try await next.send([acts[2]], by: anna, to: found, ids: [roomID(72)])
        #expect(again == [first[2]])
        #expect(try after.heard().isEmpty)
        // And no number is given a second time.
        let new = try await next.send(
            [.turnPagesForAll(PageTurnForAll(part: 0, page: 1))], by: anna, to: found)
        #expect(try #require(new.first?.receipt) > 1_000_000)
    }

    @Test func wholeRoomIsNotWrittenAtEachEvent() async throws {
        let room = try await stage.makeRoom()
        for page in 0..<100 {
            try await stage.send(
                [.turnPagesForAll(PageTurnForAll(part: 0, page: page % 4))], by: anna, to: room)
        }
        let stored = try #require(try await stage.hub.store.room(room.id.description))
        #expect(stored.eventsAfterState.count == 100)
        try await stage.send(
            (0..<200).map { .turnPagesForAll(PageTurnForAll(part: 0, page: $0 % 4)) }, by: anna, to: room)
        try await stage.send(
            (0..<200).map { .turnPagesForAll(PageTurnForAll(part: 0, page: $0 % 4)) }, by: anna, to: room)
        // Made ready beside; comes to the disk soon after.
        let isWritten = try await eventually {
            try await stage.hub.store.room(room.id.description)?.eventsAfterState.count == 0
        }
        #expect(isWritten)
        let written = try #require(try await stage.hub.store.room(room.id.description))
        #expect(written.eventsAfterState.isEmpty)
        #expect(try RoomState(written).sequence == 500)
    }

    @Test func whatCannotBeWrittenIsNeitherAnsweredNorDelivered() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        // An event of that number is on the disk: the next one cannot be written.
        try await stage.hub.store.write(
            [.event(sequence: 1, json: RoomJSON.encode(["v": 1]))], room: room.id.description)
        await #expect(throws: Refusal.roomUnavailable) {
            try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 2))], by: anna, to: room)
        }
        #expect(try stand.heard().isEmpty && stand.stream.isOver)
    }

    // MARK: Rights

    @Test func memberTurnsForNobodyAndStrangersAreTold() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        #expect(
            try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 1))], by: bert, to: room)
                .first?.refusal
                == .notAllowed)
        let stranger = try await stage.stand(carl, room)
        #expect(try stranger.heard().map(\.refusal) == [.notAMember])
        stage.shelf.takeBack(stage.score.id, from: carl.id)
        #expect(try await stage.stand(carl, room).heard().map(\.refusal) == [.noScoreGrant])
    }

    @Test func privateLayerOfARoomIsItsAuthorsOwnInTheScore() async throws {
        let room = try await stage.makeRoom()
        try await begin(room)
        try await stage.join(bert, room)
        try await stage.send([.openPrivateLayer(ownLayer)], by: anna, to: room)
        let other = try await stage.stand(bert, room)
        _ = try other.heard()
        let remark = try madeRemark(1_001, layer: ownLayer, by: anna)
        let edit = RemarkEdit(remark.id, page: 1)
        let answers = try await stage.send([.placeRemark(remark), .editRemark(edit)], by: anna, to: room)
        #expect(answers.allSatisfy { $0.receipt != nil })
        #expect(
            try await stage.send([.eraseRemark(remark.id)], by: bert, to: room).first?.refusal == .noRemark)
        #expect(try other.heard().isEmpty, "nobody else hears of it")
        let own = try await stage.catalogue.ownRemarks(of: anna.id, in: stage.score.id)
        #expect(own.map(\.id) == [remark.id] && own.first?.page == 1)
        #expect(try await stage.catalogue.ownRemarks(of: bert.id, in: stage.score.id).isEmpty)
    }

    @Test func whoIsPutOutHearsNothingMoreAndComesBackWhenLetIn() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let stand = try await stage.stand(bert, room)
        _ = try stand.heard()
        try await stage.send(
            [.expelMember(bert.id), .turnPagesForAll(PageTurnForAll(part: 0, page: 1))], by: anna, to: room)
        #expect(try stand.heard().map(\.refusal) == [.expelled])
        #expect(!stand.stream.isOver)
        try await stage.send([.readmitMember(bert.id)], by: anna, to: room)
        #expect(stand.stream.isOver, "it is closed so that it comes back and gets everything")
    }

    @Test func scoreTakenBackIsClosedOnTheStand() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let stand = try await stage.stand(bert, room)
        _ = try stand.heard()
        stage.shelf.takeBack(stage.score.id, from: bert.id)
        await stage.hub.refreshRights(room)
        #expect(try stand.heard().map(\.refusal) == [.noScoreGrant])
        try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 1))], by: anna, to: room)
        #expect(try stand.heard().isEmpty)
    }

    @Test func ofTwoOwnersAfterAReconnectOnlyTheNewOneIs() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        try await stage.send([.handOverRoom(bert.id)], by: anna, to: room)
        // Made by Anna while she was away and still thought she was.
        let late = try await stage.send([.renameRoom("Mine"), .handOverRoom(carl.id)], by: anna, to: room)
        #expect(late.map(\.refusal) == [.notAllowed, .notAllowed])
        #expect(try await stage.send([.renameRoom("His")], by: bert, to: room).first?.receipt == 3)
    }

    @Test func removedRoomIsGoneForAll() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        await #expect(throws: Refusal.self) { try await stage.hub.removeRoom(room.id, by: bert) }
        try await stage.hub.removeRoom(room.id, by: anna)
        #expect(stand.stream.isOver)
        await #expect(throws: Refusal.noRoom) { _ = try await stage.hub.findRoom(room.id) }
        await #expect(throws: Refusal.noRoom) {
            try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 1))], by: anna, to: room)
        }
        #expect(try await RoomStage(after: stage).hub.allRooms().isEmpty)
    }
}
