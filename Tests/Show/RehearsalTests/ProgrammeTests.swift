import Basics
import Foundation
import Rehearsal
import Repository
import Testing

private let second: Score.ID = id(51)
private let third: Score.ID = id(52)
private let own = ProgrammeEntry.ID(high: 0x4000, low: 0x8000_0000_0000_0000 | 10)
private let entryTwo: ProgrammeEntry.ID = id(61)
private let entryThree: ProgrammeEntry.ID = id(62)

/// A session in a room of two scores, of which the first is open. The second has parts of three and one pages.
private func evening() -> Hall {
    var hall = Hall.rehearsing()
    hall.state.renew(pageCounts: [3, 1], of: second)
    hall.say(.addScore(ProgrammeAddition(ProgrammeEntry(id: entryTwo, score: second))), anna)
    return hall
}

@Suite struct ProgrammeTests {
    // MARK: Rooms of one score

    @Test func aRoomOfOneScoreIsWrittenAsBeforeAndReadAgain() throws {
        let hall = Hall.rehearsing()
        let text = json(hall.state)
        for word in ["programme", "otherPageCounts", "openedDuring", "\"open\""] {
            #expect(!text.contains(word))
        }
        let read = try back(text, as: RoomState.self)
        #expect(read == hall.state)
        #expect(read.content.programme.entries == [ProgrammeEntry(id: own, score: scoreID)])
        #expect(read.content.programme.openScore == scoreID)
    }

    @Test func aRoomOfSeveralScoresSurvivesTheDisk() throws {
        var hall = evening()
        hall.say(.openScore(entryTwo, piece: "allegro"), anna)
        hall.say(.setAttacca(AttaccaChange(entryTwo, true)), anna)
        hall.state.recordShownPage(ShownPage(user: bert.user, score: second, part: 0, page: 2))
        let read = try back(json(hall.state), as: RoomState.self)
        #expect(read == hall.state)
        #expect(read.content.programme.openedDuringPiece == "allegro")
        #expect(read.content.programme.open.isAttacca)
    }

    // MARK: Tonight's programme

    @Test func aRoomTakesTonightsProgrammeAndKeepsWhatIsOpen() throws {
        var hall = evening()
        let scores = [second, third, second]
        hall.state.renew(pageCounts: [2], of: third)
        let entries = hall.state.content.programme.makeEntries(playing: scores) { entryThree }
        #expect(entries.map(\.id) == [entryTwo, entryThree, entryThree], "the same score keeps its entry")
        let taken = Array(entries.prefix(2))
        hall.say(.takeEvening(EveningScores(isOn: true, entries: taken)), anna)
        let programme = hall.state.content.programme
        #expect(programme.isEvening && programme.entries.map(\.score) == [scoreID, second, third])
        #expect(programme.openScore == scoreID, "what lies on the stands stays there")
        #expect(try back(json(hall.state), as: RoomState.self) == hall.state)
        for act in [
            RoomAct.moveScore(ProgrammeMove(entryThree, before: entryTwo)), .dropScore(entryThree),
        ] {
            #expect(hall.refused(act, anna) == .notNow, "the console changes it")
        }
        hall.say(.openScore(entryThree), anna)
        hall.say(.takeEvening(EveningScores(isOn: true, entries: taken.reversed())), anna)
        #expect(hall.state.content.programme.entries.map(\.score) == [third, second])
        hall.say(.takeEvening(EveningScores(isOn: false)), anna)
        hall.say(.dropScore(entryTwo), anna)
        #expect(hall.state.content.programme.entries.map(\.score) == [third], "a list of its own again")
    }

    @Test func onlyLeadersLetARoomTakeTonightsProgramme() {
        var hall = evening()
        #expect(hall.refused(.takeEvening(EveningScores(isOn: true)), bert) == .notAllowed)
    }

    // MARK: Opening

    @Test func whatIsOpenedIsOpenForAllAndTakesTurnAndPlaceAway() throws {
        var hall = evening()
        hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 2)), anna)
        hall.say(
            .pinpoint(Pinpoint(part: 0, page: 1, point: PagePoint(nearX: 0, nearY: 0), measure: 12)), anna)
        hall.say(.openScore(entryTwo), anna)
        let seen = try #require(hall.view(bert))
        #expect(seen.programme.openScore == second)
        #expect(seen.turn == nil && seen.pinpoint == nil)
    }

    @Test func ofTwoLeadersWhoGoOnAtOnceTheSecondChangesNothing() {
        var hall = evening()
        hall.say(.setRole(bert.user, .leader), anna)
        #expect(delivered(hall.say(.openScore(entryTwo), anna)).count == 1)
        #expect(delivered(hall.say(.openScore(entryTwo), bert)).isEmpty)
        #expect(hall.state.content.programme.openID == entryTwo)
    }

    @Test func aTurnMeantForTheScoreBeforeTurnsNothing() {
        var hall = evening()
        hall.say(.openScore(entryTwo), anna)
        #expect(
            delivered(hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 3, entry: own)), anna)).isEmpty)
        let late = Pinpoint(part: 0, page: 3, point: PagePoint(nearX: 0, nearY: 0), entry: own)
        #expect(delivered(hall.say(.pinpoint(late), anna)).isEmpty)
        let events = delivered(
            hall.say(.turnPagesForAll(PageTurnForAll(part: 0, page: 2, entry: entryTwo)), anna))
        #expect(events.map(\.act) == [.turnPagesForAll(PageTurnForAll(part: 0, page: 2))])
        #expect(hall.refused(.turnPagesForAll(PageTurnForAll(part: 0, page: 3)), anna) == .noPage)
    }

    @Test func onlyLeadersChangeTheProgramme() {
        var hall = evening()
        for act in [
            .openScore(entryTwo), .dropScore(entryTwo), .moveScore(ProgrammeMove(entryTwo, before: own)),
            .setAttacca(AttaccaChange(own, true)),
            .addScore(ProgrammeAddition(ProgrammeEntry(id: entryThree, score: second))),
        ] as [RoomAct] { #expect(hall.refused(act, bert) == .notAllowed) }
    }

    @Test func theOpenScoreStaysInTheProgramme() {
        var hall = evening()
        #expect(hall.refused(.dropScore(own), anna) == .notNow)
        hall.say(.openScore(entryTwo), anna)
        hall.say(.dropScore(own), anna)
        #expect(hall.state.content.programme.entries.map(\.id) == [entryTwo])
        // The content of the score that was taken out is unchanged.
        let remark = hall.remark(by: bert, page: 3)
        #expect(delivered(hall.say(.placeRemark(remark), bert)).count == 1)
    }

    @Test func anEncoreStandsBehindTheOpenOneAndMayBeAScoreThatWasPlayed() {
        var hall = evening()
        let encore = ProgrammeEntry(id: entryThree, score: scoreID)
        hall.say(.addScore(ProgrammeAddition(encore, before: entryTwo)), anna)
        hall.say(.openScore(entryThree), anna)
        #expect(hall.state.content.programme.entries.map(\.id) == [own, entryThree, entryTwo])
        #expect(hall.state.content.programme.next?.id == entryTwo)
        #expect(delivered(hall.say(.addScore(ProgrammeAddition(encore)), anna)).isEmpty, "a late copy")
        let other = ProgrammeEntry(id: entryThree, score: second)
        #expect(hall.refused(.addScore(ProgrammeAddition(other)), anna) != nil)
    }

    @Test func aProgrammeHasALimit() {
        var hall = evening()
        while hall.state.content.programme.entries.count < RoomLimits.mostProgrammeEntries {
            hall.say(.addScore(ProgrammeAddition(ProgrammeEntry(id: hall.next(), score: second))), anna)
        }
        let more = ProgrammeAddition(ProgrammeEntry(id: hall.next(), score: second))
        #expect(hall.refused(.addScore(more), anna) == .full)
    }

    // MARK: Rights

    @Test func whoeverWasNotGivenOneOfTheScoresStaysInTheRoom() throws {
        var hall = evening()
        var without = bert
        without.withheldScores = [second]
        hall.say(.openScore(entryTwo), anna)
        #expect((try? hall.state.snapshot(for: without)) != nil)
        let remark = Remark(
            id: hall.next(), layer: publicLayer, author: bert.user, part: 0, page: 0,
            anchor: PagePoint(nearX: 0, nearY: 0), shape: .stamp(.breath), score: second)
        #expect(hall.refused(.placeRemark(remark), without) == .noScoreGrant)
        #expect(delivered(hall.say(.placeRemark(remark), bert)).count == 1, "nobody else is affected")
        without.hasScoreGrant = false
        #expect((try? hall.state.snapshot(for: without)) == nil)
    }

    @Test func aLeaderAddsOnlyWhatTheLeaderWasGiven() {
        var hall = evening()
        hall.state.renew(pageCounts: [1], of: third)
        var without = anna
        without.withheldScores = [third]
        let entry = ProgrammeAddition(ProgrammeEntry(id: entryThree, score: third))
        #expect(hall.refused(.addScore(entry), without) == .noScoreGrant)
        #expect(delivered(hall.say(.addScore(entry), anna)).count == 1)
        let unknown = ProgrammeAddition(ProgrammeEntry(id: hall.next(), score: id(59)))
        #expect(hall.refused(.addScore(unknown), anna) == .noScoreGrant)
    }

    // MARK: What knows its score

    @Test func remarksAndPagesAreCheckedInTheirOwnScore() {
        var hall = evening()
        func remark(_ page: Int, _ score: Score.ID?) -> Remark {
            Remark(
                id: hall.next(), layer: publicLayer, author: bert.user, part: 0, page: page,
                anchor: PagePoint(nearX: 0, nearY: 0), shape: .stamp(.breath), score: score)
        }
        let (beyond, within, older) = (remark(3, second), remark(2, second), remark(3, scoreID))
        #expect(hall.refused(.placeRemark(beyond), bert) == .noPage)
        hall.say(.placeRemark(within), bert)
        hall.say(.placeRemark(older), bert)
        #expect(hall.state.content.remarks[within.id]?.score == second)
        #expect(
            hall.state.content.remarks[older.id]?.score == nil, "the room's own score goes without saying")
        #expect(hall.refused(.editRemark(RemarkEdit(within.id, page: 3)), bert) == .noPage)
    }

    @Test func afterACrashAStandReturnsToTheScorePartAndPage() {
        var hall = evening()
        hall.state.recordShownPage(ShownPage(user: bert.user, part: 0, page: 3))
        hall.say(.openScore(entryTwo), anna)
        #expect(hall.state.resumePoint(of: bert.user)?.score == second)
        #expect(hall.state.resumePoint(of: bert.user)?.part == nil, "it is not known what he plays in it")
        hall.state.recordShownPage(ShownPage(user: bert.user, score: second, part: 1, page: 0))
        hall.state.recordShownPage(ShownPage(user: bert.user, score: second, part: 1, page: 7))
        #expect(hall.state.resumePoint(of: bert.user)?.part == 1)
        hall.say(.openScore(own), anna)
        #expect(hall.state.resumePoint(of: bert.user)?.part == 0)
        #expect(hall.state.resumePoint(of: bert.user)?.page == 3)
        hall.say(.enterSession(hall.next(), part: 1, score: second), bert)
        #expect(hall.state.content.participation(of: bert.user)?.score == second)
    }

    // MARK: The wire

    @Test func actsOfTheProgrammeGoOverTheWire() throws {
        let entry = ProgrammeEntry(id: entryTwo, score: second, isAttacca: true)
        let acts: [RoomAct] = [
            .addScore(ProgrammeAddition(entry, before: own)), .addScore(ProgrammeAddition(entry)),
            .dropScore(entryTwo), .moveScore(ProgrammeMove(entryTwo, before: nil)),
            .setAttacca(AttaccaChange(entryTwo, false)), .openScore(entryTwo),
            .turnPagesForAll(PageTurnForAll(part: 1, page: 2, entry: entryTwo)),
            .enterSession(id(70), part: 1, score: second),
        ]
        for act in acts {
            let message = StandMessage.event(RoomEvent(id: id(80), act: act))
            #expect(try back(json(message), as: StandMessage.self) == message)
        }
        let accepted: [AcceptedAct] = [
            .addScore(ProgrammeAddition(entry)), .dropScore(entryTwo),
            .moveScore(ProgrammeMove(entryTwo, before: own)),
            .setAttacca(AttaccaChange(entryTwo, true)),
            .openScore(OpenedScore(entryTwo, score: second, piece: "x")),
        ]
        for act in accepted { #expect(try back(json(act), as: AcceptedAct.self) == act) }
        // Nobody but the server says at which piece the show is.
        let forged = #"{"openScore":{"entry":"\#(entryTwo)","piece":"forged"}}"#
        #expect(try back(forged, as: RoomAct.self) == .openScore(entryTwo))
        #expect(json(RoomAct.openScore(entryTwo)) == #"{"openScore":{"entry":"\#(entryTwo)"}}"#)
        #expect(json(PageTurnForAll(part: 0, page: 7)) == "[0,7]", "the smallest message stays as small")
    }

    // MARK: Random walks

    @Test(arguments: 1...12) func whateverLeadersDoAtOnceEveryStandHasOneProgramme(seed: UInt64) throws {
        var chance = SeededRandomGenerator(seed: seed)
        var hall = evening()
        hall.say(.setRole(bert.user, .leader), anna)
        let began = hall.state
        var stand = try #require(hall.view(carl))
        var log: [SequencedEvent] = []
        for _ in 0..<200 {
            let member = [anna, bert, carl].randomElement(using: &chance)!
            let entries = hall.state.content.programme.entries.map(\.id) + [id(63)]
            func some() -> ProgrammeEntry.ID { entries.randomElement(using: &chance)! }
            let act: RoomAct =
                switch Int.random(in: 0..<8, using: &chance) {
                case 0...1:
                    .addScore(
                        ProgrammeAddition(
                            ProgrammeEntry(
                                id: Bool.random(using: &chance) ? hall.next() : some(),
                                score: Bool.random(using: &chance) ? second : scoreID), before: some()))
                case 2: .dropScore(some())
                case 3: .moveScore(ProgrammeMove(some(), before: Bool.random(using: &chance) ? some() : nil))
                case 4: .setAttacca(AttaccaChange(some(), Bool.random(using: &chance)))
                case 5: .turnPagesForAll(PageTurnForAll(part: 0, page: 0, entry: some()))
                default: .openScore(some(), piece: Bool.random(using: &chance) ? "allegro" : nil)
                }
            let event = RoomEvent(id: hall.next(), act: act)
            hall.now += 1
            let effects = try? hall.state.process(
                event, by: member, at: CalendarTime(milliseconds: hall.now))
            for taken in delivered(effects ?? []) {
                log.append(taken)
                stand.applyAcceptedAct(
                    try back(json(taken.act), as: AcceptedAct.self), at: taken.acceptedAt)
            }
            let programme = hall.state.content.programme
            #expect(programme[programme.openID] != nil && !programme.entries.isEmpty)
            #expect(Set(programme.entries.map(\.id)).count == programme.entries.count)
            #expect(programme.entries.count <= RoomLimits.mostProgrammeEntries)
        }
        #expect(stand == hall.view(carl), "a stand that heard all holds what the server shows afresh")
        var restarted = try back(json(began), as: RoomState.self)
        for event in log { restarted.applyAcceptedEvent(try back(json(event), as: SequencedEvent.self)) }
        #expect(restarted.content == hall.state.content, "and so does the server after a crash")
    }

    // MARK: The report

    @Test func theReportKnowsWhichScoreWasOpenWhen() throws {
        var hall = Hall()
        hall.state.renew(pageCounts: [3], of: second)
        var events: [SequencedEvent] = []
        func say(_ act: RoomAct, after seconds: Double) {
            hall.now += Int64(seconds * 1_000)
            events += delivered(hall.say(act, anna))
        }
        say(.addScore(ProgrammeAddition(ProgrammeEntry(id: entryTwo, score: second))), after: 1)
        say(.beginSession(id(30), publicLayer: publicLayer, performances: []), after: 1)
        say(.turnPagesForAll(PageTurnForAll(part: 0, page: 1)), after: 60)
        say(.openScore(entryTwo), after: 60)
        say(.turnPagesForAll(PageTurnForAll(part: 0, page: 2)), after: 30)
        say(.openScore(own), after: 30)
        let end = CalendarTime(milliseconds: hall.now + 10_000)
        let report = ProgrammeReport(of: id(30), events: events, roomScore: scoreID, end: end)
        #expect(report.scores == [scoreID, second])
        #expect(abs(report.openSeconds(scoreID) - 130) < 0.1 && abs(report.openSeconds(second) - 60) < 0.1)
        #expect(report.events(events, of: second).count(where: \.isTurn) == 1)
        var word = LivePositionUpdate(movement: 0, position: nil, trust: .playing)
        word.score = second
        let logged = [LoggedLivePositionUpdate(at: end, word: word)]
        #expect(report.positions(logged, in: second) == logged)
        #expect(report.positions(logged, in: scoreID).map(\.word.trust) == [.waiting])
    }

    // MARK: Parts

    @Test func partsOfOneNameAreTheSamePart() throws {
        struct Case: Decodable {
            var name: String
            var names: [String]
            var finds: Int?
        }
        let file = Repository.root.appending(path: "Tests/Vectors/part-names.json")
        for each in try JSONDecoder().decode([Case].self, from: Data(contentsOf: file)) {
            #expect(PartName(each.name).find(in: each.names) == each.finds, "\(each.name) in \(each.names)")
        }
    }
}

extension SequencedEvent {
    fileprivate var isTurn: Bool { if case .turnPagesForAll = act { true } else { false } }
}
