import Following
import Podium
import Score
import Testing

@Suite struct ByHandTests {
    @Test func nudgingAFollowerThatFollowsCorrectsItAndLeavesItTheBaton() {
        var stage = Stage()
        stage.hear(3, 0.5)
        let effects = stage.say("nudge 1")
        #expect(shown(effects) == [4])
        #expect(holders(effects).isEmpty)
        #expect(
            effects.contains(
                .anchorFollower(piece: 0, at: ScorePosition(played: 4, fraction: 0.5), order: 1)))
        #expect(stage.state.mode == .following)
        #expect(shown(stage.say("nudge -2")) == [2])
    }

    @Test func nudgingAnyOtherFollowerTakesTheBaton() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0, .lost)
        let effects = stage.say("nudge 1")
        #expect(holders(effects) == [.technician("anna")])
        #expect(shown(effects) == [4])
        #expect(stage.say("nudge 1").count == 1)
        #expect(stage.played == 5)
    }

    @Test func aNudgeTakesTheBatonWhereTheShowIsSetSo() {
        var settings = PodiumSettings()
        settings.nudgeKeepsFollowing = false
        var stage = Stage(settings: settings)
        stage.hear(3)
        #expect(holders(stage.say("nudge 1")) == [.technician("anna")])
    }

    @Test func aNudgeStopsAtTheEndsOfThePiece() {
        var stage = Stage()
        stage.hear(14)
        stage.say("nudge 9")
        #expect(stage.played == 15)
        #expect(refusal(stage.say("nudge 1")) == .noPlace)
        stage.say("nudge -999")
        #expect(stage.played == 0)
        #expect(refusal(stage.say("nudge -1")) == .noPlace)
    }

    @Test func goToTakesTheBatonAndFiresNothing() {
        var stage = Stage(evening([cue("skipped", at: 5), cue("there", at: 8), cue("after", at: 9)]))
        stage.hear(3)
        let effects = stage.say("goto B")
        #expect(holders(effects) == [.technician("anna")])
        #expect(shown(effects) == [8])
        #expect(fired(effects).isEmpty)
        #expect(notices(effects) == ["cue-skipped"])
        #expect(stage.state.standby == "there")
    }

    @Test func aPlaceThatIsPlayedTwiceMeansTheNearest() {
        var stage = Stage()
        stage.hear(4)
        stage.say("goto 3")
        #expect(stage.played == 6)
        stage.say("goto 2/1")
        #expect(stage.played == 1)
        stage.say("goto p:15")
        #expect(stage.played == 15)
    }

    @Test func aPlaceThatIsNotThereIsRefusedAndChangesNothing() {
        var stage = Stage()
        stage.hear(3)
        let before = stage.state
        for place in ["99", "1/3", "Z", "p:16"] {
            #expect(refusal(stage.say("goto \(place)")) == .noPlace, "\(place)")
        }
        #expect(stage.state == before)
    }

    @Test func eachTapBeginsAMeasure() {
        var stage = Stage()
        stage.hear(3)
        stage.wait(200)
        // Just behind the bar line: this measure is meant.
        #expect(holders(stage.say("tap")) == [.technician("anna")])
        #expect(stage.played == 3)
        for played in 4...6 {
            stage.wait(2_000)
            #expect(shown(stage.say("tap")) == [played])
        }
    }

    @Test func aTapJustBeforeTheBarLineMeansTheNextMeasure() {
        var stage = Stage()
        stage.hear(3)
        stage.wait(1_900)
        #expect(shown(stage.say("tap")) == [4])
    }

    @Test func afterTakingTheNextTapIsTheNextMeasure() {
        var stage = Stage()
        stage.hear(3)
        stage.wait(400)
        stage.say("take")
        stage.wait(1_500)
        #expect(shown(stage.say("tap")) == [4])
    }

    @Test func afterGoToTheFirstTapIsThatMeasureAndPlaysItsCue() {
        var stage = Stage(evening([cue("there", at: 8)]))
        stage.hear(3)
        stage.say("goto B")
        stage.wait(5_000)
        let effects = stage.say("tap")
        #expect(fired(effects) == ["there"])
        #expect(stage.played == 8)
        stage.wait(2_000)
        #expect(shown(stage.say("tap")) == [9])
    }

    @Test func withoutATapTheMeasureDoesNotGoOn() {
        var stage = Stage()
        stage.hear(3)
        stage.say("tap")
        #expect(stage.wait(600_000).isEmpty)
        #expect(stage.played == 3)
    }

    @Test func twoTapsAtOnceAreOne() {
        var stage = Stage()
        stage.hear(3)
        stage.say("tap")
        stage.wait(119)
        #expect(refusal(stage.say("tap")) == .misfire)
        stage.wait(1)
        #expect(shown(stage.say("tap")) == [4])
    }

    @Test func tapsTellTheTempo() {
        var stage = Stage()
        stage.hear(3)
        stage.say("tap")
        for _ in 1...8 {
            stage.wait(1_000)
            stage.say("tap")
        }
        // Measures of two seconds tapped every second.
        #expect(abs(stage.state.tempo - 2) < 0.02)
    }

    @Test func noTapGoesPastTheEnd() {
        var stage = Stage()
        stage.hear(15)
        stage.say("tap")
        stage.wait(2_000)
        #expect(refusal(stage.say("tap")) == .noPlace)
        #expect(stage.played == 15)
    }

    @Test func theBarIsNowGivesTheBatonBackAtThatPlace() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0, .lost)
        stage.say("goto 5")
        let effects = stage.say("bar-is-now")
        #expect(holders(effects) == [.automaticFollower])
        #expect(
            effects.contains(.anchorFollower(piece: 0, at: ScorePosition(played: 8, fraction: 0), order: 1)))
        #expect(stage.state.mode == .following)
        #expect(shown(stage.hear(9)) == [9])
    }

    @Test func theBarIsNowMeansTheNearestBarLineWhileTheFollowerHolds() {
        var stage = Stage(evening([cue("next", at: 4)]))
        stage.hear(3)
        stage.wait(1_800)
        let effects = stage.say("bar-is-now")
        #expect(shown(effects) == [4])
        #expect(fired(effects) == ["next"])
        stage.wait(300)
        #expect(shown(stage.say("bar-is-now")).isEmpty)
    }

    @Test func aCandidateIsChosenByItsNumber() {
        var stage = Stage(evening([cue("there", at: 9)]))
        stage.hear(5)
        stage.hear(5, 0, .lost, candidates: [2, 9])
        #expect(refusal(stage.say("choose 3")) == .noCandidate)
        let effects = stage.say("choose 2")
        #expect(shown(effects) == [9])
        #expect(effects.contains(.helpOver))
        #expect(fired(effects).isEmpty)
        #expect(stage.state.mode == .following)
        #expect(refusal(stage.say("choose 1")) == .noCandidate)
    }

    /// Printed 3 is played at 2 and at 6, the section A' begins at 4.
    @Test(arguments: [("p:9", 9), ("p:8", 9), ("3/1", 2), ("3/2", 6), ("B", 9), ("6/1", 9)])
    func aCandidateIsChosenByItsPlace(_ place: String, _ played: Int) {
        var stage = Stage()
        stage.hear(5)
        stage.hear(5, 0, .lost, candidates: [2, 9, 6])
        #expect(refusal(stage.say("choose " + place)) == nil)
        #expect(stage.played == played)
        #expect(stage.state.mode == .following)
    }

    @Test func aPlaceWhereNoCandidateIsIsRefusedWithThoseThatThereAre() {
        var stage = Stage()
        stage.hear(5)
        #expect(refusal(stage.say("choose p:9")) == .noCandidate)
        stage.hear(5, 0, .lost, candidates: [2, 9])
        let refused = stage.say("choose p:14")
        #expect(refusal(refused) == .noCandidate)
        guard case .refused(let refusal) = refused[0] else { return }
        #expect(refusal.sentence.contains("p:2 (measure 3), p:9 (measure 6)"))
        #expect(PodiumTests.refusal(stage.say("choose 99/1")) == .noPlace)
        #expect(stage.played == 5)
    }
}
