import Foundation
import Podium
import Testing
import Titles

/// The first piece with a title at each of the played measures; the text is the measure.
private func sung(_ measures: Int..., lead: Double = 0, cues: [Cue] = []) -> ShowProgramme {
    let titles = measures.map {
        Title(texts: [TitleText(text: "m\($0)")], place: "p:\($0)", played: $0, lead: lead)
    }
    return try! evening(cues).replacingTitles(of: 0, by: TitleList(titles))
}

extension Stage {
    /// The text of the title on the screens; nil for none.
    fileprivate var title: String? {
        guard let shown = podium.shownTitle, let number = shown.number, !shown.isHidden else { return nil }
        return podium.course.pieces[shown.piece].titles.titles[number - 1].firstText
    }

    /// The numbers of the titles in the effects, 0 for none.
    fileprivate var titleNumbers: [Int] {
        effects.compactMap { if case .titleChanged(let shown) = $0 { shown.number ?? 0 } else { nil } }
    }
}

@Suite struct TitleTests {
    @Test func titlesFollowTheFollower() {
        var stage = Stage(sung(1, 3))
        for measure in 0...4 {
            stage.now = ShowTime(milliseconds: Int64(measure) * 2_000)
            stage.hear(measure)
        }
        #expect(stage.titleNumbers == [0, 1, 2])
        #expect(stage.title == "m3")
    }

    @Test func aTitleWaitsUntilItsMeasureHasCertainlyBegun() {
        var stage = Stage(sung(1, 2))
        stage.hear(1)
        #expect(stage.title == "m1")
        stage.wait(2_000)
        stage.hear(2)
        stage.wait(119)
        #expect(stage.title == "m1")
        stage.wait(1)
        #expect(stage.title == "m2")
    }

    // MARK: Before the piece is under way

    @Test func titlesOfTheFirstBarsComeOnceTheFollowerIsSureForAMoment() {
        var stage = Stage(sung(0, 1), isUnderWay: false)
        stage.hear(0)
        stage.wait(299)
        #expect(stage.title == nil)
        stage.wait(1)
        #expect(stage.title == "m0" && stage.state.stage == .armed)
        stage.wait(1_700)
        stage.hear(1)
        stage.wait(120)
        #expect(stage.title == "m1" && stage.state.stage == .armed)
    }

    @Test func aSilenceBeforeThePieceIsUnderWayTakesItsTitleAway() {
        var stage = Stage(sung(0), isUnderWay: false)
        stage.hear(0)
        stage.wait(400)
        #expect(stage.title == "m0")
        stage.hear(0, 0.5, isSilent: true)
        #expect(stage.title == nil && stage.titleNumbers == [0, 1, 0])
        stage.hear(0)
        stage.wait(300)
        #expect(stage.title == "m0")
    }

    @Test func aTitleThatAPersonShowsStaysInTheSilence() {
        var stage = Stage(sung(0, 3), isUnderWay: false)
        stage.hear(0)
        stage.wait(400)
        stage.say("title goto 2")
        stage.hear(0, 0.5, isSilent: true)
        #expect(stage.title == "m3")
    }

    @Test func aHeldToneAndAPlaceFarFromTheBeginningShowNoTitle() {
        var stage = Stage(sung(0, 9), isUnderWay: false)
        for _ in 0..<20 {
            stage.hear(0, 0.4, tempo: 0, confidence: 0.98)
            stage.wait(500)
        }
        stage.hear(9, jumped: true, confidence: 0.98)
        stage.wait(1_500)
        #expect(stage.title == nil)
    }

    @Test func aShowWithoutTitlesHasNoneInItsStateAndItsEffects() throws {
        var stage = Stage()
        stage.hear(0)
        #expect(stage.state.titles == nil && stage.titleNumbers.isEmpty)
        let bytes = try JSONEncoder().encode(evening())
        #expect(!String(decoding: bytes, as: UTF8.self).contains("titles"))
    }

    @Test func noTitleComesWhileTheFollowerIsLostAndTheOperatorIsAsked() {
        var stage = Stage(sung(0, 3, 8))
        stage.hear(0)
        stage.now = ShowTime(milliseconds: 2_000)
        let effects = stage.hear(3, 0, .lost)
        #expect(stage.title == "m0")
        #expect(stage.state.titles?.needsOperator == true)
        #expect(
            effects.contains { if case .showNotice(let id, _) = $0 { id == "titles-by-hand" } else { false } }
        )
        stage.say("title next")
        #expect(stage.title == "m3")
    }

    @Test func aPlaceThatIsNotProvenShowsNoTitle() {
        var stage = Stage(sung(0, 10))
        stage.hear(0)
        stage.now = ShowTime(milliseconds: 2_000)
        stage.hear(11, jumped: true, confidence: 0.6)
        #expect(stage.state.mode == .lost && stage.title == "m0")
        for second in 3...12 {
            stage.now = ShowTime(milliseconds: Int64(second) * 1_000)
            stage.hear(11, confidence: 0.9)
        }
        #expect(stage.title == "m10")
    }

    @Test func goingToAPlaceByHandShowsNoTitleBeforeTheMusicPlays() {
        var stage = Stage(sung(0, 8))
        stage.hear(0)
        stage.say("goto p:8")
        #expect(stage.title == "m0")
        stage.now = ShowTime(milliseconds: 5_000)
        stage.say("tap")
        #expect(stage.title == "m8")
    }

    @Test func aLeadShowsATitleBeforeItsBarLineAndNoneWithoutIt() {
        var stage = Stage(sung(1, lead: 0.5))
        stage.hear(0)
        #expect(stage.podium.nextTickDue == ShowTime(milliseconds: 1_500))
        stage.now = ShowTime(milliseconds: 1_499)
        stage.take(.tick)
        #expect(stage.title == nil)
        stage.now = ShowTime(milliseconds: 1_500)
        stage.take(.tick)
        #expect(stage.title == "m1")
        stage.now = ShowTime(milliseconds: 2_000)
        stage.hear(1)
        #expect(stage.title == "m1" && stage.titleNumbers == [0, 1])
    }

    @Test func nothingComesByItselfInAPanicAPauseAnIntermissionOrARehearsal() {
        for words in ["panic", "pause-all", "intermission on", "rehearsal on"] {
            var stage = Stage(sung(0, 1))
            stage.hear(0)
            stage.say(words)
            stage.now = ShowTime(milliseconds: 2_000)
            stage.hear(1)
            #expect(stage.title == "m0", "\(words)")
            stage.say("title goto 2")
            #expect(stage.title == "m1", "\(words)")
        }
    }

    @Test func theOperatorFindsATitleByItsBar() {
        var stage = Stage(sung(0, 8))
        stage.say("title bar 5")
        #expect(stage.title == "m8")
        #expect(stage.say("title bar 99").first.map { if case .refused = $0 { true } else { false } } == true)
        #expect(stage.title == "m8")
    }

    @Test func onlyTechniciansShowTitles() {
        var stage = Stage(sung(0))
        let effects = stage.say("title next", by: conductor)
        guard case .refused(let refusal)? = effects.first else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .notAllowed)
    }

    @Test func aNewPieceBeginsWithoutATitle() {
        var stage = Stage(sung(0))
        stage.hear(0)
        stage.say("next-piece")
        #expect(stage.title == nil && stage.titleNumbers.last == 0)
    }

    @Test func theStateGoesOnAfterARestartAndInAnotherServer() throws {
        var stage = Stage(sung(0, 3))
        stage.hear(0)
        stage.say("title goto 2")
        stage.say("title blank black")
        let saved = try JSONDecoder().decode(PodiumState.self, from: JSONEncoder().encode(stage.state))
        var other = Podium(course: stage.podium.course, settings: stage.podium.settings, continuing: saved)
        #expect(other.state == stage.state)
        let effects = other.process(.restarted, at: ShowTime(milliseconds: 60_000))
        #expect(effects.contains(.titleChanged(stage.podium.shownTitle!)))
        #expect(other.shownTitle?.number == 2 && other.shownTitle?.blank == .black)
    }

    @Test func titlesAndTheirEffectsAreWrittenToTheLog() throws {
        let programme = sung(0, 3, lead: 0.5)
        let read = try JSONDecoder().decode(ShowProgramme.self, from: JSONEncoder().encode(programme))
        #expect(read == programme)
        let effect = PodiumEffect.titleChanged(
            ShownTitle(
                piece: 0, number: 2, isHidden: true, blank: .white, isByHand: true, isFadeEnded: false))
        #expect(try JSONDecoder().decode(PodiumEffect.self, from: JSONEncoder().encode(effect)) == effect)
        let command = PodiumEvent.command(.title(.goTo(number: 3)), by: anna)
        #expect(try JSONDecoder().decode(PodiumEvent.self, from: JSONEncoder().encode(command)) == command)
    }

    @Test func editedTitlesKeepTheOneOnTheScreen() {
        var stage = Stage(sung(0, 3))
        stage.hear(0)
        stage.say("title goto 2")
        stage.take(.programmeChanged(sung(0, 1, 2, 3)))
        #expect(stage.title == "m3")
    }

    @Test func aPieceFindsTheBarsOfItsTitles() {
        let piece = firstPiece()
        let titles = [
            Title(texts: [], place: "2"), Title(texts: []), Title(texts: [], place: "2/2"),
            Title(texts: [], place: "B"), Title(texts: [], place: "p:12"),
        ]
        #expect(try! piece.findMeasures(of: titles).titles.map(\.played) == [1, nil, 5, 8, 12])
        var fault: TitleFault?
        do throws(TitleFault) { _ = try piece.findMeasures(of: [Title(texts: [], place: "99")]) } catch {
            fault = error
        }
        #expect(fault?.sentence.hasPrefix("Title 1: There is no measure 99") == true)
    }
}
