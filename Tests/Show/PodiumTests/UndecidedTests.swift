import Following
import Foundation
import Podium
import Score
import Testing

/// While the sound cannot decide between copies of a passage, the show does only what is right in all of them.
/// In the first piece the measures 1 to 4 are played twice (0 to 3, 4 to 7); 8 to 15 are the measures 5 to 12.
@Suite struct UndecidedTests {
    @Test func theLastCertainPlaceStaysAndTheCopiesAreOffered() {
        var stage = Stage()
        stage.play(2...5)
        #expect(shown(stage.hear(9, copies: [9, 13], jumped: true)).isEmpty)
        #expect(stage.state.mode == .undecided)
        #expect(stage.state.candidates.map(\.played) == [9, 13])
        #expect(stage.state.candidates.map(\.probability) == [0.5, 0.4])
        #expect(stage.state.askedHelp?.count == 2)
        #expect(shown(stage.wait(20_000)).isEmpty)
        #expect(shown(stage.hear(10, copies: [10, 14])).isEmpty)
        #expect(stage.state.shown?.played == 5)
    }

    @Test func whatTheSoundDecidesIsShownAtOnceIfThePassageWasSureForLongEnough() {
        var stage = Stage()
        stage.play(2...5)
        stage.hear(9, copies: [9, 13], jumped: true)
        stage.wait(2_000)
        stage.hear(10, copies: [10, 14])
        stage.wait(2_000)
        #expect(shown(stage.hear(11)) == [11])
        #expect(stage.state.mode == .following)
        #expect(stage.effects.contains(.helpOver))
        stage.hear(12)
        #expect(stage.state.candidates.isEmpty)
    }

    @Test func whatTheSoundDecidesAtOnceMustStillProveItself() {
        var stage = Stage()
        stage.play(2...5)
        stage.hear(9, copies: [9, 13], jumped: true)
        stage.wait(500)
        #expect(shown(stage.hear(9, 0.5)).isEmpty)
        #expect(shown(stage.wait(2_500)) == [9])
    }

    @Test func theOtherCopyIsShownIfTheSoundDecidesForIt() {
        var stage = Stage()
        stage.play(2...5)
        stage.hear(9, copies: [9, 13], jumped: true)
        stage.wait(4_000)
        #expect(shown(stage.hear(15, jumped: true)).isEmpty)
        #expect(shown(stage.wait(3_000)) == [15])
    }

    @Test func copiesOfOnePrintedMeasureAreShown() {
        var stage = Stage()
        stage.play(8...9)
        #expect(shown(stage.hear(5, copies: [5, 1], jumped: true)) == [5])
        #expect(stage.state.shown?.printed == 2)
        #expect(stage.state.mode == .undecided)
        #expect(shown(stage.hear(6, copies: [6, 2])) == [6])
        #expect(stage.podium.position(at: stage.now.advanced(byMilliseconds: 1_000)).fraction == 0.5)
    }

    @Test func aCueFiresOnlyIfEachCopyHasTheSame() {
        var stage = Stage(
            evening([
                cue("blue", at: 10, kind: .osc, payload: "/blue"),
                cue("blue-again", at: 14, kind: .osc, payload: "/blue"),
                cue("red", at: 11, kind: .osc, payload: "/red"),
            ]))
        stage.play(2...5)
        stage.hear(9, copies: [9, 13], jumped: true)
        stage.wait(2_000)
        #expect(fired(stage.hear(10, copies: [10, 14])) == ["blue"])
        stage.wait(2_000)
        let heard = stage.hear(11, copies: [11, 15])
        #expect(fired(heard).isEmpty)
        #expect(notices(heard) == ["cue-skipped"])
        // It is not late for the one who decides.
        #expect(fired(stage.say("choose 1")).isEmpty)
        #expect(fired(stage.hear(12)).isEmpty)
    }

    @Test func cuesByHandFire() {
        var stage = Stage(evening([cue("red", at: 11)]))
        stage.play(2...5)
        stage.hear(11, copies: [11, 15], jumped: true)
        #expect(fired(stage.say("go")) == ["red"])
    }

    @Test func anEarlyCueOfOneCopyDoesNotFire() {
        var stage = Stage(evening([cue("early", at: 6, early: 500)]))
        stage.play(8...9)
        stage.hear(5, copies: [5, 1], jumped: true)
        #expect(fired(stage.wait(1_900)).isEmpty)
    }

    @Test func oneKeyDecidesWhereTheMusicIsInItsMeasure() throws {
        var stage = Stage()
        stage.play(2...5)
        stage.hear(9, 0.1, copies: [9, 13], jumped: true)
        stage.wait(1_000)
        let chosen = stage.say("choose 2")
        #expect(shown(chosen) == [13])
        #expect(stage.state.position.fraction == 0.6)
        #expect(
            chosen.contains(
                .anchorFollower(
                    piece: 0, at: ScorePosition(played: 13, fraction: 0.6), order: stage.state.order)))
        #expect(stage.state.mode == .following)
        #expect(fired(stage.hear(14)).isEmpty)
        #expect(stage.state.shown?.played == 14)
    }

    @Test func olderLogsAreReplayedByTheirRules() {
        var settings = PodiumSettings()
        settings.rules = 9
        var stage = Stage(settings: settings)
        stage.play(2...5)
        stage.hear(9, copies: [9, 13], jumped: true)
        #expect(stage.state.mode == .lost)
        #expect(shown(stage.wait(3_000)) == [9])
    }

    @Test func reportsWithoutCopiesAreStoredAsBefore() throws {
        let stage = Stage()
        let plain = try JSONEncoder().encode(stage.word(3))
        #expect(!String(decoding: plain, as: UTF8.self).contains("undecided"))
        let several = stage.word(9, copies: [9, 13])
        let again = try JSONDecoder().decode(FollowerReport.self, from: try JSONEncoder().encode(several))
        #expect(again == several)
        #expect(again.isUndecided && !again.isPrintedMeasureKnown)
    }
}
