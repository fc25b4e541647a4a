import Following
import Foundation
import Podium
import Score
import Testing

/// After the follower was lost, or has jumped far, its place must prove itself before anybody is led by it.
@Suite struct ProofTests {
    @Test func aFarJumpIsShownOnceTheFollowerHasBeenSureOfItForAWhile() {
        var stage = Stage()
        stage.hear(9)
        #expect(shown(stage.hear(4, jumped: true)).isEmpty)
        #expect(stage.state.mode == .lost)
        #expect(shown(stage.wait(2_999)).isEmpty)
        #expect(shown(stage.wait(1)) == [4])
        #expect(stage.state.mode == .following)
    }

    @Test func whatIsFoundAfterBeingLostMustStaySure() {
        var stage = Stage()
        stage.hear(5)
        stage.hear(5, 0, .lost)
        stage.hear(6)
        stage.wait(2_000)
        stage.hear(6, 0.9, confidence: 0.4)
        #expect(shown(stage.wait(5_000)).isEmpty)
        stage.hear(7)
        #expect(shown(stage.wait(3_000)) == [7])
    }

    @Test func foreignMusicMovesNobodyAndFiresNothing() {
        var stage = Stage(evening([cue("x", at: 10), cue("y", at: 12)]))
        stage.play(3...5)
        stage.effects = []
        // Places it believes in for a second or two, as when another piece is played for half a minute.
        for (played, confidence) in [(9, 0.6), (10, 0.8), (2, 0.9), (11, 0.7), (12, 0.85), (3, 0.45)] {
            stage.hear(played, jumped: true, confidence: confidence)
            stage.wait(2_000)
            stage.hear(played, 0.9, .lost, confidence: 0.1)
            stage.wait(1_500)
        }
        #expect(shown(stage.effects).isEmpty)
        #expect(fired(stage.effects).isEmpty)
        #expect(stage.state.shown?.played == 5)
        stage.hear(6, jumped: true)
        #expect(shown(stage.wait(3_000)) == [6])
        #expect(fired(stage.hear(10)) == ["x"])
    }

    @Test func aHallWhereTheFollowerIsNeverQuiteSureIsFollowedLater() {
        var stage = Stage()
        stage.hear(5, confidence: 0.6)
        stage.hear(5, 0, .lost)
        stage.hear(6, confidence: 0.6)
        #expect(shown(stage.wait(7_999)).isEmpty)
        #expect(shown(stage.wait(1)) == [6])
    }

    @Test func aSmallCorrectionNeedsNoProof() {
        var stage = Stage()
        stage.hear(9)
        #expect(shown(stage.hear(8, jumped: true)) == [8])
        #expect(shown(stage.hear(10, jumped: true)) == [10])
    }

    @Test func aSmallJumpThatIsHardlyBelievedNeedsProof() {
        var stage = Stage()
        stage.hear(9)
        #expect(shown(stage.hear(10, jumped: true, confidence: 0.3)).isEmpty)
        stage.hear(10, 0.2)
        #expect(shown(stage.wait(3_000)) == [10])
    }

    @Test func theProvenPlaceIsWhereTheMusicIsByThen() {
        var stage = Stage()
        stage.hear(9)
        stage.hear(3, 0.1, jumped: true, tempo: 0.5)
        stage.wait(3_000)
        // A measure of two seconds at half the tempo: three quarters of it in three seconds.
        #expect(abs(stage.podium.position(at: stage.now).fraction - 0.85) < 0.01)
    }

    @Test func aPersonWhoKnowsNeedsNoProof() {
        for words in ["choose 1", "bar-is-now 3/1", "goto 3/1"] {
            var stage = Stage()
            stage.hear(9)
            stage.hear(2, jumped: true)
            #expect(shown(stage.say(words)) == [2], "\(words)")
        }
    }

    @Test func theDoubtfulPlaceIsOfferedToChoose() {
        var stage = Stage()
        stage.hear(9)
        let effects = stage.hear(2, jumped: true, confidence: 0.8)
        #expect(effects.contains(.askForHelp([CandidateMeasure(played: 2, printed: 3, probability: 0.8)])))
        #expect(stage.wait(3_000).contains(.helpOver))
    }

    @Test func givingBackInDoubtKeepsWhatTheAudienceSees() {
        var stage = Stage()
        stage.hear(9)
        stage.say("take")
        stage.hear(2, jumped: true)
        #expect(shown(stage.say("release")).isEmpty)
        #expect(shown(stage.wait(3_000)) == [2])
    }

    @Test func inARehearsalAJumpIsFollowedAtOnce() {
        var stage = Stage()
        stage.say("rehearsal on")
        stage.hear(9)
        stage.hear(2, jumped: true)
        #expect(stage.played == 2)
    }

    @Test func anotherPieceIsFollowedAtOnce() {
        var stage = Stage()
        stage.hear(9)
        stage.hear(9, 0, .lost)
        #expect(shown(stage.hear(1, piece: 1)) == [1])
        #expect(shown(stage.hear(3, piece: 0, jumped: true)) == [3])
    }

    @Test func aLogFromBeforeLeadsToWhatItLedTo() throws {
        let old = """
            {"goGuard":500,"lateBeginning":8,"longestCoast":8000,"longestSilence":6500,"nudgeKeepsFollowing":true,
            "panicWindow":3000,"rehearsalCues":false,"tapGuard":120}
            """
        let settings = try JSONDecoder().decode(PodiumSettings.self, from: Data(old.utf8))
        #expect(settings.rules == 1)
        var stage = Stage(settings: settings)
        stage.hear(9)
        #expect(shown(stage.hear(4, jumped: true)) == [4])
        for part in 1...3 {
            stage.hear(4, Double(part) / 4, .coasting)
            stage.wait(4_000)
        }
        #expect(stage.state.mode == .held)
        let before = Stage(settings: settings).state
        for key in ["doubt", "heard", "hasBeenLive", "wasLive"] { #expect(!json(before).contains(key)) }
        #expect(!json(stage.state).contains("heard\"") && !json(stage.state).contains("hasBeenLive"))
    }

    @Test func newSettingsAreReadBack() throws {
        #expect(try back(json(PodiumSettings()), as: PodiumSettings.self) == PodiumSettings())
    }
}

/// Cues that were passed or fired wrongly can be armed again.
@Suite struct RearmTests {
    private let list = [cue("a", at: 2), cue("b", at: 4), cue("c", at: 6)]

    @Test func firedCuesFireAgainFromHere() {
        var stage = Stage(evening(list))
        stage.play(0...6)
        stage.hear(1, jumped: true)
        stage.wait(3_000)
        stage.effects = []
        #expect(stage.say("rearm") == [.standbyChanged("a")])
        #expect(stage.state.standby == "a")
        stage.play(2...6)
        #expect(fired(stage.effects) == ["a", "b", "c"])
    }

    @Test func onlyThoseFromThePlaceOnDo() {
        var stage = Stage(evening(list))
        stage.play(0...6)
        stage.hear(1, jumped: true)
        stage.wait(3_000)
        stage.effects = []
        stage.say("rearm p:5")
        stage.play(2...6)
        #expect(fired(stage.effects) == ["c"])
    }

    @Test func theMeasureThatSoundsFiresNothingAtOnce() {
        var stage = Stage(evening(list))
        stage.play(0...4)
        #expect(fired(stage.say("rearm p:0")).isEmpty)
        #expect(fired(stage.hear(4, 0.9)).isEmpty)
        #expect(stage.state.fired.isEmpty)
    }

    @Test func itIsRefusedToStandsAndForPlacesThatAreNot() {
        var stage = Stage(evening(list))
        #expect(refusal(stage.say("rearm", by: conductor)) == .notAllowed)
        #expect(refusal(stage.say("rearm 99")) == .noPlace)
    }
}

/// Silence is a mode of its own; what is said about a piece or the audience is true.
@Suite struct RestingTests {
    @Test func silenceIsNoHoldAndEndsWithTheSound() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0.5, .coasting, confidence: 0.3, isSilent: true)
        #expect(stage.state.mode == .resting)
        #expect(!stage.state.isHeld)
        stage.wait(60_000)
        stage.hear(3, 0.6, .coasting, confidence: 0.2, isSilent: true)
        #expect(stage.state.mode == .resting)
        #expect(shown(stage.hear(4)) == [4])
        #expect(stage.state.mode == .following)
    }

    @Test func aFollowerThatIsLostInSilenceAsksForNoHelp() {
        var stage = Stage()
        stage.hear(3)
        let effects = stage.hear(3, 0.5, .lost, candidates: [2, 9], isSilent: true)
        #expect(!effects.contains { if case .askForHelp = $0 { true } else { false } })
        #expect(stage.state.mode == .resting)
    }

    @Test func inSilenceThePositionStands() {
        var stage = Stage(evening([cue("x", at: 5)]))
        stage.hear(3)
        #expect(stage.hear(5, confidence: 0.4, isSilent: true).isEmpty)
        #expect(stage.played == 3)
    }

    @Test func afterAnIntermissionWhatWasLiveIsLiveAgain() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0.5, .lost, isSilent: true)
        stage.say("intermission on")
        #expect(stage.state.view == .ended)
        stage.wait(60_000)
        #expect(shown(stage.say("intermission off")) == [3])
        #expect(stage.state.view == .live)
    }

    @Test func anIntermissionBeforeTheFirstNoteShowsNothingAfterIt() {
        var stage = Stage()
        stage.say("intermission on")
        #expect(shown(stage.say("intermission off")).isEmpty)
        #expect(stage.state.hasBeenLive == nil)
    }

    @Test func aPieceCountsAsPlayedWhereMusicWasFollowedInIt() {
        var stage = Stage()
        stage.say("piece 2")
        #expect(stage.state.heard == nil)
        stage.hear(1, piece: 1)
        #expect(stage.state.heard == nil, "the piece is not under way")
        stage.play(2...3, piece: 1)
        #expect(stage.state.heard == [1])
        stage.hear(2, piece: 0, jumped: true)
        stage.play(3...5)
        #expect(stage.state.heard == [1, 0])
    }
}
