import Following
import Podium
import Score
import Testing

@Suite struct FollowingTests {
    @Test func aFollowerThatWaitsShowsNothing() {
        var stage = Stage()
        #expect(stage.hear(0, 0, .waiting).isEmpty)
        #expect(stage.state.view == .ended)
        #expect(stage.state.shown == nil)
    }

    @Test func theFirstMusicGoesLive() {
        var stage = Stage()
        stage.hear(0, 0, .waiting)
        let effects = stage.hear(0, 0.1)
        #expect(
            effects == [
                .showPosition(
                    AudiencePosition(
                        piece: 0, played: 0, printed: 1, epoch: BatonEpoch(term: 1, handoverCount: 0))
                ),
                .audienceViewChanged(.live),
            ])
    }

    @Test func aMeasureIsShownOnce() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.hear(3, 0.5).isEmpty)
        #expect(shown(stage.hear(4)) == [4])
    }

    @Test func theSecondTimeOfARepeatIsAnotherMeasure() {
        var stage = Stage()
        stage.play(3...4)
        #expect(stage.state.shown?.printed == 1)
        #expect(stage.state.shown?.played == 4)
    }

    @Test func lostFollowerKeepsTheLastTrustedMeasure() {
        var stage = Stage()
        stage.hear(5)
        let effects = stage.hear(7, 0, .lost, candidates: [2, 9])
        #expect(shown(effects).isEmpty)
        #expect(stage.played == 5)
        #expect(stage.state.mode == .lost)
        #expect(stage.state.candidates.map(\.played) == [2, 9])
    }

    @Test func helpIsAskedForOnceAndEnds() {
        var stage = Stage()
        stage.hear(5)
        #expect(stage.hear(5, 0, .lost, candidates: [2, 9]).count == 1)
        #expect(stage.hear(5, 0, .lost, candidates: [2, 9]).isEmpty)
        stage.hear(6)
        #expect(stage.wait(3_000).contains(.helpOver))
    }

    @Test func candidatesKeepTheirNumbers() {
        var stage = Stage()
        stage.hear(5)
        stage.hear(5, 0, .lost, candidates: [2, 9])
        stage.hear(5, 0, .lost, candidates: [9, 12, 3])
        #expect(stage.state.candidates.map(\.played) == [3, 9, 12])
        stage.hear(5, 0, .lost, candidates: [14, 12])
        #expect(stage.state.candidates.map(\.played) == [14, 9, 12])
        #expect(stage.state.candidates[1].probability == 0)
    }

    @Test func aCoastingFollowerIsBelievedForAWhile() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0.5, .coasting)
        #expect(stage.state.mode == .coasting)
        stage.wait(4_000)
        #expect(shown(stage.hear(5, 0, .coasting)) == [5])
        stage.wait(3_999)
        #expect(stage.state.mode == .coasting)
        stage.wait(1)
        #expect(stage.state.mode == .resting)
        #expect(stage.hear(7, 0, .coasting).isEmpty)
        #expect(stage.played == 5)
        #expect(shown(stage.hear(8)) == [8])
        #expect(stage.state.mode == .following)
    }

    @Test func aFollowerThatFallsSilentIsLost() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.wait(6_499).isEmpty)
        let effects = stage.wait(1)
        #expect(notices(effects) == ["follower-silent"])
        #expect(effects.contains(.askForHelp([])))
        #expect(stage.state.mode == .lost)
        #expect(stage.wait(60_000).isEmpty)
        #expect(stage.hear(4).contains(.helpOver))
        #expect(stage.state.mode == .following)
    }

    @Test func thePositionGoesBackOnlyWhereTheMusicJumped() {
        var stage = Stage()
        stage.hear(9)
        #expect(stage.hear(8).isEmpty)
        #expect(stage.hear(7).isEmpty)
        #expect(stage.played == 9)
        stage.hear(4, jumped: true)
        #expect(shown(stage.wait(3_000)) == [4])
        #expect(stage.hear(3).isEmpty)
        #expect(shown(stage.hear(5)) == [5])
    }

    @Test func aJumpWhileLostCountsWhenItIsFound() {
        var stage = Stage()
        stage.hear(9)
        stage.hear(9, 0, .lost)
        stage.hear(4, 0, .lost, jumped: true)
        #expect(stage.played == 9)
        stage.hear(4, 0.5)
        #expect(shown(stage.wait(3_000)) == [4])
        #expect(stage.hear(3).isEmpty)
    }

    @Test func withinAMeasureThePositionGoesOnByTempoAndWaitsAtTheBarLine() {
        var stage = Stage()
        stage.hear(3, 0.25, tempo: 2)
        #expect(
            stage.podium.position(at: ShowTime(milliseconds: 500)) == ScorePosition(played: 3, fraction: 0.75)
        )
        #expect(
            stage.podium.position(at: ShowTime(milliseconds: 5_000))
                == ScorePosition(played: 3, fraction: 0.999))
        #expect(stage.podium.position(at: .zero) == ScorePosition(played: 3, fraction: 0.25))
    }

    @Test func holdKeepsThePositionAndResumeCatchesUp() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.say("hold").isEmpty)
        #expect(stage.state.mode == .held)
        #expect(stage.hear(4).isEmpty)
        #expect(stage.hear(2, jumped: true).isEmpty)
        #expect(shown(stage.say("resume")) == [2])
        #expect(stage.say("resume").isEmpty)
    }

    @Test func thereIsNothingToHoldByHand() {
        var stage = Stage()
        stage.say("take")
        #expect(refusal(stage.say("hold")) == .notNow)
    }

    @Test func releaseEndsAHold() {
        var stage = Stage()
        stage.hear(3)
        stage.say("hold")
        stage.hear(4)
        #expect(shown(stage.say("release")) == [4])
        #expect(!stage.state.isHeld)
    }

    @Test func pauseStopsEverythingAndResumeCatchesUp() {
        var stage = Stage(evening([cue("late", at: 4)]))
        stage.hear(3)
        stage.say("pause-all")
        #expect(stage.hear(4).isEmpty)
        let effects = stage.say("resume-all")
        #expect(shown(effects) == [4])
        #expect(fired(effects).isEmpty)
    }

    @Test func wordsFromBeforeAnOrderAreIgnored() {
        var stage = Stage()
        stage.hear(3)
        let old = stage.word(4)
        stage.say("bar-is-now 9")
        #expect(stage.take(.followerReport(old)).isEmpty)
        #expect(stage.played == 12)
        #expect(shown(stage.hear(13)) == [13])
    }

    @Test func wordsOutsideTheProgrammeAreIgnored() {
        var stage = Stage()
        stage.hear(3)
        let before = stage.state
        for (piece, played) in [(-1, 0), (2, 0), (0, 16), (0, -1), (0, .max), (.max, 0)] {
            let word = FollowerReport(
                piece: piece, position: ScorePosition(played: played, fraction: 0), printed: 1,
                state: .following)
            #expect(stage.take(.followerReport(word)).isEmpty)
        }
        #expect(stage.state == before)
    }

    @Test func numbersOutOfRangeAreBroughtIntoIt() {
        let word = FollowerReport(
            piece: 0, position: ScorePosition(played: 1, fraction: .nan), printed: 1, tempo: -.infinity,
            confidence: 7, state: .following)
        #expect(word.position?.fraction == 0)
        #expect(word.tempo == 0)
        #expect(word.confidence == 1)
    }
}
