import Podium
import Score
import Testing

@Suite struct HolderTests {
    @Test func theFollowerHoldsTheBatonAtFirst() {
        let stage = Stage()
        #expect(stage.state.holder == .automaticFollower)
        #expect(stage.state.epoch == BatonEpoch(term: 1, handoverCount: 0))
        #expect(stage.state.mode == .waiting)
    }

    @Test func takingAndReleasingChangesNothingTheAudienceSees() {
        var stage = Stage()
        stage.hear(3, 0.4)
        stage.now = ShowTime(milliseconds: 300)
        var effects = stage.say("take")
        #expect(effects == [.holderChanged(.technician("anna"), BatonEpoch(term: 1, handoverCount: 1))])
        #expect(stage.state.mode == .manual)
        effects = stage.say("release")
        #expect(effects == [.holderChanged(.automaticFollower, BatonEpoch(term: 1, handoverCount: 2))])
        #expect(stage.state.mode == .following)
        #expect(stage.state.position == ScorePosition(played: 3, fraction: 0.4))
    }

    @Test func takingWhatOneHoldsChangesNothing() {
        var stage = Stage()
        stage.say("take")
        let before = stage.state
        #expect(stage.say("take").isEmpty)
        #expect(stage.state == before)
    }

    @Test func whatTheFollowerSaysMovesNothingWhileSomebodyHolds() {
        var stage = Stage()
        stage.hear(3)
        stage.say("take")
        #expect(stage.hear(4).isEmpty)
        #expect(stage.hear(9, jumped: true).isEmpty)
        #expect(stage.played == 3)
    }

    @Test func releasingGoesWhereTheFollowerIs() {
        var stage = Stage()
        stage.hear(3)
        stage.say("take")
        stage.hear(4)
        stage.hear(5)
        #expect(shown(stage.say("release")) == [5])
    }

    @Test func releasingToALostFollowerKeepsThePositionAndAsks() {
        var stage = Stage()
        stage.hear(3)
        stage.say("take")
        #expect(stage.hear(3, 0, .lost, candidates: [2, 9]).isEmpty)
        let effects = stage.say("release")
        #expect(shown(effects).isEmpty)
        #expect(
            effects.contains {
                if case .askForHelp(let found) = $0 { found.map(\.played) == [2, 9] } else { false }
            })
        #expect(stage.played == 3)
    }

    @Test func aReleaseGoesToNoPieceTheFollowerMayNotGoTo() {
        var stage = Stage()
        stage.hear(3)
        stage.say("auto-advance off")
        stage.say("take")
        stage.hear(1, piece: 1)
        stage.say("release")
        #expect(stage.state.piece == 0)
        #expect(stage.state.heardPiece == 1)
    }

    @Test func aTechnicianTakesFromEverybody() {
        var stage = Stage()
        for person in [presenter, conductor, bert] {
            #expect(holders(stage.say("take", by: person)) == [BatonHolder(person)])
        }
        #expect(holders(stage.say("take")) == [.technician("anna")])
        #expect(stage.state.epoch.handoverCount == 4)
    }

    @Test func nobodyTakesFromAHigherRank() {
        var stage = Stage()
        stage.say("take")
        for command in ["take", "release", "tap", "goto 5", "nudge 1", "bar-is-now"] {
            #expect(refusal(stage.say(command, by: conductor)) == .held, "\(command)")
        }
        stage.say("release")
        stage.say("take", by: conductor)
        #expect(refusal(stage.say("take", by: presenter)) == .held)
        #expect(stage.state.holder == .conductor("podium"))
    }

    @Test func aLockedShowKeepsTheStandsFromTheBaton() {
        var stage = Stage()
        stage.say("lock on")
        #expect(refusal(stage.say("take", by: conductor)) == .locked)
        #expect(refusal(stage.say("tap", by: presenter)) == .locked)
        #expect(holders(stage.say("take")) == [.technician("anna")])
    }

    @Test func standsGiveNoCommandsOfTheTechnician() {
        var stage = Stage()
        for command in ["go", "panic", "piece 2", "lock off", "rehearsal on", "message a b", "blackout on"] {
            #expect(refusal(stage.say(command, by: conductor)) == .notAllowed, "\(command)")
        }
        #expect(refusal(stage.say("note slower than yesterday", by: conductor)) == nil)
    }

    @Test func showControlAndScriptsActForTheTechnician() {
        var stage = Stage()
        #expect(
            holders(stage.say("take", by: CommandSender(name: "osc", role: .showControl))) == [
                .technician("osc")
            ])
        #expect(refusal(stage.say("freeze on", by: CommandSender(name: "cron", role: .automation))) == nil)
    }

    @Test func aCommandOfAnOldEpochIsRefused() {
        var stage = Stage()
        stage.hear(3)
        let old = stage.state.epoch
        stage.say("take", by: bert)
        let before = stage.state
        for command in ["nudge 1", "goto 5", "tap", "release", "bar-is-now", "take"] {
            #expect(refusal(stage.say(command, epoch: old)) == .oldEpoch, "\(command)")
        }
        #expect(stage.state == before)
        #expect(refusal(stage.say("nudge 1", epoch: stage.state.epoch)) == nil)
    }

    @Test func twoQuickPressesOfOneHandAreMeantBoth() {
        var stage = Stage()
        stage.hear(3, 0, .lost)
        let old = stage.state.epoch
        stage.say("nudge 1", epoch: old)
        #expect(stage.state.epoch > old)
        #expect(refusal(stage.say("nudge 1", epoch: old)) == nil)
        #expect(stage.played == 2)
    }

    @Test func whatMovesNoBatonNeedsNoNewEpoch() {
        var stage = Stage()
        let old = stage.state.epoch
        stage.say("take", by: bert)
        #expect(refusal(stage.say("freeze on", epoch: old)) == nil)
        #expect(refusal(stage.say("withdraw", epoch: old)) == nil)
    }

    @Test func panicIsObeyedWhateverItsEpoch() {
        var stage = Stage()
        stage.take(.failoverTermChanged(7))
        #expect(refusal(stage.say("freeze on", epoch: BatonEpoch(term: 6, handoverCount: 9))) == .oldEpoch)
        #expect(refusal(stage.say("freeze on", epoch: BatonEpoch(term: 8, handoverCount: 0))) == .oldEpoch)
        #expect(stage.say("panic", epoch: BatonEpoch(term: 6, handoverCount: 9)).contains(.panicStep(.safe)))
    }

    @Test func aNewTermRaisesTheEpochAndChangesNoHand() {
        var stage = Stage()
        stage.say("take")
        #expect(
            stage.take(.failoverTermChanged(3)) == [
                .holderChanged(.technician("anna"), BatonEpoch(term: 3, handoverCount: 0))
            ])
        #expect(stage.take(.failoverTermChanged(3)).isEmpty)
        #expect(stage.take(.failoverTermChanged(2)).isEmpty)
    }

    @Test func epochsAreComparedTermFirstAndReadBack() {
        #expect(BatonEpoch(term: 2, handoverCount: 0) > BatonEpoch(term: 1, handoverCount: 99))
        #expect(BatonEpoch("1.4") == BatonEpoch(term: 1, handoverCount: 4))
        #expect(BatonEpoch(term: 1, handoverCount: .max).next > BatonEpoch(term: 1, handoverCount: .max))
        for text in ["", "1", "1.", ".4", "1.4.2", "-1.4", "1.4294967296", "a.b"] {
            #expect(BatonEpoch(text) == nil, "\(text)")
        }
    }
}
