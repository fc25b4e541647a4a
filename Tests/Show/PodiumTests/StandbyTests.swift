import Foundation
import Podium
import Testing

@Suite struct StandbyTests {
    private let list = [
        cue("a", at: 0), cue("b", at: 2, auto: false), cue("c", at: 4, auto: false),
        cue("d", at: 8, auto: false),
    ]

    @Test func aNudgeKeepsTheStandbyThatAPersonChose() {
        for follows in [true, false] {
            var stage = Stage(evening(list))
            stage.hear(1)
            if !follows { stage.say("take") }
            stage.say("standby d")
            stage.say("nudge 1")
            stage.say("nudge -1")
            #expect(stage.state.standby == "d", "while the follower \(follows ? "follows" : "does not")")
        }
    }

    @Test func aNudgeMovesTheStandbyThatFollowsFromThePosition() {
        var stage = Stage(evening(list))
        stage.hear(1)
        #expect(stage.state.standby == "b")
        stage.say("nudge 2")
        #expect(stage.state.standby == "c")
    }

    @Test func aChoiceEndsWithItsCueWithAGotoAndWithAnotherPiece() {
        for ending in [PodiumCommand.fireStandbyCue, .goTo(.playedMeasure(2)), .beginPiece(0, .beginning)] {
            var stage = Stage(evening(list))
            stage.hear(1)
            stage.wait(1_000)
            stage.say("standby d")
            stage.take(.command(ending, by: anna))
            stage.say("nudge 1")
            let next = list.first { $0.played >= stage.played && !stage.state.fired.contains($0.id) }
            #expect(next != nil && next?.id != "d" && stage.state.standby == next?.id, "\(ending)")
        }
    }

    /// Logs of shows begun before this rule must replay to the effects they hold.
    @Test func aShowBegunBeforeThisRuleGoesOnByTheOldOne() throws {
        var stage = Stage(evening(list))
        stage.hear(1)
        var state = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(stage.state)) as? [String: Any])
        #expect(state.removeValue(forKey: "standbyRules") != nil)
        #expect(state["chosenStandby"] == nil && state["failed"] == nil)
        let old = try JSONDecoder().decode(
            PodiumState.self, from: JSONSerialization.data(withJSONObject: state))
        stage.podium = Podium(course: evening(list), continuing: old)
        stage.say("standby d")
        stage.say("nudge 1")
        #expect(stage.state.standby == "b")
        let again =
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(stage.state)) as? [String: Any]
        #expect(again?["standbyRules"] == nil && again?["chosenStandby"] == nil)
    }

    // MARK: Missed cues

    @Test func aMissedCueLeavesItsPlaceToTheNextByHandAndAfterEightMeasures() {
        var stage = Stage(
            evening([cue("a", at: 0, auto: false), cue("b", at: 6, auto: false), cue("c", at: 15)]))
        stage.play(0...5)
        #expect(stage.state.standby == "a", "a person may be late")
        stage.hear(6)
        #expect(stage.state.standby == "b")
        stage.wait(2_000)
        stage.play(7...14)
        #expect(stage.state.standby == "b")
        stage.hear(15)
        #expect(stage.state.standby == nil, "b is long over, and c has fired by itself")
    }

    @Test func aMissedCueThatAPersonChoseStays() {
        var stage = Stage(evening([cue("a", at: 0, auto: false), cue("b", at: 6, auto: false)]))
        stage.hear(0)
        stage.say("standby a")
        stage.play(1...14)
        #expect(stage.state.standby == "a")
    }

    @Test func afterALateGoTheNextCueIsOneThatHasNotFiredAndIsNotOver() {
        var stage = Stage(
            evening([
                cue("a", at: 0, auto: false), cue("b", at: 2), cue("c", at: 4), cue("d", at: 12, auto: false),
            ]))
        stage.play(0...5)
        #expect(fired(stage.say("go")) == ["a"])
        #expect(stage.state.standby == "d")
    }

    @Test func aListIsGoneThroughAgainFromACueThatAPersonChose() {
        var stage = Stage(evening([cue("a", at: 0), cue("b", at: 2), cue("c", at: 4)]))
        stage.play(0...5)
        stage.say("standby a")
        for id in ["a", "b", "c"] {
            #expect(fired(stage.say("go")) == [id])
            stage.wait(2_000)
        }
        #expect(stage.state.standby == nil)
    }

    // MARK: Cues that failed

    private let failure = FailedCue(piece: 0, cue: "b")

    @Test func aFailedCueStaysFailedUntilItIsSentAlsoOverARestart() {
        var stage = Stage(evening(list))
        stage.hear(1)
        stage.say("go")
        #expect(!stage.state.hasFailed(failure))
        stage.take(.fault(TechnicalFault(id: failure.faultID, sentence: "Nobody is there.")))
        #expect(stage.state.hasFailed(failure) && stage.state.failedCues == [failure])
        #expect(!stage.state.hasFailed(FailedCue(piece: 1, cue: "b")))
        stage.take(.restarted)
        #expect(stage.state.hasFailed(failure))
        stage.take(.faultEnded(failure.faultID))
        #expect(!stage.state.hasFailed(failure))
    }

    @Test func aNewPassAndAnEditThatTakesItOutForgetIt() {
        for ending in [
            PodiumEvent.command(.beginPiece(0, .beginning), by: anna),
            .programmeChanged(evening([cue("a", at: 0)])),
        ] {
            var stage = Stage(evening(list))
            stage.take(.fault(TechnicalFault(id: failure.faultID, sentence: "Nobody is there.")))
            stage.take(ending)
            #expect(stage.state.failedCues.isEmpty)
        }
    }

    @Test(arguments: ["cue-b", "cue", "cue:b", "cue:0:b", "cue:x:b", "input"])
    func otherFaultsAreAboutNoCue(id: String) {
        #expect(FailedCue(fault: id) == nil)
    }

    @Test func aCuesOwnIDMayHoldColons() {
        #expect(FailedCue(fault: "cue:2:a:b") == FailedCue(piece: 1, cue: "a:b"))
        #expect(FailedCue(piece: 1, cue: "a:b").faultID == "cue:2:a:b")
    }
}
