import Podium
import Rehearsal
import Testing

@Suite struct RoomTests {
    @Test func ownerIsTheFirstMemberOfARoom() {
        let hall = Hall()
        #expect(hall.state.content.membership(of: anna.user)?.role == .owner)
        #expect(hall.view(anna)?.members.count == 1)
    }

    @Test func joiningNeedsTheScoreAndThePasskey() {
        var hall = Hall()
        var stranger = bert
        stranger.hasScoreGrant = false
        #expect(hall.refused(.joinRoom(id(21)), stranger) == .noScoreGrant)
        stranger.hasScoreGrant = true
        stranger.knowsPasskey = false
        #expect(hall.refused(.joinRoom(id(21)), stranger) == .wrongPasskey)
        hall.say(.joinRoom(id(21)), bert)
        #expect(hall.state.content.membership(of: bert.user)?.role == .member)
        // The passkey is asked for once.
        #expect((try? hall.state.snapshot(for: stranger)) != nil)
    }

    @Test func aRoomWithoutPasskeyIsOpenToWhoeverHasTheScore() {
        var hall = Hall(passkey: nil)
        var guest = bert
        guest.knowsPasskey = false
        #expect(hall.refused(.joinRoom(id(21)), guest) == nil)
    }

    @Test func joiningTwiceIsOneMembership() {
        var hall = Hall()
        hall.say(.joinRoom(id(21)), bert)
        #expect(delivered(hall.say(.joinRoom(id(22)), bert)).isEmpty)
        #expect(hall.state.content.members.count == 2)
    }

    @Test func whoeverLosesTheScoreSeesNothingAnyMore() {
        let hall = Hall.rehearsing()
        var bert = bert
        bert.hasScoreGrant = false
        #expect(throws: RoomRefusal.self) { try hall.state.snapshot(for: bert) }
        #expect(throws: RoomRefusal.self) {
            try hall.state.catchUp(from: EventCursor(sharedSequence: 1), for: bert)
        }
    }

    @Test func aRoomBeingPreparedIsSeenByItsOwnerAlone() {
        var hall = Hall(published: false)
        #expect(hall.refused(.joinRoom(id(21)), bert) == .notPublished)
        hall.say(.beginSession(id(30), publicLayer: publicLayer, performances: []), anna)
        let remark = hall.remark(by: anna)
        hall.say(.placeRemark(remark), anna)
        hall.say(.setRoomPublished(true), anna)
        hall.say(.joinRoom(id(21)), bert)
        #expect(hall.view(bert)?.remarks.contains(remark.id) == true)
    }

    @Test func takingARoomBackClosesItForTheOthers() {
        var hall = Hall.rehearsing()
        let effects = hall.say(.setRoomPublished(false), anna)
        guard case .disconnect(let users, let refusal) = effects.last else {
            Issue.record("nobody is shut out")
            return
        }
        #expect(Set(users) == [bert.user, carl.user])
        #expect(refusal.code == .notPublished)
        #expect(hall.view(bert) == nil)
        #expect(hall.view(anna) != nil)
        #expect(hall.refused(.leaveSession, bert) == .notPublished)
    }

    @Test func passkeyNeverLeavesTheServer() throws {
        var hall = Hall.rehearsing()
        for member in [anna, bert] {
            #expect(!json(try hall.state.snapshot(for: member)).contains("hash"))
        }
        #expect(throws: RoomRefusal.self) { try hall.state.replacePasskey(by: "other", by: bert) }
        try hall.state.replacePasskey(by: "other", by: anna)
        #expect(hall.state.content.room.passkeyHash == "other")
    }

    @Test func onlyTheOwnerAndLeadersTurnForAll() throws {
        var hall = Hall.rehearsing()
        let turn = PageTurnForAll(part: 0, page: 3)
        #expect(hall.refused(.turnPagesForAll(turn), bert) == .notAllowed)
        let events = delivered(hall.say(.turnPagesForAll(turn), anna))
        #expect(events.map(\.act) == [.turnPagesForAll(turn)])
        #expect(hall.state.maySee(events[0], by: carl))
        hall.say(.setRole(bert.user, .leader), anna)
        hall.say(.turnPagesForAll(PageTurnForAll(part: 1, page: 1)), bert)
        #expect(hall.view(carl)?.turn == PageTurnForAll(part: 1, page: 1))
        hall.say(.setRole(bert.user, .member), anna)
        #expect(hall.refused(.turnPagesForAll(turn), bert) == .notAllowed)
    }

    @Test func aPageThatIsNotThereIsRefused() {
        var hall = Hall.rehearsing()
        for turn in [(0, 4), (0, -1), (2, 0), (-1, 0), (1, Int.max)] {
            #expect(
                hall.refused(.turnPagesForAll(PageTurnForAll(part: turn.0, page: turn.1)), anna) == .noPage)
        }
    }

    @Test func pinpointReachesAllAndTellsThePodium() throws {
        var hall = Hall.rehearsing()
        let point = Pinpoint(part: 0, page: 1, point: PagePoint(nearX: 0.5, nearY: 0.2), measure: 13)
        #expect(hall.refused(.pinpoint(point), bert) == .notAllowed)
        let effects = hall.say(.pinpoint(point), anna)
        #expect(effects.last == .podiumCommand(.beginMeasureNow(.printedMeasure(13, time: nil)), movement: 0))
        #expect(hall.view(carl)?.pinpoint == point)
        hall.say(.endPinpoint, anna)
        #expect(hall.view(carl)?.pinpoint == nil)
    }

    @Test func aRoomHasOneOwnerWhoeverThinksSo() {
        var hall = Hall.rehearsing()
        #expect(hall.refused(.setRole(bert.user, .owner), anna) == .notAllowed)
        #expect(hall.refused(.handOverRoom(bert.user), bert) == .notAllowed)
        hall.say(.handOverRoom(bert.user), anna)
        // Anna's stand was away and still believes.
        #expect(hall.refused(.handOverRoom(carl.user), anna) == .notAllowed)
        #expect(hall.refused(.setRoomPublished(false), anna) == .notAllowed)
        #expect(hall.state.content.members.elements.filter { $0.role == .owner }.map(\.user) == [bert.user])
        #expect(hall.state.content.membership(of: anna.user)?.role == .leader)
    }

    @Test func whoeverIsPutOutStaysOutUntilLetIn() {
        var hall = Hall.rehearsing()
        #expect(hall.refused(.expelMember(bert.user), carl) == .notAllowed)
        #expect(hall.refused(.expelMember(anna.user), anna) == .notAllowed)
        hall.say(.expelMember(bert.user), anna)
        #expect(hall.view(bert) == nil)
        #expect(hall.refused(.joinRoom(id(99)), bert) == .expelled)
        #expect(hall.state.content.participation(of: bert.user) == nil)
        hall.say(.readmitMember(bert.user), anna)
        #expect(hall.view(bert) != nil)
    }

    @Test func aSessionHasOnePublicLayerAndAPrivateOneIsTakenForTheScores() {
        var hall = Hall.rehearsing()
        #expect(delivered(hall.say(.openPrivateLayer(id(999)), bert)).isEmpty)
        #expect(hall.refused(.beginSession(id(31), publicLayer: id(901), performances: []), anna) == .notNow)
        #expect(hall.refused(.endSession, bert) == .notAllowed)
        hall.say(.endSession, anna)
        #expect(hall.refused(.enterSession(id(99), part: 0), bert) == .notNow)
        #expect(hall.refused(.openPrivateLayer(id(998)), bert) == .notNow)
        #expect(hall.state.content.participations.elements.allSatisfy { $0.left != nil })
        hall.say(.beginSession(id(31), publicLayer: id(901), performances: []), anna)
        // Remarks of earlier sessions stay.
        #expect(hall.state.content.layers.count == 2)
        #expect(hall.state.content.participations.isEmpty)
    }

    @Test func participationIsTheTimeInTheSession() {
        var hall = Hall.rehearsing()
        hall.say(.leaveSession, bert)
        #expect(hall.refused(.leaveSession, bert) == .notNow)
        hall.say(.enterSession(id(99), part: 1), bert)
        hall.say(.enterSession(id(98), part: 0), bert)
        let mine = hall.state.content.participations.elements.filter { $0.user == bert.user }
        #expect(mine.map(\.id) == [id(42), id(99)])
        #expect(mine.map { $0.left == nil } == [false, true])
        #expect(mine[1].part == 0)
        #expect(hall.refused(.enterSession(id(97), part: 2), bert) == .noPage)
    }

    @Test func afterACrashAStandIsBackWithNothingToPress() throws {
        var hall = Hall.rehearsing()
        hall.state.recordShownPage(ShownPage(user: bert.user, part: 0, page: 3))
        hall.state.recordShownPage(ShownPage(user: bert.user, part: 0, page: 77))
        let restored = try back(json(hall.state), as: RoomState.self)
        #expect(restored == hall.state)
        let place = try #require(StandResumePoint.latest(of: bert.user, in: [Hall().state, restored]))
        #expect((place.room, place.session, place.part, place.page) == (id(10), id(30), 0, 3))
        hall.say(.leaveSession, bert)
        #expect(hall.state.resumePoint(of: bert.user) == nil)
    }

    @Test func aPageKeepsTheTimeItCameToLieThere() throws {
        var hall = Hall.rehearsing()
        func at(_ page: Int, _ time: Int64) -> CalendarTime? {
            hall.state.recordShownPage(
                ShownPage(user: bert.user, part: 0, page: page, at: CalendarTime(milliseconds: time)))
        }
        #expect(at(2, 500)?.milliseconds == 500)
        // A stand that comes back says again what lies there.
        #expect(at(2, 900)?.milliseconds == 500)
        #expect(hall.state.resumePoint(of: bert.user)?.at?.milliseconds == 500)
        #expect(at(3, 950)?.milliseconds == 950)
        #expect(at(77, 999) == nil)
        #expect(hall.state.resumePoint(of: bert.user)?.page == 3)
    }

    @Test func aReplayedLogIsTheSameRoom() {
        var hall = Hall.rehearsing()
        var copy = RoomState(
            room: hall.state.content.room, owner: id(20), ownerName: "Anna", pageCounts: [4, 2])
        var log: [SequencedEvent] = []
        var again = Hall()
        for member in [bert, carl] {
            log += delivered(again.say(.joinRoom(id(20 + member.user.low & 0xFF)), member))
        }
        log += delivered(again.say(.beginSession(id(30), publicLayer: publicLayer, performances: []), anna))
        let remark = hall.remark(by: anna)
        log += delivered(again.say(.placeRemark(remark), anna))
        log += delivered(again.say(.eraseRemark(remark.id), anna))
        for event in log + log { copy.applyAcceptedEvent(event) }
        #expect(copy == again.state)
    }

    @Test func namesAreCheckedAndTrimmed() {
        var hall = Hall()
        hall.say(.renameRoom("  Tutti \t"), anna)
        #expect(hall.state.content.room.name == "Tutti")
        for name in ["", "  ", "a\nb", String(repeating: "x", count: 201)] {
            #expect(hall.refused(.renameRoom(name), anna) == .invalid)
        }
    }

    @Test func pagesThatComeLaterCanBeTurnedToInAnOldRoom() {
        var hall = Hall.rehearsing()
        #expect(hall.refused(.turnPagesForAll(PageTurnForAll(part: 2, page: 0)), anna) == .noPage)
        #expect(hall.refused(.turnPagesForAll(PageTurnForAll(part: 1, page: 2)), anna) == .noPage)
        hall.state.renew(pageCounts: [4, 3, 1])
        hall.say(.turnPagesForAll(PageTurnForAll(part: 2, page: 0)), anna)
        hall.say(.turnPagesForAll(PageTurnForAll(part: 1, page: 2)), anna)
        hall.say(.enterSession(id(777), part: 2), bert)
        #expect(hall.view(bert)?.participation(of: bert.user)?.part == 2)
    }
}
