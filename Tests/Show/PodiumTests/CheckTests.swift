import Podium
import Score
import Testing

@Suite struct CheckTests {
    private let cues = [cue("a", at: 0), cue("b", at: 3), cue("m", at: 4, kind: .message, payload: "x|y")]

    @Test func nothingOfACheckReachesTheAudienceAndNoCueFires() {
        var stage = Stage(evening(cues))
        stage.say("piece 1 5/1")
        #expect(stage.state.view == .live)
        let begun = stage.take(.setPreShowCheck(true))
        #expect(begun.contains(.endLivePosition) && begun.contains(.audienceViewChanged(.ended)))
        for played in 0...9 {
            let effects = stage.hear(played)
            #expect(shown(effects).isEmpty && fired(effects).isEmpty)
            #expect(!effects.contains { if case .showMessage = $0 { true } else { false } })
            stage.wait(2_000)
        }
        #expect(stage.state.view == .ended && stage.played == 9)
    }

    @Test func theShowStandsBehindACheckWhereItStoodBefore() {
        for words in [nil, "piece 1", "piece 2 3", "intermission on"] {
            var stage = Stage(evening(cues))
            if let words { stage.say(words) }
            let before = stage.state
            stage.take(.setPreShowCheck(true))
            stage.hear(2)
            stage.hear(3)
            stage.hear(1, piece: 1, jumped: true)
            stage.take(.setPreShowCheck(false))
            let after = stage.state
            #expect(after.check == nil)
            #expect(after.piece == before.piece && after.position == before.position)
            #expect(after.isLive == before.isLive && after.view == before.view)
            #expect(after.shown?.played == before.shown?.played)
            #expect(
                after.isIntermission == before.isIntermission && after.isPlaceKnown == before.isPlaceKnown)
            #expect(after.fired == before.fired && after.standby == before.standby)
            #expect(after.mode == .waiting && !after.isRehearsal)
        }
    }

    @Test func cuesFireAfterACheckAsIfThereHadBeenNone() {
        var stage = Stage(evening(cues))
        stage.take(.setPreShowCheck(true))
        stage.play(0...4)
        stage.take(.setPreShowCheck(false))
        var all: [String] = []
        for played in 0...4 { all += fired(stage.hear(played)) }
        #expect(all == ["a", "b", "m"])
    }

    @Test(arguments: [
        "take", "goto 3", "tap", "piece 2", "next-piece", "go", "rehearsal on", "intermission on",
    ])
    func whoBeginsSomethingElseEndsTheCheck(_ words: String) {
        var (checked, plain) = (Stage(evening(cues)), Stage(evening(cues)))
        checked.take(.setPreShowCheck(true))
        checked.hear(9)
        #expect(refusal(checked.say(words)) == refusal(plain.say(words)))
        #expect(checked.state.check == nil)
        #expect(checked.state.piece == plain.state.piece && checked.played == plain.played)
        #expect(checked.state.view == plain.state.view && checked.state.holder == plain.state.holder)
        #expect(checked.take(.setPreShowCheck(false)).isEmpty)
    }

    @Test(arguments: ["note hello", "message A b", "withdraw", "panic", "lock on", "blackout on"])
    func whatDoesNotConcernTheMusicLeavesTheCheckAlone(_ words: String) {
        var stage = Stage()
        stage.take(.setPreShowCheck(true))
        #expect(refusal(stage.say(words)) == nil)
        #expect(stage.state.check != nil)
        stage.take(.setPreShowCheck(false))
        #expect(stage.state.check == nil)
    }

    @Test func aTakeoverAndARestartAreToldApart() {
        var stage = Stage()
        stage.hear(3)
        stage.take(.failoverTermChanged(7))
        for event in ["This server has taken over the show", "Baton was restarted"] {
            let said = stage.take(.restarted).compactMap {
                if case .showNotice(_, let sentence) = $0 { sentence } else { nil }
            }
            #expect(said == ["\(event) and goes on at measure 4 of “Strauss, Don Juan: I”."])
        }
    }

    @Test func aRestartAndAnotherServersLeadEndTheCheck() {
        var stage = Stage()
        stage.say("piece 2 3")
        let before = stage.state
        stage.take(.setPreShowCheck(true))
        stage.hear(6, piece: 1)
        stage.take(.failoverTermChanged(2))
        stage.take(.restarted)
        #expect(stage.state.check == nil && stage.state.view == .live)
        #expect(stage.state.position == before.position && stage.state.piece == 1)
        stage.hear(4, piece: 1)
        #expect(stage.played == 4)
    }

    @Test func anEditEndsTheCheck() {
        var stage = Stage()
        stage.take(.setPreShowCheck(true))
        #expect(refusal(stage.take(.programmeChanged(evening(cues)))) == nil)
        #expect(stage.state.check == nil)
    }

    @Test func aRunningOrLockedShowIsNotChecked() {
        var stage = Stage()
        stage.hear(3)
        var before = stage.state
        #expect(refusal(stage.take(.setPreShowCheck(true))) == .notNow)
        #expect(stage.state == before)
        stage = Stage()
        stage.say("lock on")
        before = stage.state
        #expect(refusal(stage.take(.setPreShowCheck(true))) == .locked)
        #expect(stage.state == before)
    }

    @Test func aLostFollowerAsksForNoHelpInACheck() {
        var stage = Stage()
        stage.take(.setPreShowCheck(true))
        #expect(
            !stage.hear(3, 0, .lost, candidates: [2, 9]).contains {
                if case .askForHelp = $0 { true } else { false }
            })
    }

    @Test func aMessageIsToldApartByWhenItWasAnnounced() {
        var stage = Stage()
        stage.wait(500)
        stage.say("message A b")
        let first = stage.state.messageAt
        stage.wait(500)
        stage.take(.restarted)
        #expect(stage.state.messageAt == first && first == ShowTime(milliseconds: 500))
        stage.say("withdraw")
        #expect(stage.state.messageAt == nil)
        stage.say("message A b")
        #expect(stage.state.messageAt == ShowTime(milliseconds: 1_000))
    }
}
