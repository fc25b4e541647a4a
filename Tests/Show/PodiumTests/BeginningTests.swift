import Concert
import Following
import Podium
import Score
import Testing

/// Before the first bar: arming, “begin”, tuning, false starts and the cues of the first bars.
@Suite struct BeginningTests {
    private func stage(
        _ arming: ShowArming = .atOnce, cues: [Cue] = [], second: [Cue] = []
    ) -> Stage {
        var settings = PodiumSettings()
        settings.arming = arming
        return Stage(evening(cues, second: second), settings: settings, isUnderWay: false)
    }

    /// The follower is followed surely along the reference, measures of two seconds.
    private func playFromBeginning(_ stage: inout Stage, piece: Int = 0, through last: Int = 3) {
        stage.play(0...last, piece: piece)
    }

    // MARK: Not yet

    @Test func beforeItIsArmedNothingIsShownOrFired() {
        var stage = stage(.byHand, cues: [cue("light", at: 0)])
        #expect(stage.state.stage == .notYet)
        stage.play(0...8)
        #expect(stage.state.stage == .notYet)
        #expect(shown(stage.effects).isEmpty && fired(stage.effects).isEmpty)
        #expect(stage.state.mode == .waiting && stage.state.view == .ended)
        #expect(stage.state.heard == nil)
    }

    @Test func armedItWaitsForTheFirstBarAndForgetsWhatWasHeard() {
        var stage = stage(.byHand)
        stage.play(0...8)
        let effects = stage.say("arm on")
        #expect(
            effects.contains(.makeFollowerWait(piece: 0, at: ScorePosition(played: 0, fraction: 0), order: 1))
        )
        #expect(stage.state.stage == .armed && stage.played == 0 && stage.state.view == .ended)
        playFromBeginning(&stage)
        #expect(stage.state.stage == .underWay)
        #expect(shown(stage.effects) == [0, 1, 2, 3])
    }

    @Test func aShowFromTheCommandLineIsArmedAtOnce() {
        var stage = stage()
        #expect(stage.state.stage == .armed)
        playFromBeginning(&stage)
        #expect(stage.state.stage == .underWay)
    }

    @Test func armingCanBeTakenBackUntilTheMusicIsUnderWay() {
        var stage = stage(.byHand)
        stage.say("arm on")
        stage.hear(0, 0.2)
        stage.say("arm off")
        #expect(stage.state.stage == .notYet && stage.state.view == .ended)
        stage.say("arm on")
        playFromBeginning(&stage)
        #expect(refusal(stage.say("arm off")) == .notNow)
        #expect(stage.state.stage == .underWay)
    }

    @Test func aRehearsalIsFollowedWithoutArming() {
        var stage = stage(.byHand)
        stage.say("rehearsal on")
        stage.play(0...3)
        #expect(stage.state.mode == .following && stage.played == 3)
        #expect(refusal(stage.say("arm on")) == .notNow)
        stage.hear(3, 0.9, .waiting)
        stage.say("rehearsal off")
        #expect(stage.state.stage == .notYet && stage.played == 0)
        stage.play(0...3)
        #expect(shown(stage.effects).isEmpty)
    }

    @Test(arguments: ["tap", "goto 3", "bar-is-now 2", "piece 1", "piece 2 3"])
    func whoeverSaysWhereTheMusicIsArms(_ words: String) {
        var stage = stage(.byHand)
        stage.say(words)
        #expect(stage.state.view == .live && !stage.state.isAwaitingArming)
    }

    // MARK: Begin

    @Test func beginIsOneKeyFromEveryStage() {
        for arming in ShowArming.allCases {
            var stage = stage(arming, cues: [cue("light", at: 0), person("curtain", at: 0)])
            let effects = stage.say("begin")
            #expect(
                effects.contains(.beginMusic(piece: 0, at: ScorePosition(played: 0, fraction: 0), order: 1)))
            #expect(shown(effects) == [0] && fired(effects) == ["light", "curtain"])
            #expect(stage.state.stage == .underWay && !stage.state.isAwaitingArming)
        }
    }

    @Test func beginFallsOnTheFirstBarAfterTuningWasTakenForTheMusic() {
        var stage = stage()
        stage.play(0...5)
        #expect(stage.state.stage == .underWay)
        stage.say("begin")
        #expect(stage.played == 0 && stage.state.shown?.played == 0)
        stage.hear(1)
        #expect(stage.played == 1)
    }

    @Test func aFalseStartIsBegunAgainWithinAMinute() {
        var stage = stage()
        stage.say("begin")
        stage.play(0...2)
        stage.hear(2, 0.5, isSilent: true)
        stage.wait(20_000)
        #expect(refusal(stage.say("begin")) == nil)
        #expect(stage.played == 0)
        stage.play(0...7)
        stage.wait(60_000)
        stage.hear(8)
        #expect(refusal(stage.say("begin")) == .notNow)
        #expect(stage.played == 8)
    }

    @Test func twoPressesOfOneHandAreOne() {
        var stage = stage()
        stage.say("begin")
        stage.wait(200)
        #expect(refusal(stage.say("begin")) == .misfire)
    }

    @Test func beginDoesNothingWhileEverythingIsPausedOrNobodyMay() {
        var stage = stage()
        stage.say("pause-all")
        #expect(refusal(stage.say("begin")) == .notNow)
        stage.say("resume-all")
        #expect(refusal(stage.say("begin", by: conductor)) == .notAllowed)
        stage.say("take")
        #expect(refusal(stage.say("begin")) == nil)
        #expect(stage.state.holder == .automaticFollower)
    }

    // MARK: Tuning

    @Test func aPlaceFarFromTheBeginningIsNotBelievedAtOnce() {
        var stage = stage(cues: [cue("far", at: 10)])
        stage.hear(9, jumped: true, confidence: 0.98)
        stage.wait(2_000)
        stage.hear(10, confidence: 0.98)
        stage.wait(2_000)
        #expect(shown(stage.effects).isEmpty && fired(stage.effects).isEmpty)
        #expect(stage.state.mode == .waiting)
        // The orchestra breathes, and the first bar follows.
        stage.hear(10, 0.5, .waiting, isSilent: true)
        playFromBeginning(&stage)
        #expect(shown(stage.effects) == [0, 1, 2, 3])
    }

    @Test func musicThatBeganElsewhereIsShownOnceItIsProven() {
        var stage = stage(cues: [cue("first", at: 0), cue("here", at: 13)])
        stage.play(9...12)
        #expect(shown(stage.effects).first == 11, "six seconds after it was first followed")
        stage.play(13...13)
        #expect(fired(stage.effects) == ["here"])
        #expect(notices(stage.effects).contains("cue-skipped"))
    }

    @Test func aHeldToneProvesNothing() {
        var stage = stage(cues: [cue("light", at: 0)])
        for _ in 0..<40 {
            stage.hear(0, 0.4, tempo: 0, confidence: 0.98)
            stage.wait(500)
        }
        #expect(fired(stage.effects).isEmpty)
        #expect(stage.state.stage == .armed)
    }

    @Test func aFollowerThatOnlyCoastsProvesNothing() {
        var stage = stage(cues: [cue("light", at: 0)])
        stage.hear(0)
        stage.wait(1_500)
        stage.hear(0, 0.75, .coasting)
        stage.wait(2_000)
        stage.hear(1, 0.7, .coasting)
        #expect(fired(stage.effects).isEmpty && stage.state.stage == .armed)
    }

    @Test func silenceBeforeThePieceIsUnderWayLeadsBackToItsBeginning() {
        var stage = stage()
        stage.hear(0, 0.2)
        stage.wait(1_000)
        stage.hear(1, confidence: 0.6)
        #expect(stage.state.view == .live)
        let effects = stage.hear(1, 0.2, isSilent: true)
        #expect(effects.contains(.endLivePosition))
        #expect(stage.played == 0 && stage.state.stage == .armed && stage.state.mode == .waiting)
        playFromBeginning(&stage)
        #expect(stage.state.stage == .underWay)
    }

    @Test func theEndOfAHoldBeforeThePieceIsUnderWayLooksForTheFirstBar() {
        var stage = stage()
        stage.say("hold")
        for played in [3, 11, 12] {
            stage.hear(played, jumped: true)
            stage.wait(1_500)
        }
        stage.hear(12, 0, .lost, candidates: [12, 5])
        let effects = stage.say("resume")
        #expect(
            effects.contains(.makeFollowerWait(piece: 0, at: ScorePosition(played: 0, fraction: 0), order: 1))
        )
        #expect(stage.played == 0 && stage.state.mode == .waiting && stage.state.askedHelp == nil)
        playFromBeginning(&stage)
        #expect(shown(stage.effects) == [0, 1, 2, 3])
    }

    @Test func theEndOfAHoldInThePieceGoesOnWithTheMusic() {
        var stage = stage()
        playFromBeginning(&stage)
        stage.say("hold")
        stage.hear(4)
        stage.say("resume")
        #expect(stage.played == 4)
    }

    // MARK: Cues of the first bars

    @Test func cuesOfTheFirstBarsWaitUntilThePieceIsUnderWay() {
        var stage = stage(cues: [cue("one", at: 0), cue("two", at: 1), cue("three", at: 2)])
        stage.hear(0)
        stage.wait(2_000)
        stage.hear(1)
        #expect(fired(stage.effects).isEmpty)
        let effects = stage.wait(1_100)
        #expect(
            fired(effects) == ["one", "two"], "three seconds after the first bar, without a further report")
        #expect(fired(stage.hear(2)) == ["three"])
    }

    @Test func aCueThatWaitsForAPersonFiresOnlyIfSomebodyBegan() {
        var unattended = stage(cues: [person("curtain", at: 1), cue("light", at: 1)])
        playFromBeginning(&unattended)
        #expect(fired(unattended.effects) == ["light"])
        #expect(notices(unattended.effects).contains("cue-skipped"))
        var attended = stage(cues: [person("curtain", at: 1), cue("light", at: 1)])
        attended.say("begin")
        playFromBeginning(&attended)
        #expect(fired(attended.effects) == ["curtain", "light"])
    }

    @Test func aCueBeforeItsMeasureWaitsToo() {
        var stage = stage(cues: [cue("early", at: 1, early: 500)])
        stage.hear(0)
        stage.wait(1_900)
        #expect(fired(stage.effects).isEmpty)
    }

    // MARK: Between pieces

    @Test func eachPieceCanWaitToBeArmed() {
        var stage = stage(.eachPiece, second: [cue("second", at: 0)])
        stage.say("begin")
        stage.play(0...15)
        stage.hear(15, 1, .finished)
        #expect(stage.state.stage == .notYet && stage.state.shown?.played == 15)
        // Retuning.
        stage.play(0...4, piece: 1)
        #expect(stage.state.piece == 0 && stage.state.shown?.played == 15)
        let effects = stage.say("arm on")
        #expect(effects.contains(.endLivePosition))
        #expect(stage.state.piece == 1 && stage.state.stage == .armed)
        playFromBeginning(&stage, piece: 1)
        #expect(stage.state.stage == .underWay && fired(stage.effects) == ["second"])
    }

    @Test func withoutThatTheNextPieceBeginsByItself() {
        var stage = stage(second: [cue("second", at: 0)])
        stage.play(0...15)
        stage.hear(15, 1, .finished)
        stage.hear(0, piece: 1)
        #expect(stage.state.piece == 1 && stage.state.shown?.piece == 1)
        #expect(fired(stage.effects).isEmpty)
        stage.wait(2_000)
        stage.hear(1, piece: 1)
        stage.wait(2_000)
        #expect(fired(stage.effects) == ["second"])
    }

    @Test func afterARestartBetweenTwoPiecesTheNextOneStillBeginsByItself() {
        var stage = stage(second: [cue("second", at: 0)])
        stage.play(0...12)
        stage.hear(12, 1, .finished)
        let effects = stage.take(.restarted)
        #expect(
            effects.contains(.makeFollowerWait(piece: 1, at: ScorePosition(played: 0, fraction: 0), order: 1))
        )
        #expect(stage.state.mode == .finished && stage.state.piece == 0)
        stage.hear(0, piece: 1, .waiting)
        #expect(stage.state.mode == .finished && stage.state.shown?.played == 12)
        stage.hear(0, piece: 1)
        #expect(stage.state.piece == 1 && stage.state.shown?.piece == 1)
        stage.wait(2_000)
        stage.hear(1, piece: 1)
        stage.wait(2_000)
        #expect(fired(stage.effects) == ["second"])
    }

    @Test func afterTheIntermissionTheNextPieceIsAwaitedFromItsFirstBar() {
        var stage = stage()
        stage.play(0...15)
        stage.hear(15, 1, .finished)
        stage.say("intermission on")
        #expect(stage.state.stage == .intermission)
        // House music that the follower takes for the next piece.
        stage.hear(4, piece: 1, jumped: true)
        stage.wait(2_000)
        let effects = stage.say("intermission off")
        #expect(
            effects.contains(.makeFollowerWait(piece: 1, at: ScorePosition(played: 0, fraction: 0), order: 1))
        )
        #expect(stage.state.stage == .armed && stage.state.piece == 1 && stage.state.view == .ended)
        playFromBeginning(&stage, piece: 1)
        #expect(stage.state.shown?.piece == 1)
    }

    @Test func beginAfterAPieceBeginsTheNext() {
        var stage = stage()
        stage.play(0...15)
        stage.hear(15, 1, .finished)
        stage.say("begin")
        #expect(stage.state.piece == 1 && stage.state.stage == .underWay)
    }

    // MARK: The state survives

    @Test(arguments: ShowArming.allCases)
    func everyStageSurvivesARestartAndATakeover(_ arming: ShowArming) throws {
        for script in [[], ["arm on"], ["arm on", "begin"], ["arm on", "intermission on"]] {
            var stage = stage(arming, cues: [person("curtain", at: 2)])
            for words in script { stage.say(words) }
            let before = stage.state.stage
            let copied = try back(json(stage.state), as: PodiumState.self)
            #expect(copied == stage.state)
            stage.podium = Podium(
                course: stage.podium.course, settings: stage.podium.settings, continuing: copied)
            stage.take(.failoverTermChanged(2))
            stage.take(.restarted)
            #expect(stage.state.stage == before)
            if before == .notYet {
                stage.play(0...4)
                #expect(shown(stage.effects).isEmpty)
            }
            if script.last == "begin" {
                stage.play(1...3)
                #expect(fired(stage.effects) == ["curtain"])
            }
        }
    }

    @Test func underTheRulesOfOlderLogsNothingIsAwaited() {
        var settings = PodiumSettings()
        settings.rules = 8
        var stage = Stage(evening([cue("light", at: 0)]), settings: settings, isUnderWay: false)
        #expect(stage.state.beginning == nil)
        #expect(fired(stage.hear(0)) == ["light"])
        #expect(shown(stage.hear(9, jumped: true, confidence: 0.9)).isEmpty)
        #expect(stage.state.mode == .lost)
    }
}

/// A cue that waits for a person.
private func person(_ name: String, at played: Int) -> Cue {
    Cue(
        id: name, place: .playedMeasure(played), played: played, name: name, kind: .note, waitsForPerson: true
    )
}
