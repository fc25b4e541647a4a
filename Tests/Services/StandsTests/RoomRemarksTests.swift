import Catalogue
import Rehearsal
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers

/// A room's public remarks and those of its score are the same.
@Suite(.ownThreads) struct RoomRemarksTests {
    private let stage: RoomStage
    private let publicLayer: RemarkLayer.ID = roomID(900)
    private let session: RehearsalSession.ID = roomID(800)

    init() throws { stage = try RoomStage() }

    /// A room of Anna's with Bert in it, and a session.
    private func rehearsal() async throws -> RoomActor {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        try await stage.send(
            [.beginSession(session, publicLayer: publicLayer, performances: [])], by: anna, to: room)
        return room
    }

    private func rows(_ room: RoomActor, of stage: RoomStage? = nil) async throws -> [Remark] {
        let stage = stage ?? self.stage
        let layer = try #require(await stage.hub.remarkLayers(of: anna, in: stage.score.id)?.first)
        return try await stage.catalogue.remarks(
            onLayer: layer.id, of: stage.score.id, seenBy: ScoreReader(anna.id, roomLayers: [layer])) ?? []
    }

    private func shown(_ room: RoomActor) async -> [Remark] { await room.state.content.remarks.elements }

    private func writer(_ person: RehearsalRoomUser) async throws -> ScoreWriter {
        let layers = try #require(await stage.hub.remarkLayers(of: person, in: stage.score.id))
        return ScoreWriter(
            user: person.id, roomLayers: layers, isLibrarian: false, pageCounts: stage.score.pageCountsByPart)
    }

    @Test func whatTheScoreHasTakenTheRoomTakesAlsoIfItHasChangedMeanwhile() async throws {
        let room = try await rehearsal()
        try await room.carryRemarks()
        let remark = try madeRemark(1_000, layer: publicLayer, by: bert)
        stage.shelf.beforeFinding { [stage] in
            _ = try? await stage.send([.expelMember(bert.id)], by: anna, to: room)
        }
        let answer = try await stage.send([.placeRemark(remark)], by: bert, to: room)
        #expect(answer.allSatisfy { $0.refusal == nil }, "it is written")
        #expect(try await rows(room).map(\.id) == [remark.id])
        #expect(await shown(room).isEmpty)
        try await room.carryRemarks()
        #expect(await shown(room).map(\.id) == [remark.id])
    }

    @Test func whatIsWrittenThroughTheRoomIsTheScoresBeforeTheReceipt() async throws {
        let room = try await rehearsal()
        let remark = try madeRemark(1_000, layer: publicLayer, by: bert)
        let ids: [RoomEvent.ID] = [roomID(70), roomID(71)]
        let acts: [RoomAct] = [
            .placeRemark(remark), .editRemark(RemarkEdit(remark.id, page: 1, parts: .all)),
        ]
        let first = try await stage.send(acts, by: bert, to: room, ids: ids)
        #expect(try await stage.send(acts, by: bert, to: room, ids: ids) == first, "again the same")
        let row = try #require(try await rows(room).first)
        #expect(
            row.session == session && row.page == 1 && row.parts == .all && row.layer == room.remarkLayerID)
        #expect(await shown(room) == [row.moved(to: publicLayer, of: nil, session: nil)])
        #expect(
            try await stage.send([.eraseRemark(remark.id)], by: anna, to: room).first?.refusal == .notYours)
        try await stage.send([.eraseRemark(remark.id)], by: bert, to: room)
        #expect(try await rows(room).isEmpty)
        try await stage.send([.restoreRemark(remark.id)], by: bert, to: room)
        #expect(try await rows(room) == [row])
    }

    @Test func whatIsWrittenInTheScoreIsToldToTheRoomsStands() async throws {
        let room = try await rehearsal()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let remark = try madeRemark(1_000, layer: room.remarkLayerID, by: bert)
        for act in [
            ScoreAct.placeRemark(remark), .editRemark(RemarkEdit(remark.id, page: 1)),
            .eraseRemark(remark.id),
        ] {
            let outcome = try await stage.catalogue.applyScoreEvents(
                [ScoreEvent(id: .new(), act: act)], in: stage.score.id, by: writer(bert))
            await stage.hub.tell(outcome.roomActs, in: stage.score.id, by: bert.id)
        }
        let heard = try stand.heard().compactMap(\.event)
        #expect(heard.map(\.author) == [bert.id, bert.id, bert.id])
        #expect(heard.first?.act == .placeRemark(remark.moved(to: publicLayer, of: nil, session: nil)))
        #expect(heard.last?.act == .eraseRemark(remark.id))
    }

    @Test func onlyMembersOfAVisibleRoomHaveItsLayer() async throws {
        let room = try await rehearsal()
        func names(_ person: RehearsalRoomUser, _ score: Rehearsal.Score.ID? = nil) async -> [String]? {
            await stage.hub.remarkLayers(of: person, in: score)?.map(\.name)
        }
        for score in [nil, stage.score.id] {
            for person in [anna, bert] { #expect(await names(person, score) == ["Room 100"]) }
            #expect(await names(carl, score) == [], "not a member")
        }
        #expect(await names(anna, roomID(51)) == [], "of another score")
        try await stage.send([.setRoomPublished(false)], by: anna, to: room)
        #expect(await names(bert) == [], "in preparation")
        #expect(await names(anna) == ["Room 100"], "it is hers")
        try await stage.send([.setRoomPublished(true), .expelMember(bert.id)], by: anna, to: room)
        #expect(await names(bert) == [], "put out")
        let own = ScoreLayer.ownID(of: roomID(100))
        #expect(
            room.remarkLayerID != own && room.remarkLayerID.isDerived, "no room's id gives another layer's")
    }

    @Test func oneAccountCannotFillTheSpaceOfAllThroughARoom() async throws {
        let small = try RoomStage(bytesOfAccount: 600)
        let room = try await small.makeRoom()
        try await small.send(
            [.beginSession(session, publicLayer: publicLayer, performances: [])], by: anna, to: room)
        let acts: [RoomAct] = try [1, 2, 3].map {
            .placeRemark(try madeRemark($0, layer: publicLayer, by: anna))
        }
        let answers = try await small.send(acts, by: anna, to: room)
        #expect(answers.first?.receipt != nil && answers.last?.refusal == .full)
        #expect(try await small.send([.eraseRemark(roomID(1))], by: anna, to: room).first?.receipt != nil)
    }

    @Test func beforeTheFirstSessionNobodyWritesForEverybody() async throws {
        let room = try await stage.makeRoom()
        let outcome = try await stage.catalogue.applyScoreEvents(
            [
                ScoreEvent(
                    id: .new(), act: .placeRemark(try madeRemark(1, layer: room.remarkLayerID, by: anna)))
            ],
            in: stage.score.id, by: writer(anna))
        guard case .refused(_, let refusal) = outcome.answers.first else { throw StageFault() }
        #expect(refusal.code == .notNow && outcome.roomActs.isEmpty)
    }

    private struct StageFault: Error {}

    @Test func afterACrashBetweenTheTwoTheyAreMadeEqual() async throws {
        let room = try await rehearsal()
        let (kept, gone) = (
            try madeRemark(1_000, layer: publicLayer, by: bert),
            try madeRemark(1_001, layer: publicLayer, by: bert)
        )
        try await stage.send([.placeRemark(kept), .placeRemark(gone)], by: bert, to: room)
        // The score has taken these; the room was not told any more.
        let new = try madeRemark(1_002, layer: room.remarkLayerID, by: anna)
        for (act, person) in [
            (ScoreAct.placeRemark(new), anna), (.eraseRemark(gone.id), bert),
            (.editRemark(RemarkEdit(kept.id, page: 2)), bert),
        ] {
            _ = try await stage.catalogue.applyScoreEvents(
                [ScoreEvent(id: .new(), act: act)], in: stage.score.id, by: writer(person))
        }
        let next = try RoomStage(after: stage)
        let found = try await next.hub.findRoom(room.id)
        let remarks = await shown(found)
        #expect(Set(remarks.map(\.id)) == [kept.id, new.id])
        #expect(remarks.first { $0.id == kept.id }?.page == 2)
        // A stand that was there before gets what it lacks as events.
        let before = await room.state.newestEventCursor
        let again = try await next.stand(anna, found, seen: before)
        #expect(try again.heard().compactMap(\.event).count == 3)
    }
}
