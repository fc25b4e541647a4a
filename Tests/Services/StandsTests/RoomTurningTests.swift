import Podium
import Rehearsal
import Score
import Testing

@testable import Hosting
@testable import ShowStages
@testable import Stands
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct RoomTurningTests {
    private let stage: RoomStage

    init() throws { stage = try RoomStage() }

    private func follows(_ stand: HeardStand) throws -> [Int] {
        try stand.heard().compactMap(\.followed).map(\.page)
    }

    @Test func eachStandTurnsWithTheMusicInItsOwnPart() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let (full, viola) = (try await stage.stand(anna, room), try await stage.stand(bert, room))
        try await stage.lay(0, on: full, in: room, by: anna)
        try await stage.lay(1, on: viola, in: room, by: bert)
        _ = (try full.heard(), try viola.heard())
        await stage.play(8, at: 16, in: room)
        #expect(try follows(full).isEmpty)
        // Measure ten ends at 20 s; a second before that its page is turned, with no further word.
        await stage.play(9, at: 18, in: room)
        stage.showMilliseconds.withLock { $0 = 18_900 }
        await room.turnDuePages()
        #expect(try follows(full).isEmpty)
        stage.showMilliseconds.withLock { $0 = 19_100 }
        await room.turnDuePages()
        #expect(try follows(full) == [1])
        #expect(try follows(viola).isEmpty)
    }

    @Test func cutOfTheSessionIsTurnedOver() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        try await stage.send(
            [
                .beginSession(
                    roomID(800), publicLayer: roomID(900),
                    performances: [try PerformedPassages(passages: [1...10, 31...40])]),
                .enterSession(roomID(801), part: 0),
            ], by: anna, to: room)
        await stage.play(9, at: 18, in: room)
        _ = try stand.heard()
        stage.showMilliseconds.withLock { $0 = 19_100 }
        await room.turnDuePages()
        #expect(try follows(stand) == [3], "behind measure 10 comes measure 31")
    }

    @Test func nothingTurnsWhileTheFollowerIsLost() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(9, at: 18, in: room)
        _ = try stand.heard()
        let lost = LivePositionUpdate(movement: 0, position: nil, trust: .lost)
        await room.processPerformancePosition(
            PerformancePosition(
                pieceFolder: "allegro", liveUpdate: lost, showTime: ShowTime(milliseconds: 18_500)))
        stage.showMilliseconds.withLock { $0 = 25_000 }
        await room.turnDuePages()
        let heard = try stand.heard()
        #expect(heard.compactMap(\.followed).isEmpty)
        #expect(
            heard.contains { if case .livePosition(let word) = $0 { word.trust == .lost } else { false } })
    }

    @Test func leadersTurnReachesAnotherPartOnItsOwnPage() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let viola = try await stage.stand(bert, room)
        try await stage.lay(1, on: viola, in: room, by: bert)
        _ = try viola.heard()
        try await stage.send([.turnPagesForAll(PageTurnForAll(part: 0, page: 3))], by: anna, to: room)
        #expect(try follows(viola) == [1])
    }

    @Test func pinpointIsShownOnWhicheverPageItIsAndMovesTheFollowerInARehearsal() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let viola = try await stage.stand(bert, room)
        try await stage.lay(1, on: viola, in: room, by: bert)
        _ = try viola.heard()
        let pinpoint = RoomAct.pinpoint(
            Pinpoint(part: 0, page: 2, point: try PagePoint(x: 1, y: 1), measure: 25))
        try await stage.send([pinpoint], by: anna, to: room)
        #expect(try follows(viola) == [1])
        #expect(stage.commands.withLock { $0 }.isEmpty, "nobody plays that piece")
        await stage.play(3, at: 6, in: room)
        try await stage.send([pinpoint], by: anna, to: room)
        #expect(stage.commands.withLock { $0 }.isEmpty, "this is no rehearsal")
        await stage.play(3, at: 7, rehearsal: true, in: room)
        try await stage.send([pinpoint], by: anna, to: room)
        #expect(stage.commands.withLock { $0 } == ["Anna: bar-is-now 25 in allegro"])
    }

    @Test func aRoomSaysWhetherItSteersTheFollowerNow() async throws {
        let room = try await stage.makeRoom()
        #expect(await !room.pinpointMovesFollower, "nothing is on")
        await stage.play(3, at: 6, in: room)
        #expect(await !room.pinpointMovesFollower, "this is no rehearsal")
        await stage.play(3, at: 7, rehearsal: true, in: room)
        #expect(await room.pinpointMovesFollower)
        let berts = try await stage.makeRoom(300, by: bert)
        await stage.play(3, at: 8, rehearsal: true, in: berts)
        #expect(await !berts.pinpointMovesFollower, "Bert does not work on the concert")
    }

    @Test func whoIsPresentIsWhoHasAStandNow() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        try await stage.send(
            [
                .beginSession(roomID(800), publicLayer: roomID(900), performances: []),
                .enterSession(roomID(801), part: 0),
            ],
            by: anna, to: room)
        let member = try await stage.hub.makeActingUser(anna, of: room)
        #expect(try await room.connectedUsers(for: member).isEmpty, "Anna takes part, but has no stand")
        let first = try await stage.stand(anna, room)
        _ = try await stage.stand(anna, room, number: 701)
        let berts = try await stage.stand(bert, room)
        #expect(try await room.connectedUsers(for: member) == [anna.id, bert.id])
        await room.disconnectStand(berts.key, berts.stream)
        await room.disconnectStand(first.key, first.stream)
        #expect(try await room.connectedUsers(for: member) == [anna.id])
        let stranger = try await stage.hub.makeActingUser(carl, of: room)
        await #expect(throws: Refusal.self) { try await room.connectedUsers(for: stranger) }
    }

    @Test func roomOfAMusicianDoesNotSteerTheConcert() async throws {
        let room = try await stage.makeRoom(by: bert)
        try await stage.join(anna, room)
        await stage.play(3, at: 7, rehearsal: true, in: room)
        let pinpoint = RoomAct.pinpoint(
            Pinpoint(part: 0, page: 2, point: try PagePoint(x: 1, y: 1), measure: 25))
        try await stage.send([.setRole(anna.id, .leader)], by: bert, to: room)
        for person in [bert, anna] {
            #expect(try await stage.send([pinpoint], by: person, to: room).first?.receipt != nil)
        }
        #expect(stage.commands.withLock { $0 }.isEmpty)
        // The owner counts, whoever pinpoints.
        stage.staff.withLock { _ = $0.insert(bert.id) }
        try await stage.send([pinpoint], by: anna, to: room)
        #expect(stage.commands.withLock { $0 } == ["Anna: bar-is-now 25 in allegro"])
    }

    @Test func newEditionOfTheScoreIsLaidOut() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(12, at: 24, in: room)
        #expect(try follows(stand) == [1])
        // Five measures on a page.
        var parts = stage.score.parts
        parts[0] = try Part(
            name: "Full score", pages: Array(repeating: parts[0].pages[0], count: 8),
            places: (0..<8).map { MeasureBox(page: $0, first: 5 * $0 + 1, last: 5 * $0 + 5) })
        let score = try Rehearsal.Score(
            id: stage.score.id, title: "Sinfonie", composer: "Dvořák", movements: stage.score.movements,
            parts: parts)
        stage.shelf.put(score)
        await stage.hub.adoptChangedScore(score.id)
        #expect(try follows(stand) == [2])
        // And one without the part on the stand, which then shows what it showed.
        stage.shelf.put(
            try Rehearsal.Score(
                id: score.id, title: "Sinfonie", composer: "Dvořák", movements: score.movements,
                parts: [parts[1]]))
        try await stage.lay(1, on: stand, in: room, by: anna)
        await stage.hub.adoptChangedScore(score.id)
        await stage.play(30, at: 60, in: room)
        #expect(try follows(stand).isEmpty)
    }

    @Test func checkBeforeTheShowTurnsNoPages() async throws {
        let show = try ServeStage()
        try show.start()
        #expect(await show.wait { show.desk.inbox.newestSnapshot.state.check == nil })
        #expect(PerformancePosition(show.desk.inbox.newestSnapshot, after: nil).liveUpdate.position != nil)
        show.desk.inbox.post(.setPreShowCheck(true))
        #expect(await show.wait { show.desk.inbox.newestSnapshot.state.check != nil })
        let place = PerformancePosition(show.desk.inbox.newestSnapshot, after: nil)
        #expect(
            place.liveUpdate.position == nil && place.liveUpdate.trust == .waiting
                && !place.pinpointsMoveFollower)
    }

    @Test func forgottenSessionIsEndedAndFillsNoDisk() async throws {
        let room = try await stage.makeRoom()
        let session: RehearsalSession.ID = roomID(800)
        try await stage.send(
            [.beginSession(session, publicLayer: roomID(900), performances: [])], by: anna, to: room)
        let stand = try await stage.stand(anna, room)
        let hour = 3_600.0
        func rest(at seconds: Double) async {
            stage.showMilliseconds.withLock { $0 = Int64(seconds * 1_000) }
            let word = LivePositionUpdate(movement: 0, position: nil, trust: .waiting)
            await room.processPerformancePosition(
                PerformancePosition(
                    pieceFolder: "allegro", liveUpdate: word,
                    showTime: ShowTime(milliseconds: Int64(seconds * 1_000))))
            await room.performPeriodicUpkeep()
        }
        for second in 0..<600 { await rest(at: Double(second)) }
        await rest(at: 7 * hour)
        #expect(await room.state.content.session?.isRunning == true, "a stand is there")
        await room.disconnectStand(stand.key, stand.stream)
        await rest(at: 7 * hour)
        await rest(at: 12.9 * hour)
        #expect(await room.state.content.session?.isRunning == true)
        await rest(at: 13.1 * hour)
        #expect(await room.waitUntilAllWritten())
        #expect(await room.state.content.session?.isRunning == false)
        let stored = try await stage.hub.store.sessions(ofRoom: room.id.description)
        #expect(stored.first?.endedMilliseconds != nil)
        let words = try await stage.hub.store.scorePositions(
            ofRoom: room.id.description, session: session.description)
        #expect((10...16).contains(words.count), "\(words.count)")
    }

    @Test func placeThatWasShownIsWaitedAtUnlessTheTechnicianForbidsIt() throws {
        let course = try madeCourse()
        var podium = Podium(course: course)
        let shown = PodiumCommand.beginMeasureNow(.printedMeasure(2, time: nil))
        #expect(
            StandsService.beginPieceCommand(for: shown, podium.state)
                == .beginPiece(0, .place(.printedMeasure(2, time: nil))))
        #expect(StandsService.beginPieceCommand(for: .beginMeasureNow(nil), podium.state) == nil)
        let tina = CommandSender(name: "Tina", role: .technician)
        _ = podium.process(.command(.setShowLock(true), by: tina, epoch: nil), at: .zero)
        #expect(StandsService.beginPieceCommand(for: shown, podium.state) == nil)
    }

    @Test func pageByOnesOwnHandIsNotSentBackAndIsKept() async throws {
        let room = try await stage.makeRoom()
        try await stage.send(
            [
                .beginSession(roomID(800), publicLayer: roomID(900), performances: []),
                .enterSession(roomID(801), part: 0),
            ],
            by: anna, to: room)
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let member = try await stage.hub.makeActingUser(anna, of: room)
        _ = try await room.processMessages([.message(.turnedPage(page: 2))], from: stand.key, by: member)
        #expect(try follows(stand).isEmpty)
        #expect(await room.makeHomeEntry(for: anna.id, holds: true).resumePoint?.page == 2)
        let beyond = try await room.processMessages(
            [.message(.turnedPage(page: 4))], from: stand.key, by: member)
        #expect(beyond.map(\.refusal) == [.noPage])
        // A setup is older than the page that lies there: neither the stand nor the return after a crash heeds it.
        try await stage.lay(0, on: stand, in: room, by: anna)
        #expect(await room.makeHomeEntry(for: anna.id, holds: true).resumePoint?.page == 2)
    }

    @Test func whoeverMayNotSeeTheRoomLearnsNothingOfItsStands() async throws {
        let room = try await stage.makeRoom()
        let stranger = try await stage.hub.makeActingUser(bert, of: room)
        await #expect(throws: Refusal.self) { try await room.requireVisibility(stranger) }
        try await stage.join(bert, room)
        try await room.requireVisibility(stage.hub.makeActingUser(bert, of: room))
    }

    @Test func twoPairedStandsOfOnePlayerTurnTogether() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let left = try await stage.stand(anna, room, number: 700)
        let right = try await stage.stand(anna, room, number: 701)
        let alone = try await stage.stand(anna, room, number: 702)
        let other = try await stage.stand(bert, room)
        try await stage.lay(0, pair: .left, on: left, in: room, by: anna)
        try await stage.lay(0, pair: .right, on: right, in: room, by: anna)
        try await stage.lay(0, on: alone, in: room, by: anna)
        try await stage.lay(0, pair: .right, on: other, in: room, by: bert)
        for stand in [left, right, alone, other] { _ = try stand.heard() }
        let member = try await stage.hub.makeActingUser(anna, of: room)
        _ = try await room.processMessages([.message(.turnedPage(page: 2))], from: left.key, by: member)
        #expect(try follows(right) == [2])
        for stand in [left, alone, other] { #expect(try follows(stand).isEmpty) }
        _ = try await room.processMessages([.message(.turnedPage(page: 1))], from: alone.key, by: member)
        for stand in [left, right, other] { #expect(try follows(stand).isEmpty) }
    }

    @Test func pageAStandComesWithCountsUntilItIsTurned() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, page: 1, on: stand, in: room, by: anna)
        try await stage.lay(0, page: 2, on: stand, in: room, by: anna)
        let member = try await stage.hub.makeActingUser(anna, of: room)
        #expect(await room.stands[stand.key]?.shownPart?.pageTurner.state.view.page == 2)
        _ = try await room.processMessages([.message(.turnedPage(page: 3))], from: stand.key, by: member)
        try await stage.lay(0, page: 0, on: stand, in: room, by: anna)
        #expect(await room.stands[stand.key]?.shownPart?.pageTurner.state.view.page == 3)
    }

    @Test func playerFallsInWithTheMusicAtOnce() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(12, at: 24, in: room)
        let member = try await stage.hub.makeActingUser(anna, of: room)
        _ = try await room.processMessages([.message(.turnedPage(page: 3))], from: stand.key, by: member)
        await stage.play(13, at: 26, in: room)
        _ = try stand.heard()
        _ = try await room.processMessages([.message(.followAgain)], from: stand.key, by: member)
        #expect(try follows(stand) == [1])
        #expect(await room.stands[stand.key]?.shownPart?.pageTurner.state.hand == nil)
    }

    @Test func partThatCameLaterIsPlayedInAnOldRoom() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        let old = stage.score
        let page = PageSize(width: 595, height: 842)
        await room.adoptScoreEdition(
            try Rehearsal.Score(
                id: old.id, title: old.title, movements: old.movements,
                parts: old.parts + [Part(name: "Oboe", pages: [page, page])]))
        try await stage.lay(2, page: 1, on: stand, in: room, by: anna)
        try await stage.send(
            [
                .beginSession(roomID(800), publicLayer: roomID(900), performances: []),
                .enterSession(roomID(801), part: 2),
                .turnPagesForAll(PageTurnForAll(part: 2, page: 0)),
            ], by: anna, to: room)
        #expect(try follows(stand) == [0])
    }

    @Test func settingsAreKeptForTheNextStart() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        var settings = StandSettings()
        settings.halfTurns = true
        try await room.setUpStand(
            stand.key, StandSetup(part: 0, page: 1, settings: settings),
            by: try await stage.hub.makeActingUser(anna, of: room))
        let json = try await RoomStage(after: stage).hub.store.pageTurningSettings(
            ofUser: anna.id.description, score: stage.score.id.description)
        #expect(try json.map { try RoomJSON.decode(StandSettings.self, from: $0) } == settings)
        await #expect(throws: Refusal.noPart(7)) {
            try await room.setUpStand(
                stand.key, StandSetup(part: 7, page: 1, settings: settings),
                by: try await stage.hub.makeActingUser(anna, of: room))
        }
    }

    @Test func echoComesBackThroughTheStream() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let answers = try await room.processMessages(
            [.message(.latencyEcho(roomID(42)))], from: stand.key,
            by: stage.hub.makeActingUser(anna, of: room))
        #expect(answers.isEmpty)
        #expect(try stand.heard() == [.latencyEcho(roomID(42))])
    }

    @Test func anotherPieceLeavesTheStandsAlone() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(9, at: 18, in: room)
        _ = try stand.heard()
        let word = LivePositionUpdate(
            movement: 0, position: ScorePosition(played: 0, fraction: 0), trust: .playing)
        await room.processPerformancePosition(
            PerformancePosition(
                pieceFolder: "another", liveUpdate: word, showTime: ShowTime(milliseconds: 19_000)))
        let heard = try stand.heard()
        #expect(heard.compactMap(\.followed).isEmpty && heard.count == 1)
        guard case .livePosition(let told)? = heard.first else {
            Issue.record("\(heard)")
            return
        }
        #expect(told.position == nil && told.trust == .waiting)
    }

    @Test func wordsOfASessionAreKeptThinned() async throws {
        let room = try await stage.makeRoom()
        try await stage.send(
            [.beginSession(roomID(800), publicLayer: roomID(900), performances: [])], by: anna, to: room)
        for tenth in 0..<40 {
            let position = ScorePosition(played: tenth / 20, fraction: Double(tenth % 20) / 20)
            let word = LivePositionUpdate(
                movement: 0, position: position, measure: tenth / 20 + 1, trust: .playing)
            await room.processPerformancePosition(
                PerformancePosition(
                    pieceFolder: "allegro", liveUpdate: word,
                    showTime: ShowTime(milliseconds: Int64(100 * tenth))
                ))
        }
        try await stage.send([.endSession], by: anna, to: room)
        let session: RehearsalSession.ID = roomID(800)
        let words = try await stage.hub.store.scorePositions(
            ofRoom: room.id.description, session: session.description)
        #expect((4...6).contains(words.count), "\(words.count) of 40")
        let sessions = try await stage.hub.store.sessions(ofRoom: room.id.description)
        #expect(sessions.count == 1 && sessions[0].endedMilliseconds != nil)
    }
}
