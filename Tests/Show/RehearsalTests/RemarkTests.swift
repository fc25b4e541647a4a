import Rehearsal
import Testing

@Suite struct RemarkTests {
    @Test func aPublicRemarkIsSeenByAllAPrivateOneByItsAuthor() {
        var hall = Hall.rehearsing()
        let open = hall.remark(by: bert)
        let secret = hall.remark(by: bert, on: ownLayer(of: bert))
        hall.say(.placeRemark(open), bert)
        let event = delivered(hall.say(.placeRemark(secret), bert))[0]
        #expect(event.isPrivate)
        for member in [anna, carl] {
            #expect(hall.view(member)?.remarks.elements == [open])
            #expect(hall.view(member)?.ownLayers.elements.map(\.id) == [ownLayer(of: member)])
            #expect(!hall.state.maySee(event, by: member))
            #expect(!json(hall.view(member)).contains(secret.id.description))
        }
        #expect(hall.view(bert)?.remarks.elements == [open])
        #expect(hall.view(bert)?.ownRemarks.elements == [secret])
        #expect(hall.state.maySee(event, by: bert))
    }

    @Test func nobodyWritesOnAnothersLayerOrInAnothersName() {
        var hall = Hall.rehearsing()
        #expect(hall.refused(.placeRemark(hall.remark(by: bert, on: ownLayer(of: carl))), bert) == .noLayer)
        #expect(hall.refused(.placeRemark(hall.remark(by: carl)), bert) == .notYours)
        #expect(hall.refused(.placeRemark(hall.remark(by: bert, on: id(77))), bert) == .noLayer)
        #expect(hall.refused(.placeRemark(hall.remark(by: bert, page: 4)), bert) == .noPage)
    }

    @Test func onlyTheAuthorMovesEditsAndErases() {
        var hall = Hall.rehearsing()
        let open = hall.remark(by: bert)
        let secret = hall.remark(by: bert, on: ownLayer(of: bert))
        for remark in [open, secret] { hall.say(.placeRemark(remark), bert) }
        for act in [RoomAct.editRemark(RemarkEdit(open.id, page: 1)), .eraseRemark(open.id)] {
            #expect(hall.refused(act, anna) == .notYours)
        }
        // That a private one is there is nobody's business.
        #expect(hall.refused(.eraseRemark(secret.id), anna) == .noRemark)
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

    @Test func everyRemarkActCanBeUndone() {
        var hall = Hall.rehearsing()
        let remark = hall.remark(by: bert)
        let other = hall.remark(by: bert)
        hall.say(.placeRemark(other), bert)
        let acts: [RoomAct] = [
            .placeRemark(remark), .editRemark(RemarkEdit(other.id, page: 3, shape: .stamp(.upBow))),
            .eraseRemark(other.id),
        ]
        for act in acts {
            let before = Set(hall.state.content.remarks.elements)
            let undo = hall.state.content.inverse(of: act)
            hall.say(act, bert)
            #expect(Set(hall.state.content.remarks.elements) != before)
            hall.say(undo!, bert)
            #expect(Set(hall.state.content.remarks.elements) == before)
        }
        #expect(hall.state.content.inverse(of: .turnPagesForAll(PageTurnForAll(part: 0, page: 0))) == nil)
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
        #expect(throws: RoomRefusal.self) { try hall.state.process(forged, by: carl, at: .zero) }
    }

    @Test func aRemarkMadeOfflineInAnEndedSessionStillArrives() {
        var hall = Hall.rehearsing()
        let late = hall.remark(by: bert, on: ownLayer(of: bert))
        hall.say(.endSession, anna)
        hall.say(.beginSession(id(31), publicLayer: id(901), performances: []), anna)
        hall.say(.placeRemark(late), bert)
        #expect(hall.view(bert)?.ownRemarks.contains(late.id) == true)
    }

    @Test func oneMemberFillsNoRoomForTheOthers() {
        var hall = Hall.rehearsing()
        for _ in 0..<RoomLimits.mostRemarksPerAuthor { hall.say(.placeRemark(hall.remark(by: bert)), bert) }
        #expect(hall.refused(.placeRemark(hall.remark(by: bert)), bert) == .full)
        #expect(hall.refused(.placeRemark(hall.remark(by: carl)), carl) == nil)
        hall.say(.eraseRemark(hall.state.content.remarks.elements[0].id), bert)
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
