import Basics
import Concert
import Following
import Podium
import Score
import Testing

@Suite struct ShowTests {
    @Test func panicFreezesTheAudienceAndSuspendsCues() {
        var stage = Stage(evening([cue("a", at: 4), cue("b", at: 6)]))
        stage.hear(3)
        #expect(stage.say("panic") == [.panicStep(.safe), .audienceViewChanged(.frozen)])
        #expect(stage.hear(4).isEmpty)
        #expect(refusal(stage.say("go")) == .panic)
        #expect(
            stage.say("panic-over") == [
                .panicStep(.over), .showPosition(position(4, 1, change: 0)), .audienceViewChanged(.live),
            ])
        #expect(fired(stage.hear(6)) == ["b"])
    }

    private func position(_ played: Int, _ printed: Int, change: UInt32) -> AudiencePosition {
        AudiencePosition(
            piece: 0, played: played, printed: printed, epoch: BatonEpoch(term: 1, handoverCount: change))
    }

    @Test func panicTwiceIsAHardStop() {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        stage.wait(3_000)
        #expect(stage.say("panic") == [.panicStep(.stop), .endLivePosition, .audienceViewChanged(.ended)])
        #expect(stage.say("panic").isEmpty)
        #expect(stage.hear(4).isEmpty)
        #expect(
            stage.say("panic-over") == [
                .panicStep(.over), .showPosition(position(4, 1, change: 0)), .audienceViewChanged(.live),
            ])
        #expect(stage.say("panic-over").isEmpty)
    }

    @Test func aLaterPanicIsAFirstOneAgain() {
        var stage = Stage()
        stage.hear(3)
        stage.say("panic")
        stage.wait(3_001)
        #expect(stage.say("panic") == [.panicStep(.safe)])
        stage.wait(1_000)
        #expect(stage.say("panic").contains(.panicStep(.stop)))
    }

    @Test func frozenTheAudienceKeepsWhatItSees() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.say("freeze on") == [.audienceViewChanged(.frozen)])
        #expect(stage.hear(4).isEmpty)
        #expect(stage.hear(5).isEmpty)
        #expect(stage.played == 5)
        #expect(
            stage.say("freeze off") == [
                .showPosition(position(5, 2, change: 0)), .audienceViewChanged(.live),
            ])
    }

    @Test func blackIsIndependentOfThePosition() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.say("blackout on") == [.audienceViewChanged(.black)])
        #expect(shown(stage.hear(4)) == [4])
        #expect(stage.say("blackout off") == [.audienceViewChanged(.live)])
    }

    @Test func theIntermissionEndsWhatIsLive() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.say("intermission on") == [.endLivePosition, .audienceViewChanged(.ended)])
        #expect(stage.hear(4).isEmpty)
        stage.say("intermission off")
        #expect(shown(stage.effects.suffix(2)) == [4])
    }

    @Test func aRehearsalShowsAndFiresNothing() {
        var stage = Stage(evening([cue("a", at: 4)]))
        stage.hear(3)
        #expect(stage.say("rehearsal on") == [.endLivePosition, .audienceViewChanged(.ended)])
        #expect(stage.hear(4).isEmpty)
        #expect(stage.played == 4)
        stage.hear(2, jumped: true)
        #expect(stage.played == 2)
        #expect(fired(stage.say("go")) == ["a"])
    }

    @Test func theMusicOfARehearsalGoesLiveOnlyAfterAPauseOrByHand() {
        let pauses: [(inout Stage) -> Void] = [
            { $0.hear(5, 0, .lost) }, { $0.hear(5, isSilent: true) }, { $0.say("goto 6") }, { $0.say("tap") },
            { $0.say("piece 1 6") },
        ]
        for pause in pauses {
            var stage = Stage(evening([cue("a", at: 4), cue("b", at: 12)]))
            stage.say("rehearsal on")
            stage.hear(2)
            #expect(notices(stage.say("rehearsal off")) == ["awaits-pause"])
            stage.play(3...5)
            #expect(
                stage.state.view == .ended && fired(stage.effects).isEmpty && shown(stage.effects).isEmpty)
            pause(&stage)
            if stage.state.holder.isPerson { stage.say("release") }
            stage.play(6...12)
            #expect(stage.state.view == .live && fired(stage.effects) == ["b"])
        }
    }

    @Test func aRehearsalThatEndsInSilenceLetsTheConcertBeginAsUsual() {
        var stage = Stage()
        stage.say("rehearsal on")
        stage.hear(2)
        stage.hear(2, isSilent: true)
        #expect(notices(stage.say("rehearsal off")) == ["rehearsal-over"])
        #expect(shown(stage.hear(3)) == [3])
    }

    @Test func rehearsalCuesFireWhereTheyAreAskedForAndAgainAfterAJumpBack() {
        var settings = PodiumSettings()
        settings.rehearsalCues = true
        var stage = Stage(evening([cue("a", at: 4)]), settings: settings)
        stage.say("rehearsal on")
        stage.play(3...5)
        stage.hear(2, jumped: true)
        stage.play(3...5)
        #expect(fired(stage.effects) == ["a", "a"])
    }

    @Test func theFollowerGoesOnToTheNextPieceByItself() {
        var stage = Stage(evening(second: [cue("first", at: 0), cue("third", at: 2)]))
        stage.hear(15)
        stage.hear(15, 1, .finished)
        let effects = stage.hear(1, piece: 1)
        #expect(
            effects.contains(
                .showPosition(
                    AudiencePosition(
                        piece: 1, played: 1, printed: 1, epoch: BatonEpoch(term: 1, handoverCount: 0))
                )))
        #expect(fired(effects).isEmpty, "the piece is not under way")
        #expect(fired(stage.wait(2_000) + stage.hear(2, piece: 1) + stage.wait(1_000)) == ["first", "third"])
    }

    @Test func withoutAutoAdvanceAPersonGoesOn() {
        var stage = Stage(evening(second: [cue("first", at: 0)]))
        stage.hear(15)
        stage.say("auto-advance off")
        #expect(notices(stage.hear(1, piece: 1)) == ["next-piece-heard"])
        #expect(stage.hear(2, piece: 1).isEmpty)
        #expect(stage.state.piece == 0)
        let effects = stage.say("next-piece")
        #expect(shown(effects) == [2])
        #expect(fired(effects) == ["first"])
        #expect(stage.state.order == 0)
    }

    @Test func anEarlierPieceIsFollowedOnlyWhereTheMusicWentBack() {
        var stage = Stage()
        stage.hear(3, piece: 0)
        stage.hear(1, piece: 1)
        #expect(stage.hear(5, piece: 0).isEmpty)
        #expect(shown(stage.hear(5, piece: 0, jumped: true)) == [5])
        #expect(stage.state.piece == 0)
    }

    @Test func beginningAPieceSendsTheFollowerThereAndShowsIt() {
        var stage = Stage()
        let effects = stage.say("piece 2 3")
        #expect(
            effects.contains(.makeFollowerWait(piece: 1, at: ScorePosition(played: 3, fraction: 0), order: 1))
        )
        #expect(shown(effects) == [3])
        #expect(stage.state.holder == .automaticFollower)
        #expect(stage.state.mode == .waiting)
    }

    @Test func anUnknownBeginningKeepsWhatTheAudienceSees() {
        var stage = Stage(evening(second: [cue("passed", at: 2)]))
        stage.hear(3)
        let effects = stage.say("piece 2 unknown")
        #expect(effects.contains(.makeFollowerWait(piece: 1, at: nil, order: 1)))
        #expect(shown(effects).isEmpty)
        #expect(stage.hear(0, piece: 1, .lost).contains(.askForHelp([])))
        #expect(stage.state.shown?.piece == 0)
        let found = stage.hear(5, piece: 1, jumped: true)
        #expect(shown(found) == [5])
        #expect(fired(found).isEmpty)
        #expect(notices(found).isEmpty)
    }

    @Test func beginningAPieceByHandKeepsTheBatonByHand() {
        var stage = Stage()
        stage.say("take")
        stage.say("piece 2")
        #expect(stage.state.holder == .technician("anna"))
        #expect(stage.played == 0)
        stage.wait(1_000)
        stage.say("tap")
        #expect(stage.played == 0)
    }

    @Test func aLockedShowIsNotEditedAndBeginsNoPiece() {
        var stage = Stage()
        stage.hear(3)
        stage.say("lock on")
        let before = stage.state
        for command in ["piece 2", "next-piece", "rehearsal on"] {
            #expect(refusal(stage.say(command)) == .locked, "\(command)")
        }
        #expect(refusal(stage.take(.programmeChanged(evening([cue("new", at: 4)])))) == .locked)
        #expect(stage.state == before)
        for command in [
            "take", "nudge 1", "tap", "goto 5", "release", "hold", "resume", "panic", "panic-over",
        ] {
            stage.wait(500)
            #expect(refusal(stage.say(command)) == nil, "\(command)")
        }
    }

    @Test func aLockedShowGoesOnWhenThePieceIsOver() {
        var stage = Stage()
        stage.hear(15)
        stage.hear(15, 1, .finished)
        stage.say("lock on")
        #expect(refusal(stage.say("next-piece")) == nil)
        #expect(stage.state.piece == 1)
        #expect(refusal(stage.say("next-piece")) == .noPiece)
    }

    @Test func editedCuesCountFromNowOn() {
        var stage = Stage()
        stage.hear(3)
        #expect(stage.take(.programmeChanged(evening([cue("new", at: 4)]))) == [.standbyChanged("new")])
        #expect(fired(stage.hear(4)) == ["new"])
        #expect(stage.state.order == 0)
    }

    @Test func beforeRule5APieceThatMovedWasTakenUpAnew() throws {
        var settings = PodiumSettings()
        settings.rules = 4
        var stage = Stage(settings: settings)
        stage.hear(3, 0.5)
        let turned = try ShowProgramme(title: "Tonight", pieces: [secondPiece(), firstPiece()])
        let effects = stage.take(.programmeChanged(turned))
        #expect(effects == [.anchorFollower(piece: 1, at: ScorePosition(played: 3, fraction: 0.5), order: 1)])
        #expect(stage.state.piece == 1)
        #expect(stage.state.shown?.piece == 1)
        #expect(
            refusal(stage.take(.programmeChanged(try ShowProgramme(title: "T", pieces: [secondPiece()]))))
                == .notNow)
    }

    @Test func messagesAreAnnouncedOnceAndWithdrawn() throws {
        var stage = Stage()
        #expect(
            stage.say("message Hello there") == [
                .showMessage(try PushMessage(title: "Hello", body: "there", style: .auto))
            ])
        #expect(stage.say("message Hello there").isEmpty)
        #expect(stage.say("withdraw") == [.withdrawMessage])
        #expect(stage.say("withdraw").isEmpty)
    }

    @Test func faultsAreCountedAndEnd() {
        var stage = Stage()
        let fault = TechnicalFault(id: "input", sentence: "The sound device is gone; plug it in.")
        #expect(notices(stage.take(.fault(fault))) == ["fault"])
        stage.wait(1_000)
        #expect(stage.take(.fault(fault)).isEmpty)
        #expect(
            stage.state.faults == [
                TechnicalFaultRecord(
                    id: "input", sentence: fault.sentence, since: .zero, count: 2, isOver: false)
            ])
        #expect(notices(stage.take(.faultEnded("input"))) == ["fault-over"])
        #expect(stage.take(.faultEnded("input")).isEmpty)
        #expect(notices(stage.take(.fault(fault))) == ["fault"])
        #expect(stage.state.faults.first?.since == ShowTime(milliseconds: 1_000))
        for number in 0..<500 { stage.take(.fault(TechnicalFault(id: "\(number)", sentence: "x"))) }
        #expect(stage.state.faults.count == 64)
    }

    @Test func aRestartGoesOnWhereItStood() {
        var stage = Stage(evening([cue("a", at: 3), cue("b", at: 4)]))
        stage.play(2...3)
        stage.say("message Hello there")
        stage.podium = Podium(course: stage.podium.course, continuing: stage.state)
        let before = stage.state
        let effects = stage.take(.restarted)
        #expect(effects.contains(.holderChanged(.automaticFollower, before.epoch)))
        #expect(shown(effects) == [3])
        #expect(effects.contains(.standbyChanged("b")))
        #expect(effects.contains { if case .showMessage = $0 { true } else { false } })
        #expect(effects.contains { if case .anchorFollower(0, _, 1) = $0 { true } else { false } })
        #expect(stage.state.mode == .following)
        #expect(fired(stage.hear(4)) == ["b"])
    }

    @Test func aRestartBesideALostFollowerSearchesTheWholePiece() {
        var stage = Stage()
        stage.hear(3)
        stage.hear(3, 0, .lost)
        #expect(stage.take(.restarted).contains(.makeFollowerWait(piece: 0, at: nil, order: 1)))
        #expect(stage.played == 3)
    }

    @Test func theTempoOfTheReferenceIsKnownWhereTheBeatsOfABarAre() throws {
        // An upbeat of half a second, then bars of two seconds, of which one has a hold.
        let onsets = [0, 0.5, 2.5, 4.5, 6.5, 12.5, 14.5]
        let map = try MeasureMap(
            marks: onsets.enumerated().map {
                PlayedMeasure(printed: $0.offset, onset: ReferenceTime(seconds: $0.element))
            }, end: ReferenceTime(seconds: 16.5))
        let piece = try ShowPiece(name: PieceName("A"), folder: "a", measures: map, beatsPerBar: 3)
        for played in onsets.indices { #expect(piece.referenceBeatsPerMinute(at: played) == 90, "\(played)") }
        #expect(piece.referenceBeatsPerMinute(at: 7) == nil)
        let programme = try ShowProgramme(title: "Tonight", pieces: [piece])
            .replacingCues(of: 0, by: CueList([cue("a", at: 1)], measureCount: 7))
        #expect(programme.pieces[0].referenceBeatsPerMinute(at: 0) == 90)
        #expect(firstPiece().referenceBeatsPerMinute(at: 0) == nil)
    }
}
