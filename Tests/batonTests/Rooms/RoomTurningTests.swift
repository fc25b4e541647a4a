import Podium
import Rehearsal
import Score
import Testing

@testable import WebServer
@testable import baton

@Suite struct RoomTurningTests {
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
        await room.turnWhatIsDue()
        #expect(try follows(full).isEmpty)
        stage.showMilliseconds.withLock { $0 = 19_100 }
        await room.turnWhatIsDue()
        #expect(try follows(full) == [1])
        #expect(try follows(viola).isEmpty)
    }

    @Test func nothingTurnsWhileTheFollowerIsLost() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(9, at: 18, in: room)
        _ = try stand.heard()
        let lost = LiveWord(movement: 0, position: nil, trust: .lost)
        await room.hear(LivePlace(folder: "allegro", word: lost, at: ShowTime(milliseconds: 18_500)))
        stage.showMilliseconds.withLock { $0 = 25_000 }
        await room.turnWhatIsDue()
        let heard = try stand.heard()
        #expect(heard.compactMap(\.followed).isEmpty)
        #expect(heard.contains { if case .live(let word) = $0 { word.trust == .lost } else { false } })
    }

    @Test func leadersTurnReachesAnotherPartOnItsOwnPage() async throws {
        let room = try await stage.makeRoom()
        try await stage.join(bert, room)
        let viola = try await stage.stand(bert, room)
        try await stage.lay(1, on: viola, in: room, by: bert)
        _ = try viola.heard()
        try await stage.send([.turn(PageTurn(part: 0, page: 3))], by: anna, to: room)
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

    @Test func pageByOnesOwnHandIsNotSentBackAndIsKept() async throws {
        let room = try await stage.makeRoom()
        try await stage.send(
            [.begin(roomID(800), publicLayer: roomID(900), performances: []), .enter(roomID(801), part: 0)],
            by: anna, to: room)
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let member = await stage.hub.member(anna, of: room)
        _ = try await room.take([.message(.own(page: 2))], from: stand.key, by: member)
        #expect(try follows(stand).isEmpty)
        #expect(await room.listing(for: anna.id, holds: true).whereabouts?.page == 2)
        let beyond = try await room.take([.message(.own(page: 4))], from: stand.key, by: member)
        #expect(beyond.map(\.refusal) == [.noPage])
    }

    @Test func settingsAreKeptForTheNextStart() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        var settings = StandSettings()
        settings.halfTurns = true
        try await room.setUp(
            stand.key, StandSetup(part: 0, page: 1, settings: settings),
            by: await stage.hub.member(anna, of: room))
        let json = try await RoomStage(after: stage).hub.store.settings(
            ofUser: anna.id.description, score: stage.score.id.description)
        #expect(try json.map { try RoomJSON.value(StandSettings.self, from: $0) } == settings)
        await #expect(throws: RoomFault.noPart(7)) {
            try await room.setUp(
                stand.key, StandSetup(part: 7, page: 1, settings: settings),
                by: await stage.hub.member(anna, of: room))
        }
    }

    @Test func echoComesBackThroughTheStream() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        _ = try stand.heard()
        let answers = try await room.take(
            [.message(.echo(roomID(42)))], from: stand.key, by: stage.hub.member(anna, of: room))
        #expect(answers.isEmpty)
        #expect(try stand.heard() == [.echo(roomID(42))])
    }

    @Test func anotherPieceLeavesTheStandsAlone() async throws {
        let room = try await stage.makeRoom()
        let stand = try await stage.stand(anna, room)
        try await stage.lay(0, on: stand, in: room, by: anna)
        await stage.play(9, at: 18, in: room)
        _ = try stand.heard()
        let word = LiveWord(movement: 0, position: ScorePosition(played: 0, fraction: 0), trust: .playing)
        await room.hear(LivePlace(folder: "another", word: word, at: ShowTime(milliseconds: 19_000)))
        let heard = try stand.heard()
        #expect(heard.compactMap(\.followed).isEmpty && heard.count == 1)
        guard case .live(let told)? = heard.first else {
            Issue.record("\(heard)")
            return
        }
        #expect(told.position == nil && told.trust == .waiting)
    }

    @Test func wordsOfASessionAreKeptThinned() async throws {
        let room = try await stage.makeRoom()
        try await stage.send(
            [.begin(roomID(800), publicLayer: roomID(900), performances: [])], by: anna, to: room)
        for tenth in 0..<40 { await stage.play(tenth / 20, at: Double(tenth) / 10, in: room) }
        try await stage.send([.endSession], by: anna, to: room)
        let session: Session.ID = roomID(800)
        let words = try await stage.hub.store.words(
            ofRoom: room.id.description, session: session.description)
        #expect((4...6).contains(words.count), "\(words.count) of 40")
        let sessions = try await stage.hub.store.sessions(ofRoom: room.id.description)
        #expect(sessions.count == 1 && sessions[0].endedMilliseconds != nil)
    }
}

@Suite struct SendAllowanceTests {
    private let key = StandKey(user: roomID(21), stand: roomID(7))

    @Test func standThatWasAwayDeliversEverythingAndAFloodIsSlowedDown() {
        var allowance = SendAllowance()
        #expect(allowance.take(200, by: key, at: 0) == nil)
        #expect(allowance.take(200, by: key, at: 0) == nil)
        #expect(allowance.take(1, by: key, at: 0) == 20)
        #expect(allowance.take(1, by: key, at: 20) == nil)
        #expect(allowance.take(50, by: key, at: 1_020) == nil)
        #expect(allowance.take(51, by: key, at: 2_020) != nil)
    }

    @Test func manyStandsOfOneUserShareAFew() {
        var allowance = SendAllowance()
        let waits = (0..<10).map { number in
            allowance.take(
                400, by: StandKey(user: roomID(21), stand: roomID(UInt64(number))), at: 0)
        }
        #expect(waits.prefix(4).allSatisfy { $0 == nil } && waits[4] != nil)
        #expect(allowance.take(1, by: StandKey(user: roomID(22), stand: roomID(1)), at: 0) == nil)
    }

    @Test func strangersByTheThousandTakeLittleMemory() {
        var allowance = SendAllowance()
        for number in 0..<40_000 {
            _ = allowance.take(
                1, by: StandKey(user: roomID(UInt64(100 + number)), stand: roomID(7)), at: Int64(number))
        }
        #expect(allowance.count <= 10_002)
    }
}
