import Concert
import Following
import Podium
import Score
import Testing

@Suite struct CueTests {
    private let list = [
        cue("a", at: 0), cue("b", at: 2), cue("c", at: 2), cue("d", at: 4, auto: false), cue("e", at: 6),
    ]

    @Test func cuesFireWhereTheMusicPlaysIntoTheirMeasureAndOnce() {
        var stage = Stage(evening(list))
        stage.hear(0, 0, .waiting)
        stage.play(0...7)
        #expect(fired(stage.effects) == ["a", "b", "c", "e"])
        #expect(stage.state.standby == "d")
    }

    @Test func aMeasureMissedByPlayFiresItsCueLate() {
        var stage = Stage(evening(list))
        stage.hear(0)
        #expect(fired(stage.hear(5)) == ["b", "c"])
    }

    @Test func nothingFiresTwiceWhenTheMusicIsHeardAgain() {
        var stage = Stage(evening(list))
        stage.play(0...5)
        stage.hear(0, jumped: true)
        stage.effects = []
        stage.play(1...7)
        #expect(fired(stage.effects) == ["e"])
    }

    @Test func aJumpFiresNothingAndSaysSo() {
        var stage = Stage(evening(list))
        stage.hear(1)
        let effects = stage.hear(6, jumped: true) + stage.wait(3_000)
        #expect(fired(effects).isEmpty)
        #expect(notices(effects) == ["cue-skipped"])
        #expect(stage.state.standby == "e")
        stage.wait(500)
        #expect(fired(stage.say("go")) == ["e"])
    }

    @Test func aCorrectionIntoTheNextMeasureFiresItsCue() {
        var stage = Stage(evening(list))
        stage.hear(1)
        #expect(fired(stage.hear(2, 0.2, jumped: true)) == ["b", "c"])
    }

    @Test func whatWasPassedWhileLostDoesNotFire() {
        var stage = Stage(evening(list))
        stage.hear(1)
        stage.hear(1, 0, .lost)
        #expect(fired(stage.hear(3) + stage.wait(3_000)).isEmpty)
        #expect(fired(stage.hear(6)) == ["e"])
    }

    @Test func beginningAPieceAgainBeginsANewPass() {
        var stage = Stage(evening(list))
        stage.play(0...3)
        stage.say("piece 1")
        stage.effects = []
        stage.hear(0, 0, .waiting)
        stage.play(0...3)
        #expect(fired(stage.effects) == ["a", "b", "c"])
    }

    @Test func aPieceBegunInTheMiddleFiresItsFirstMeasuresCueWhenMusicComes() {
        var stage = Stage(evening(list))
        let effects = stage.say("piece 1 3/1")
        #expect(fired(effects).isEmpty)
        #expect(stage.state.standby == "b")
        stage.hear(2)
        #expect(fired(stage.wait(2_999)).isEmpty)
        #expect(fired(stage.wait(1)) == ["b", "c"], "the piece is under way")
    }

    @Test func goFiresTheStandbyAndMovesItOn() {
        var stage = Stage(evening(list))
        #expect(
            stage.say("go") == [
                .fireCue(list[0], CueFiringDetails(isAutomatic: false, by: "anna")), .standbyChanged("b"),
            ])
        stage.wait(500)
        #expect(fired(stage.say("go")) == ["b"])
        #expect(stage.state.standby == "c")
    }

    @Test func aSecondGoWithinTheGuardIsAMisfire() {
        var stage = Stage(evening(list))
        stage.say("go")
        stage.wait(499)
        #expect(refusal(stage.say("go")) == .misfire)
        #expect(stage.state.standby == "b")
        stage.wait(1)
        #expect(fired(stage.say("go")) == ["b"])
    }

    @Test func aGoRightBehindTheAutomaticCueDoesNotFireTheNext() {
        var stage = Stage(evening(list))
        stage.hear(0)
        stage.wait(200)
        #expect(refusal(stage.say("go")) == .misfire)
    }

    @Test func goFiresTheCueThatItNamesAndNoOther() {
        var cues = list
        cues[3].id = "c7"
        cues[3].name = "Lights blue"
        var stage = Stage(evening(cues))
        for words in ["go c7", "go 7", "go lights BLUE"] {
            #expect(fired(stage.say(words)) == ["Lights blue"], "\(words)")
            #expect(stage.state.standby == "a", "the standby stays")
            #expect(refusal(stage.say(words)) == .misfire, "the same packet twice")
            stage.wait(500)
        }
        #expect(refusal(stage.say("go 8")) == .noCue)
        #expect(refusal(stage.say("go nobody")) == .noCue)
        #expect(fired(stage.say("go a")) == ["a"])
        #expect(stage.state.standby == "b", "it was the one on standby")
        #expect(fired(stage.say("go c7")) == ["Lights blue"], "another cue is no repeat")
        stage.say("panic")
        #expect(refusal(stage.say("go c7")) == .panic)
    }

    @Test func aNameOfTwoCuesIsRefusedWithTheirIDs() {
        var cues = list
        cues[1].name = "Blue"
        cues[2].name = "blue"
        #expect(cues[2].id == "c")
        var stage = Stage(evening(cues))
        #expect(refusal(stage.say("go blue")) == .noCue)
        #expect(fired(stage.say("go c")) == ["blue"])
    }

    @Test func whatGoHasFiredDoesNotFireByItself() {
        var stage = Stage(evening(list))
        stage.say("go")
        #expect(fired(stage.hear(0)).isEmpty)
    }

    @Test func theStandbyMovesWithoutFiring() {
        var stage = Stage(evening(list))
        stage.hear(3)
        #expect(stage.state.standby == "d")
        #expect(stage.say("standby next") == [.standbyChanged("e")])
        #expect(stage.say("standby previous") == [.standbyChanged("d")])
        #expect(stage.say("standby a") == [.standbyChanged("a")])
        #expect(refusal(stage.say("standby previous")) == .noCue)
        #expect(refusal(stage.say("standby nobody")) == .noCue)
        #expect(stage.say("standby none") == [.standbyChanged(nil)])
        #expect(refusal(stage.say("go")) == .noCue)
        stage.say("goto 12")
        #expect(stage.state.standby == nil)
        stage.say("piece 1")
        #expect(stage.state.standby == "a")
    }

    @Test func aManualCueStaysOnStandbyWhileTheMusicGoesOn() {
        var stage = Stage(evening(list))
        stage.play(3...8)
        #expect(stage.state.standby == "d")
    }

    @Test func anEarlyCueFiresAheadByTempo() {
        var stage = Stage(evening([cue("early", at: 4, early: 500)]))
        stage.hear(3, tempo: 2)
        // The measure lasts one second at this tempo.
        #expect(stage.podium.nextTickDue == ShowTime(milliseconds: 500))
        stage.now = ShowTime(milliseconds: 499)
        #expect(stage.take(.tick).isEmpty)
        stage.now = ShowTime(milliseconds: 500)
        let effects = stage.take(.tick)
        #expect(
            effects.first
                == .fireCue(
                    stage.podium.course.pieces[0].cues.cues[0],
                    CueFiringDetails(isAutomatic: true, aheadMilliseconds: 500)))
        stage.now = ShowTime(milliseconds: 1_000)
        #expect(fired(stage.hear(4, tempo: 2)).isEmpty)
    }

    @Test func earlinessMayBeLongerThanAMeasure() {
        var stage = Stage(evening([cue("early", at: 4, early: 5_000)]))
        stage.hear(0, 0, .waiting)
        stage.hear(0)
        stage.wait(2_000)
        stage.hear(1)
        #expect(fired(stage.wait(999)).isEmpty)
        #expect(fired(stage.wait(1)) == ["early"])
    }

    @Test func aPredictionEndsAtTheBarLine() {
        var stage = Stage(evening([cue("early", at: 5, early: 500)]))
        stage.hear(3)
        #expect(fired(stage.wait(6_000)).isEmpty)
    }

    @Test func anEarlyCueWaitsWhileThePositionStands() {
        for stop in ["hold", "take", "pause-all", "panic"] {
            var stage = Stage(evening([cue("early", at: 4, early: 500)]))
            stage.hear(3)
            stage.say(stop)
            #expect(fired(stage.wait(5_000)).isEmpty, "\(stop)")
        }
        var stage = Stage(evening([cue("early", at: 4, early: 500)]))
        stage.hear(3)
        stage.hear(3, 0.1, .lost)
        #expect(fired(stage.wait(5_000)).isEmpty)
    }

    @Test func aCueWithoutEarlinessIsNeverEarly() {
        var stage = Stage(evening([cue("slide", at: 4, kind: .slide)]))
        stage.hear(3)
        #expect(fired(stage.wait(6_000)).isEmpty)
        #expect(fired(stage.hear(4)) == ["slide"])
    }

    @Test func aMessageCueSendsItsMessage() throws {
        var stage = Stage(
            evening([cue("welcome", at: 1, kind: .message, payload: "Welcome|Enjoy.|BUTTON|OK")]))
        stage.hear(0)
        let message = try PushMessage(title: "Welcome", body: "Enjoy.", style: .button, buttonText: "OK")
        #expect(stage.hear(1).contains(.showMessage(message)))
        #expect(stage.state.message == message)
    }

    @Test func theCountdownIsInMeasuresAndSeconds() {
        var stage = Stage(evening(list))
        #expect(stage.podium.cueCountdown(at: .zero) == CueCountdown(cue: "a", measures: 0, seconds: nil))
        stage.hear(3, 0.5)
        #expect(stage.podium.cueCountdown(at: .zero) == CueCountdown(cue: "d", measures: 1, seconds: 1))
        #expect(
            stage.podium.cueCountdown(at: ShowTime(milliseconds: 500))
                == CueCountdown(cue: "d", measures: 1, seconds: 0.5))
        stage.say("take")
        #expect(stage.podium.cueCountdown(at: .zero) == CueCountdown(cue: "d", measures: 1, seconds: nil))
        stage.say("goto 12")
        #expect(stage.podium.cueCountdown(at: .zero) == nil)
    }

    @Test func rulesOfCuesAreKept() {
        func fault(_ cue: Cue) -> CueFault? {
            do throws(CueFault) { _ = try CueList([cue], measureCount: 16) } catch { return error }
            return nil
        }
        #expect(fault(cue("x", at: 16)) == .noSuchMeasure(cue: "x", played: 16))
        #expect(fault(cue("", at: 1)) == .noName(place: "p:1"))
        #expect(fault(cue("x", at: 1, early: -1)) == .earlinessOutOfRange(cue: "x", milliseconds: -1))
        #expect(fault(cue("x", at: 1, kind: .slide, early: 1)) == .slideWithEarliness(cue: "x"))
        #expect(fault(cue("x", at: 1, kind: .osc)) == .noAddress(cue: "x"))
        #expect(fault(cue("x", at: 1, kind: .mqtt)) == .noTopic(cue: "x"))
        #expect(
            fault(cue("x", at: 1, kind: .message, payload: "a"))
                == .wrongMessageFieldCount(cue: "x", found: 1))
        #expect(throws: CueFault.sameIDTwice("x")) {
            _ = try CueList([cue("x", at: 1), cue("x", at: 2)], measureCount: 16)
        }
    }
}
