import Basics
import Foundation
import Podium
import Rehearsal
import Score
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

private let finale: Rehearsal.Score.ID = roomID(51)
private let entry: ProgrammeEntry.ID = roomID(61)
private let first = ProgrammeEntry.ID(high: 0x4000, low: 0x8000_0000_0000_0000 | 100)

/// A second score, whose parts come in another order: the viola on three pages, then the full score on two.
private func secondScore() throws -> Rehearsal.Score {
    let page = PageSize(width: 595, height: 842)
    return try Rehearsal.Score(
        id: finale, title: "Finale", movements: [Movement(name: "Presto", piece: "presto")],
        parts: [
            Part(
                name: "Bratsche", pages: [page, page, page],
                places: (0..<3).map { MeasureBox(page: $0, first: 10 * $0 + 1, last: 10 * $0 + 10) }),
            Part(
                name: "Partitur", pages: [page, page],
                places: (0..<2).map { MeasureBox(page: $0, first: 15 * $0 + 1, last: 15 * $0 + 15) }),
        ])
}

/// An evening of two pieces; Carl was given the first only.
@Suite(.ownThreads) struct ProgrammeRoomTests {
    private let stage: RoomStage

    init() throws {
        stage = try RoomStage()
        stage.shelf.put(try secondScore())
        for person in [anna, bert] { stage.shelf.give(finale, to: person.id) }
    }

    private func room(attacca: Bool = false, running: Bool = true) async throws -> RoomActor {
        let room = try await stage.makeRoom()
        for person in [bert, carl] { try await stage.join(person, room) }
        let answers = try await send(
            [.addScore(ProgrammeAddition(ProgrammeEntry(id: entry, score: finale)))]
                + (attacca ? [.setAttacca(AttaccaChange(first, true))] : [])
                + (running ? [.beginSession(roomID(800), publicLayer: roomID(900), performances: [])] : []),
            by: anna, to: room)
        #expect(answers.allSatisfy { $0.refusal == nil })
        return room
    }

    /// As the route does: with the rights to scores that are being added.
    @discardableResult
    private func send(
        _ acts: [RoomAct], by person: RehearsalRoomUser, to room: RoomActor
    ) async throws -> [RoomMessage] {
        let events = acts.map { ReceivedStandMessage.message(.event(RoomEvent(id: .new(), act: $0))) }
        return try await room.processMessages(
            events, from: StandKey(user: person.id, stand: roomID(700)),
            by: try await stage.hub.makeActingUser(
                person, of: room, alsoFor: ReceivedStandMessage.addedScores(events)))
    }

    private func play(
        _ piece: String, _ played: Int, _ fraction: Double = 0, at seconds: Double,
        trust: LivePositionTrust = .playing, isOn: Bool = false, in room: RoomActor
    ) async {
        let now = ShowTime(milliseconds: Int64(seconds * 1_000))
        stage.showMilliseconds.withLock { $0 = now.milliseconds }
        let word = LivePositionUpdate(
            movement: 0, position: ScorePosition(played: played, fraction: fraction), measure: played + 1,
            trust: trust)
        await room.processPerformancePosition(
            PerformancePosition(
                pieceFolder: piece, liveUpdate: word, showTime: now, isEveningOn: isOn))
        // The score that the music opened is on the disk and sent.
        _ = await room.waitUntilAllWritten()
    }

    private func opened(_ heard: [RoomMessage]) -> [OpenedScore] {
        heard.compactMap {
            if case .openScore(let opened)? = $0.event?.act { opened } else { nil }
        }
    }

    @Test func aRoomOfTonightFollowsTheProgrammeOfTheConsole() async throws {
        let room = try await room()
        await room.takeEvening([[stage.score.id], [finale]])
        #expect(
            await !room.state.content.programme.isEvening, "a room keeps its own list until a leader says so")
        // The stand names no scores; the server knows them.
        try await send([.takeEvening(EveningScores(isOn: true))], by: anna, to: room)
        #expect(await room.state.content.programme.isEvening)
        await room.takeEvening([[finale], [stage.score.id]])
        #expect(await room.state.content.programme.entries.map(\.score) == [finale, stage.score.id])
        await room.takeEvening([[finale]])
        let (listed, open) = await (
            room.state.content.programme.entries.map(\.score), room.state.content.programme.openScore
        )
        #expect(open == stage.score.id && listed == [stage.score.id, finale], "the open score stays")
    }

    @Test func theSessionOfATonightRoomBeginsWhenTheEveningIsArmedAndEndsWithIt() async throws {
        let room = try await room(running: false)
        await room.takeEvening([[stage.score.id], [finale]], for: .everyMusician)
        #expect(await room.state.content.programme.players == .everyMusician)
        _ = try await stage.stand(bert, room)
        await play("allegro", 0, at: 1, trust: .waiting, in: room)
        #expect(await room.state.content.session == nil, "not yet")
        await play("allegro", 0, at: 2, trust: .waiting, isOn: true, in: room)
        let session = try #require(await room.state.content.session)
        #expect(session.isRunning)
        try await send([.endSession], by: anna, to: room)
        await play("allegro", 3, at: 6, isOn: true, in: room)
        #expect(await room.state.content.session?.isRunning == false, "a leader's word counts")
        await play("allegro", 0, at: 7, trust: .waiting, in: room)
        await play("allegro", 0, at: 8, trust: .waiting, isOn: true, in: room)
        #expect(await room.state.content.session?.id != session.id, "the next evening has one of its own")
        await room.endEvening()
        #expect(await room.state.content.session?.isRunning == false)
    }

    @Test func nobodyElseNamesThePlayersOfARoom() throws {
        let json = #"{"id":"\#(RoomEvent.ID.new())","evening":{"isOn":true,"players":"everyMusician"}}"#
        let event = try JSONDecoder().decode(RoomEvent.self, from: Data(json.utf8))
        #expect(event.act == .takeEvening(EveningScores(isOn: true)))
    }

    @Test func allStandsOpenTheNextScoreEachOnItsOwnPart() async throws {
        let room = try await room()
        let (full, viola) = (try await stage.stand(anna, room), try await stage.stand(bert, room))
        try await stage.lay(0, page: 2, on: full, in: room, by: anna)
        try await stage.lay(1, on: viola, in: room, by: bert)
        _ = (try full.heard(), try viola.heard())
        try await send([.openScore(entry)], by: anna, to: room)
        #expect(opened(try full.heard()) == [OpenedScore(entry, score: finale)])
        #expect(opened(try viola.heard()) == [OpenedScore(entry, score: finale)])
        // In the second score the viola is the first part and turns after measure ten; the full score after fifteen.
        await play("presto", 10, at: 20, in: room)
        #expect(try viola.heard().compactMap(\.followed) == [PageView(page: 1, score: finale)])
        #expect(try full.heard().compactMap(\.followed).isEmpty)
        await play("presto", 15, at: 30, in: room)
        #expect(try full.heard().compactMap(\.followed) == [PageView(page: 1, score: finale)])
    }

    @Test func theMusicOpensTheScoreOfTheNextPieceOnce() async throws {
        let room = try await room()
        let stand = try await stage.stand(bert, room)
        await play("allegro", 3, at: 6, in: room)
        #expect(opened(try stand.heard()).isEmpty)
        await play("presto", 0, at: 90, trust: .waiting, in: room)
        #expect(opened(try stand.heard()) == [OpenedScore(entry, score: finale, piece: "presto")])
        // The leader goes back to something while the show stays where it is: the music does not pull all away again.
        try await send([.openScore(first)], by: anna, to: room)
        _ = try stand.heard()
        await play("presto", 4, at: 100, in: room)
        #expect(opened(try stand.heard()).isEmpty)
        #expect(await room.openScoreID == stage.score.id)
        await play("allegro", 4, at: 110, in: room)
        await play("presto", 4, at: 120, in: room)
        #expect(opened(try stand.heard()) == [OpenedScore(entry, score: finale, piece: "presto")])
    }

    @Test func theMusicOpensNothingOutsideASession() async throws {
        let room = try await room(running: false)
        let stand = try await stage.stand(bert, room)
        await play("allegro", 3, at: 6, in: room)
        await play("presto", 0, at: 90, in: room)
        #expect(opened(try stand.heard()).isEmpty)
    }

    @Test func attaccaTheNextScoreIsOpenedBeforeThePieceEnds() async throws {
        let room = try await room(attacca: true)
        let stand = try await stage.stand(bert, room)
        await play("allegro", 39, at: 78, in: room)
        #expect(opened(try stand.heard()).isEmpty, "two seconds are left")
        let now = ShowTime(milliseconds: 79_100)
        let word = LivePositionUpdate(
            movement: 0, position: ScorePosition(played: 39, fraction: 0.55), measure: 40, trust: .playing)
        let nearEnd = PerformancePosition(pieceFolder: "allegro", liveUpdate: word, showTime: now)
        await room.processPerformancePosition(nearEnd)
        _ = await room.waitUntilAllWritten()
        #expect(opened(try stand.heard()).map(\.entry) == [entry])
        await room.processPerformancePosition(nearEnd)
        _ = await room.waitUntilAllWritten()
        #expect(opened(try stand.heard()).isEmpty, "the end of the piece does not pull the stands back")
        await play("presto", 0, at: 81, in: room)
        #expect(opened(try stand.heard()).isEmpty)
        #expect(await room.openScoreID == finale)
    }

    @Test func theNextScoreLiesAtItsFirstPageWhereverTheOneBeforeWas() async throws {
        let room = try await room(attacca: true)
        let (full, viola) = (try await stage.stand(anna, room), try await stage.stand(bert, room))
        try await stage.lay(0, on: full, in: room, by: anna)
        try await stage.lay(1, on: viola, in: room, by: bert)
        await play("allegro", 38, at: 76, in: room)
        _ = (try full.heard(), try viola.heard())
        // The music is still in the last bar of the first piece; the second has a bar of that number too.
        await play("allegro", 39, 0.6, at: 79.2, in: room)
        let (fullHeard, violaHeard) = (try full.heard(), try viola.heard())
        #expect(opened(fullHeard).count == 1 && opened(violaHeard).count == 1)
        #expect(fullHeard.compactMap(\.followed).isEmpty && violaHeard.compactMap(\.followed).isEmpty)
        // A score that a leader opens while its music is played lies at the music's place.
        await play("presto", 25, at: 140, in: room)
        try await send([.openScore(first)], by: anna, to: room)
        _ = (try full.heard(), try viola.heard())
        try await send([.openScore(entry)], by: anna, to: room)
        #expect(try viola.heard().compactMap(\.followed) == [PageView(page: 2, score: finale)])
        #expect(try full.heard().compactMap(\.followed) == [PageView(page: 1, score: finale)])
    }

    @Test func playersWhoGoBackBeforeAnAttaccaHaveTheirPagesAgain() async throws {
        let room = try await room(attacca: true)
        await play("allegro", 39, at: 78, in: room)
        let word = LivePositionUpdate(
            movement: 0, position: ScorePosition(played: 39, fraction: 0.9), measure: 40, trust: .playing)
        await room.processPerformancePosition(
            PerformancePosition(
                pieceFolder: "allegro", liveUpdate: word, showTime: ShowTime(milliseconds: 79_800)))
        _ = await room.waitUntilAllWritten()
        #expect(await room.openScoreID == finale)
        await play("allegro", 20, at: 95, in: room)
        #expect(await room.openScoreID == stage.score.id)
    }

    @Test func whoWasNotGivenOneOfTheScoresStaysAndGoesOnWithTheOthers() async throws {
        let room = try await room()
        let stand = try await stage.stand(carl, room)
        try await stage.lay(1, on: stand, in: room, by: carl)
        _ = try stand.heard()
        try await send([.openScore(entry)], by: anna, to: room)
        let heard = try stand.heard()
        #expect(opened(heard).count == 1 && heard.compactMap(\.refusal).isEmpty)
        let member = try await stage.hub.makeActingUser(carl, of: room)
        #expect(member.hasScoreGrant && member.withheldScores == [finale])
        await #expect(throws: Refusal.refused(.scoreNotGiven)) {
            try await room.remarksToPrint(for: member, in: finale)
        }
        try await send(
            [.openScore(first), .turnPagesForAll(PageTurnForAll(part: 0, page: 3))], by: anna, to: room)
        #expect(try stand.heard().compactMap(\.followed) == [PageView(page: 1)])
        // The right to the other score is not enough for somebody who has neither.
        stage.shelf.takeBack(stage.score.id, from: carl.id)
        await stage.hub.refreshRights(room)
        #expect(try stand.heard().compactMap(\.refusal) == [.noScoreGrant])
    }

    @Test func aServerThatWasKilledOpensTheScoreThatWasOpen() async throws {
        let room = try await room()
        let stand = try await stage.stand(bert, room)
        try await send([.enterSession(roomID(801), part: 1)], by: bert, to: room)
        try await send([.openScore(entry)], by: anna, to: room)
        try await room.setUpStand(
            stand.key, StandSetup(score: finale, part: 0, page: 2, settings: StandSettings()),
            by: try await stage.hub.makeActingUser(bert, of: room))
        let next = try RoomStage(after: stage)
        let found = try await next.hub.findRoom(room.id)
        #expect(await found.openScoreID == finale)
        let home = await found.makeHomeEntry(for: bert.id, holds: true)
        #expect(home.resumePoint?.score == finale && home.resumePoint?.part == 0)
        #expect(home.roomLists?.joined.first?.pieces == 2)
        #expect(home.roomLists?.joined.first?.score == finale)
    }

    @Test func aScoreThatIsRemovedFromTheLibraryStaysInTheProgramme() async throws {
        let room = try await room()
        let next = try RoomStage(after: stage)
        next.shelf.remove(finale)
        let found = try await next.hub.findRoom(room.id)
        let stand = try await next.stand(bert, found)
        try await next.send([.openScore(entry)], by: anna, to: found)
        #expect(opened(try stand.heard()).count == 1, "its stands say that it is not there")
        try await next.send([.openScore(first)], by: anna, to: found)
        try await next.send([.dropScore(entry)], by: anna, to: found)
        #expect(await found.state.content.programme.entries.map(\.id) == [first])
    }

    @Test func whatAStandSaysOfTheScoreBeforeTurnsNothing() async throws {
        let room = try await room()
        let stand = try await stage.stand(bert, room)
        try await stage.lay(1, on: stand, in: room, by: bert)
        try await send([.openScore(entry)], by: anna, to: room)
        let member = try await stage.hub.makeActingUser(bert, of: room)
        _ = try await room.processMessages(
            [.message(.turnedPage(page: 1, score: stage.score.id))], from: stand.key, by: member)
        #expect(await room.state.shownPage(of: bert.id, in: finale)?.page == 0)
        // Late settings of the score before are kept for the next time it is opened.
        try await room.setUpStand(
            stand.key, StandSetup(score: stage.score.id, part: 0, page: 1, settings: StandSettings()),
            by: member)
        #expect(await room.stands[stand.key]?.shownPart?.score == finale)
        _ = try await room.processMessages(
            [.message(.turnedPage(page: 1, score: finale))], from: stand.key, by: member)
        #expect(await room.state.shownPage(of: bert.id, in: finale)?.page == 1)
    }

    @Test func aPageThatKnowsOneScoreOnlySaysToLoadItAgain() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let key = StandKey(user: bert.id, stand: roomID(701))
        let old = HeardStand(key)
        func connect(_ stand: HeardStand) async throws {
            try await room.connectStand(
                key, bert, try await stage.hub.makeActingUser(bert, of: room), seen: nil, score: stage.score,
                settings: nil, knowsProgrammes: false, stream: stand.stream)
        }
        try await connect(old)
        #expect(try old.heard().compactMap(\.snapshot).count == 1, "with one score it goes on as ever")
        try await send(
            [.addScore(ProgrammeAddition(ProgrammeEntry(id: entry, score: finale)))], by: anna, to: room)
        #expect(try old.heard().compactMap(\.refusal) == [.invalid])
        let again = HeardStand(key)
        try await connect(again)
        #expect(try again.heard().compactMap(\.refusal) == [.invalid])
    }

    @Test func aRoomIsMadeFromSeveralScores() async throws {
        let room = try await stage.hub.createRoom(
            RoomHub.RoomCreationRequest(
                id: roomID(300), membership: roomID(301), score: stage.score.id,
                further: [finale, stage.score.id], name: "Evening", published: true), by: anna)
        #expect(
            await room.state.content.programme.entries.map(\.score) == [
                stage.score.id, finale, stage.score.id,
            ])
        await #expect(throws: Refusal.refused(.scoreNotGiven)) {
            try await stage.hub.createRoom(
                RoomHub.RoomCreationRequest(
                    id: roomID(302), membership: roomID(303), score: stage.score.id, further: [finale],
                    name: "Evening", published: true), by: carl)
        }
    }

    private struct StageFault: Error {}

    @Test func aSetlistIsChangedOnceFromEachRevision() async throws {
        let store = stage.hub.store
        let list = try Setlist(id: roomID(400), name: "Tour", scores: [finale])
        let (id, user, json) = (list.id.description, anna.id.description, RoomJSON.encode(list))
        #expect(
            try await store.storeSetlist(id, ofUser: user, json: json, changing: 0, most: 1)
                == .saved(revision: 1))
        #expect(
            try await store.storeSetlist(id, ofUser: user, json: json, changing: 0, most: 1)
                == .saved(revision: 1),
            "the answer was lost, and the same is sent again")
        let other = RoomJSON.encode(try Setlist(id: list.id, name: "Tour", scores: []))
        guard
            case .conflict(let present?) = try await store.storeSetlist(
                id, ofUser: user, json: other, changing: 0, most: 1)
        else { throw StageFault() }
        #expect(present.content == json && present.revision == 1, "what is there is named")
        #expect(
            try await store.storeSetlist(id, ofUser: user, json: other, changing: 1, most: 1)
                == .saved(revision: 2))
        #expect(
            try await store.storeSetlist(
                roomID(401, of: Setlist.self).description, ofUser: user, json: json, changing: 0, most: 1)
                == .tooMany)
        #expect(try await store.setlists(ofUser: bert.id.description).isEmpty)
        try await store.removeSetlist(id, ofUser: user)
        #expect(try await store.setlists(ofUser: user).isEmpty)
    }
}
