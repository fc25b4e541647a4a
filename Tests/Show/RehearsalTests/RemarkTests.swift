import Rehearsal
import Testing

@Suite struct RemarkTests {
    @Test func aPublicRemarkIsSeenByAllAndAPrivateOneIsNotTheRooms() throws {
        var hall = Hall.rehearsing()
        let open = hall.remark(by: bert)
        let secret = hall.remark(by: bert, on: id(910))
        hall.say(.placeRemark(open), bert)
        for member in [anna, bert, carl] { #expect(hall.view(member)?.remarks.elements == [open]) }
        // On a layer that no session has opened, it is its author's own in the score.
        let request = try #require(try hall.request(.placeRemark(secret), bert))
        #expect(!request.isOfRoom && request.score == scoreID)
        guard case .placeRemark(let own) = request.event.act else { throw Unexpected() }
        #expect(own == secret.moved(to: ScoreLayer.ownID(of: bert.user), of: nil, session: nil))
        #expect(delivered(hall.say(.placeRemark(secret), bert)).isEmpty)
        #expect(hall.view(carl)?.remarks.elements == [open])
        #expect(hall.refused(.placeRemark(secret), carl) == .notYours, "in another's name")
    }

    private struct Unexpected: Error {}

    @Test func whatIsWrittenInTheRoomBelongsToTheScoreAndItsSession() throws {
        var hall = Hall.rehearsing()
        let open = hall.remark(by: bert)
        let request = try #require(try hall.request(.placeRemark(open), bert))
        let filed = open.moved(to: roomLayer, of: nil, session: id(30))
        #expect(request.event.act == .placeRemark(filed) && request.isOfRoom && request.score == scoreID)
        hall.say(.placeRemark(open), bert)
        #expect(try hall.request(.eraseRemark(open.id), bert)?.event.act == .eraseRemark(open.id))
        #expect(hall.refused(.eraseRemark(open.id), anna) == .notYours)
        #expect(try hall.request(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)), anna) == nil)
        #expect(hall.state.remarksToCarry(of: scoreID, layer: roomLayer) == [ScoreWriter.KnownRemark(filed)])
        hall.say(.eraseRemark(open.id), bert)
        #expect(
            hall.state.remarksToCarry(of: scoreID, layer: roomLayer)
                == [ScoreWriter.KnownRemark(filed, isErased: true)])
    }

    @Test func aRoomAdoptsWhatItsScoreHas() throws {
        var hall = Hall.rehearsing()
        let (kept, changed, gone) = (hall.remark(by: bert), hall.remark(by: bert), hall.remark(by: carl))
        for (remark, member) in [(kept, bert), (changed, bert), (gone, carl)] {
            hall.say(.placeRemark(remark), member)
        }
        let new = hall.remark(by: anna)
        var rows = [kept, changed, new].map { $0.moved(to: roomLayer, of: nil, session: id(30)) }
        rows[1].page = 2
        rows[1].parts = .all
        let events = hall.state.adopt(rows, of: scoreID, at: .zero)
        #expect(events.map(\.author) == [carl.user, bert.user, anna.user])
        do {
            let seen = try #require(hall.view(carl)?.remarks[changed.id])
            #expect(seen.page == 2 && seen.parts == .all && seen.layer == publicLayer && seen.session == nil)
        }
        #expect(
            hall.view(carl)?.remarks.elements.map { $0.id }.sorted()
                == [kept, changed, new].map { $0.id }.sorted())
        #expect(hall.state.adopt(rows, of: scoreID, at: .zero).isEmpty, "it is the same now")
    }

    @Test func nobodyWritesOnAnothersLayerOrInAnothersName() {
        var hall = Hall.rehearsing()
        #expect(hall.refused(.placeRemark(hall.remark(by: carl)), bert) == .notYours)
        hall.say(.placeRemark(hall.remark(by: bert, on: ScoreLayer.ownID(of: carl.user))), bert)
        #expect(hall.view(carl)?.remarks.isEmpty == true, "what names another layer is his own")
        #expect(hall.refused(.placeRemark(hall.remark(by: bert, page: 4)), bert) == .noPage)
    }

    @Test func onlyTheAuthorMovesEditsAndErases() {
        var hall = Hall.rehearsing()
        let open = hall.remark(by: bert)
        hall.say(.placeRemark(open), bert)
        for act in [RoomAct.editRemark(RemarkEdit(open.id, page: 1)), .eraseRemark(open.id)] {
            #expect(hall.refused(act, anna) == .notYours)
        }
        hall.say(.editRemark(RemarkEdit(open.id, page: 1, anchor: PagePoint(nearX: 1, nearY: 0))), bert)
        #expect(hall.view(carl)?.remarks[open.id]?.anchor == PagePoint(nearX: 1, nearY: 0))
        #expect(hall.refused(.editRemark(RemarkEdit(open.id, page: 9)), bert) == .noPage)
        hall.say(.eraseRemark(open.id), bert)
        #expect(hall.view(carl)?.remarks.isEmpty == true)
    }

    @Test func ofTwoEditsTheLaterWinsFieldByField() throws {
        var hall = Hall.rehearsing()
        let remark = hall.remark(by: bert)
        hall.say(.placeRemark(remark), bert)
        let red = try Ink(colour: "#FF0000", width: 40)
        hall.say(.editRemark(RemarkEdit(remark.id, page: 1, ink: red)), bert)
        hall.say(.editRemark(RemarkEdit(remark.id, page: 2, shape: .stamp(.forte))), bert)
        let now = try #require(hall.view(anna)?.remarks[remark.id])
        #expect(now.page == 2)
        #expect(now.ink == red)
        #expect(now.ink.colour == "#ff0000")
        #expect(now.shape == .stamp(.forte))
    }

    @Test func anErasedRemarkIsNotEditedButCanBeBroughtBack() {
        var hall = Hall.rehearsing()
        let remark = hall.remark(by: bert)
        hall.say(.placeRemark(remark), bert)
        hall.say(.eraseRemark(remark.id), bert)
        #expect(hall.refused(.editRemark(RemarkEdit(remark.id, page: 1)), bert) == .noRemark)
        #expect(hall.refused(.eraseRemark(remark.id), bert) == .noRemark)
        #expect(hall.refused(.restoreRemark(remark.id), carl) == .noRemark)
        hall.say(.restoreRemark(remark.id), bert)
        #expect(hall.view(anna)?.remarks[remark.id] == remark)
    }

    @Test func anEventIsTakenOnceHoweverOftenItArrives() {
        var hall = Hall.rehearsing()
        let remark = hall.remark(by: bert)
        let first = delivered(hall.say(.placeRemark(remark), bert, id: id(7)))[0]
        let before = hall.state
        #expect(
            hall.say(.placeRemark(remark), bert, id: id(7)) == [.receipt(id(7), sequence: first.sequence)])
        #expect(hall.state == before)
        // Its remark tells, too, when the event's id was forgotten.
        #expect(delivered(hall.say(.placeRemark(remark), bert, id: id(8))).isEmpty)
        #expect(hall.state.content.remarks.count == 1)
    }

    @Test func aLateCopyOfAnEditTakesNothingBack() {
        var hall = Hall.rehearsing()
        let remark = hall.remark(by: bert)
        hall.say(.placeRemark(remark), bert)
        let first = delivered(hall.say(.editRemark(RemarkEdit(remark.id, page: 1)), bert, id: id(7)))[0]
        hall.say(.editRemark(RemarkEdit(remark.id, page: 2)), bert)
        let copy = hall.say(.editRemark(RemarkEdit(remark.id, page: 1)), bert, id: id(7))
        #expect(copy == [.receipt(id(7), sequence: first.sequence)])
        #expect(hall.state.content.remarks[remark.id]?.page == 2)
    }

    @Test func anothersEventIDIsNotTakenOver() throws {
        var hall = Hall.rehearsing()
        hall.say(.placeRemark(hall.remark(by: bert)), bert, id: id(7))
        let forged = RoomEvent(id: id(7), act: .placeRemark(hall.remark(by: carl)))
        #expect(throws: RoomRefusal.self) { try hall.process(forged, by: carl) }
    }

    @Test func aRemarkMadeOfflineInAnEndedSessionStillArrives() {
        var hall = Hall.rehearsing()
        let late = hall.remark(by: bert)
        hall.say(.endSession, anna)
        hall.say(.beginSession(id(31), publicLayer: id(901), performances: []), anna)
        hall.say(.placeRemark(late), bert)
        #expect(hall.view(bert)?.remarks.contains(late.id) == true)
    }

    @Test func oneMemberFillsNoRoomForTheOthers() {
        var hall = Hall.rehearsing()
        let first = hall.remark(by: bert)
        hall.say(.placeRemark(first), bert)
        hall.fill(bert, to: ScoreRemarkLimits.mostRemarksOfAuthor)
        #expect(hall.refused(.placeRemark(hall.remark(by: bert)), bert) == .full)
        #expect(hall.refused(.placeRemark(hall.remark(by: carl)), carl) == nil)
        hall.say(.eraseRemark(first.id), bert)
        #expect(hall.refused(.placeRemark(hall.remark(by: bert)), bert) == nil)
    }

    @Test func strokesAndTextsHaveLimits() throws {
        let most = RoomLimits.mostStrokePoints
        #expect(try Stroke(coordinates: Array(repeating: 1, count: 2 * most)).coordinates.count == 2 * most)
        #expect(throws: RehearsalFault.tooManyPoints(most + 1)) {
            try Stroke(coordinates: Array(repeating: 1, count: 2 * most + 2))
        }
        #expect(throws: RehearsalFault.oddCoordinates(3)) { try Stroke(coordinates: [1, 2, 3]) }
        #expect(throws: RehearsalFault.noPoints) { try Stroke(coordinates: []) }
        #expect(throws: RehearsalFault.self) { try Stroke(coordinates: [0, .min]) }
        #expect(throws: RehearsalFault.noText) { try RemarkText(" \n") }
        #expect(throws: RehearsalFault.noText) { try RemarkText("\u{0}") }
        #expect(try RemarkText("breathe\u{0}\r\nhere").text == "breathe\nhere")
        #expect(throws: RehearsalFault.textTooLong(scalars: 2_001)) {
            try RemarkText(String(repeating: "é", count: 2_001))
        }
        #expect(throws: RehearsalFault.self) { try Ink(colour: "red", width: 10) }
        #expect(throws: RehearsalFault.self) { try Ink(colour: "#ff0000", width: 0) }
        #expect(PagePoint(nearX: .nan, nearY: 7) == (try PagePoint(x: 0, y: 10_000)))
        #expect(throws: RehearsalFault.self) { try PagePoint(x: -1, y: 0) }
    }
}
