import Concert
import Following
import Podium
import Score
import Testing

/// After the last music of the concert the audience is told that it is over.
@Suite struct EndingTests {
    /// Both pieces played, the last measure reached.
    private func playedToTheEnd() -> Stage {
        var stage = Stage()
        stage.play(0...15)
        stage.play(0...7, piece: 1)
        return stage
    }

    /// The follower goes on saying the same, each two seconds.
    private func rest(
        _ stage: inout Stage, seconds: Int, at played: Int = 7, piece: Int = 1,
        _ state: FollowerState = .finished,
        isSilent: Bool = false
    ) -> [PodiumEffect] {
        (0..<seconds / 2).flatMap { _ in
            stage.hear(played, 0.99, piece: piece, state, isSilent: isSilent) + stage.wait(2_000)
        }
    }

    @Test func theConcertIsOverSomeSecondsAfterItsLastMusic() {
        var stage = playedToTheEnd()
        _ = rest(&stage, seconds: 8)
        #expect(stage.state.view == .live)
        #expect(stage.state.phase == .during)
        let effects = rest(&stage, seconds: 4)
        #expect(effects.contains(.endLivePosition))
        #expect(effects.contains(.audienceViewChanged(.ended)))
        #expect(stage.state.phase == .over)
    }

    @Test func aRecordingThatHasEndedSaysNothingMoreAndTheConcertIsOver() {
        for (rules, isOver) in [(7, false), (8, true)] {
            var settings = PodiumSettings()
            settings.rules = rules
            var stage = Stage(settings: settings)
            stage.play(0...15)
            stage.play(0...7, piece: 1)
            stage.hear(7, 0.99, piece: 1, .finished)
            stage.wait(60_000)
            #expect((stage.state.phase == .over) == isOver)
            #expect(stage.state.mode == (isOver ? .finished : .lost))
        }
    }

    @Test func theLastPieceAloneIsTheEndOnlyAfterLong() throws {
        var stage = Stage(try programmeOfThree())
        stage.hear(0, piece: 2, jumped: true)
        stage.play(1...7, piece: 2)
        _ = rest(&stage, seconds: 120, piece: 2)
        #expect(stage.state.phase == .during, "the other pieces may follow")
        _ = rest(&stage, seconds: 70, piece: 2)
        #expect(stage.state.phase == .over)
    }

    @Test func aPieceThatIsLeftOutDoesNotDelayTheEnd() throws {
        var stage = Stage(try programmeOfThree())
        stage.hear(0, piece: 1, jumped: true)
        stage.play(1...7, piece: 1)
        stage.play(0...7, piece: 2)
        _ = rest(&stage, seconds: 12, piece: 2)
        #expect(stage.state.phase == .over)
    }

    @Test func theConcertIsOverBeforeItsEncoreWhichIsLiveNevertheless() throws {
        let programme = try ShowProgramme(Evening("Gala", encores: 1), pieces: programmeOfThree().pieces)
        #expect(programme.secretEncores(heard: [0, 1]) == [2] && programme.secretEncores(heard: [2]).isEmpty)
        var stage = Stage(programme)
        stage.play(0...15)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 12, piece: 1)
        #expect(stage.state.phase == .over)
        stage.hear(0, piece: 2, jumped: true)
        stage.play(1...4, piece: 2)
        #expect(stage.state.phase == .during && stage.state.view == .live)
        #expect(programme.secretEncores(heard: stage.state.heard).isEmpty)
    }

    @Test func applauseDoesNotKeepItLive() {
        var stage = playedToTheEnd()
        _ = rest(&stage, seconds: 4)
        _ = rest(&stage, seconds: 4, .waiting)
        _ = rest(&stage, seconds: 4, .lost)
        #expect(stage.state.phase == .over)
    }

    @Test func silenceInTheLastMeasuresEndsItToo() {
        var stage = playedToTheEnd()
        _ = rest(&stage, seconds: 12, at: 6, .coasting, isSilent: true)
        #expect(stage.state.phase == .over)
    }

    @Test func anEarlierPieceThatEndsDoesNotEndTheConcert() {
        var stage = Stage()
        stage.play(0...15)
        _ = rest(&stage, seconds: 60, at: 15, piece: 0)
        #expect(stage.state.view == .live)
        #expect(stage.state.phase == .during)
    }

    @Test func inAnotherOrderTheLastThatIsPlayedEndsIt() {
        var stage = Stage()
        stage.play(0...7, piece: 1)
        stage.hear(0, piece: 0, jumped: true)
        stage.play(1...15)
        _ = rest(&stage, seconds: 12, at: 15, piece: 0)
        #expect(stage.state.phase == .over)
    }

    @Test func aRestInTheMiddleOfTheLastPieceDoesNotEndIt() {
        var stage = playedToTheEnd()
        stage.say("piece 2 3")
        stage.hear(3, piece: 1)
        _ = rest(&stage, seconds: 24, at: 3, .coasting, isSilent: true)
        #expect(stage.state.phase == .during)
    }

    @Test func musicThatBeginsAgainIsLiveAtOnce() {
        var stage = playedToTheEnd()
        _ = rest(&stage, seconds: 12)
        #expect(stage.state.phase == .over)
        let effects = stage.hear(0, 0.2, piece: 0, jumped: true)
        #expect(effects.contains(.audienceViewChanged(.live)))
        #expect(shown(effects) == [0])
        #expect(stage.state.phase == .during)
    }

    @Test func aHeldPlaceAndADarkHallStayUntilThePersonLetsGo() {
        for (on, off) in [("hold", "resume"), ("blackout on", "blackout off"), ("freeze on", "freeze off")] {
            var stage = playedToTheEnd()
            _ = rest(&stage, seconds: 2)
            stage.say(on)
            _ = rest(&stage, seconds: 60)
            #expect(stage.state.phase == .during, "\(on)")
            stage.say(off)
            _ = rest(&stage, seconds: 12)
            #expect(stage.state.phase == .over, "\(off)")
        }
    }

    @Test func aShowBegunUnderOlderRulesStaysLive() {
        var settings = PodiumSettings()
        settings.rules = 2
        var stage = Stage(settings: settings)
        stage.play(0...15)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 60)
        #expect(stage.state.view == .live)
    }

    @Test func beforeTheFirstMusicNothingIsOver() {
        let stage = Stage()
        #expect(stage.state.phase == .before)
    }

    // MARK: Again

    private func programmeOfThree() throws -> ShowProgramme {
        let last = try ShowPiece(
            name: PieceName("Strauss, Don Juan: III"), folder: "strauss-3", measures: measures(Array(0...7)))
        return try ShowProgramme(title: "Tonight", pieces: [firstPiece(), secondPiece(), last])
    }

    /// Three pieces, played until the concert is over.
    private func concertOfThree(_ settings: PodiumSettings = PodiumSettings()) throws -> Stage {
        var stage = Stage(try programmeOfThree(), settings: settings)
        stage.play(0...15)
        stage.play(0...7, piece: 1)
        stage.play(0...7, piece: 2)
        _ = rest(&stage, seconds: 12, piece: 2)
        return stage
    }

    /// The first piece begins once more and is played to its end.
    private func playFirstPieceAgain(_ stage: inout Stage) {
        stage.hear(0, piece: 0, jumped: true)
        stage.play(1...15)
    }

    @Test func aRehearsalAfterTheConcertLeavesItOverUntilSomethingIsLive() {
        var stage = playedToTheEnd()
        _ = rest(&stage, seconds: 12)
        stage.say("rehearsal on")
        #expect(stage.state.phase == .over)
        stage.play(3...6, piece: 0)
        stage.hear(7, piece: 0, isSilent: true)
        #expect(stage.state.phase == .over)
        stage.say("rehearsal off")
        stage.wait(60_000)
        #expect(stage.state.phase == .over)
        stage.say("piece 1")
        #expect(stage.state.phase == .during)
    }

    @Test func aSecondRoundEndsWithItsLastPieceOnly() throws {
        var stage = try concertOfThree()
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 120, at: 15, piece: 0)
        #expect(stage.state.phase == .during)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 600, piece: 1)
        #expect(stage.state.phase == .during)
        stage.play(0...7, piece: 2)
        #expect(stage.state.phase == .during)
        _ = rest(&stage, seconds: 12, piece: 2)
        #expect(stage.state.phase == .over)
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 60, at: 15, piece: 0)
        #expect(stage.state.phase == .during)
    }

    @Test func aSecondRoundThatAPersonBeginsIsNoOther() throws {
        var stage = try concertOfThree()
        stage.say("piece 1")
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 60, at: 15, piece: 0)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 60, piece: 1)
        #expect(stage.state.phase == .during)
    }

    @Test func theFirstPieceAsAnEncoreEndsTheConcertAfterALongerSilence() throws {
        var stage = try concertOfThree()
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 178, at: 15, piece: 0)
        #expect(stage.state.phase == .during)
        _ = rest(&stage, seconds: 6, at: 15, piece: 0)
        #expect(stage.state.phase == .over)
    }

    @Test func aSecondRoundAfterAnEncoreOfTheFirstPieceEndsWithItsLastPieceOnly() throws {
        var stage = try concertOfThree()
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 184, at: 15, piece: 0)
        try #require(stage.state.phase == .over)
        stage.say("piece 1")
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 60, at: 15, piece: 0)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 600, piece: 1)
        #expect(stage.state.phase == .during)
        stage.play(0...7, piece: 2)
        _ = rest(&stage, seconds: 12, piece: 2)
        #expect(stage.state.phase == .over)
    }

    @Test func anotherPieceAsAnEncoreEndsItAtOnce() throws {
        var stage = try concertOfThree()
        stage.hear(0, piece: 1, jumped: true)
        stage.play(1...7, piece: 1)
        #expect(stage.state.phase == .during)
        _ = rest(&stage, seconds: 12, piece: 1)
        #expect(stage.state.phase == .over)
    }

    @Test func anEncoreThatWasAddedEndsItAndASecondRoundEndsWithIt() throws {
        var stage = try concertOfThree()
        let encore = try ShowPiece(
            name: PieceName("Strauss, Ständchen"), folder: "encore", measures: measures(Array(0...7)))
        stage.take(
            .programmeChanged(
                try ShowProgramme(title: "Tonight", pieces: stage.podium.course.pieces + [encore])))
        stage.hear(0, piece: 3, jumped: true)
        stage.play(1...7, piece: 3)
        _ = rest(&stage, seconds: 12, piece: 3)
        #expect(stage.state.phase == .over)
        playFirstPieceAgain(&stage)
        stage.play(0...7, piece: 1)
        stage.play(0...7, piece: 2)
        _ = rest(&stage, seconds: 60, piece: 2)
        #expect(stage.state.phase == .during)
    }

    @Test func anotherConcertOfTheEveningBeginsWithNothingHeard() throws {
        var stage = try concertOfThree()
        let overture = try ShowPiece(
            name: PieceName("Strauss, Overture"), folder: "overture", measures: measures(Array(0...7)))
        stage.take(.programmeChanged(try ShowProgramme(title: "Late", pieces: [overture, secondPiece()])))
        stage.hear(0, piece: 0, jumped: true)
        stage.play(1...7)
        _ = rest(&stage, seconds: 600, piece: 0)
        #expect(stage.state.phase == .during)
        stage.play(0...7, piece: 1)
        _ = rest(&stage, seconds: 12, piece: 1)
        #expect(stage.state.phase == .over)
    }

    @Test func aRestartAndABackupServerKeepTheRound() throws {
        for event in [PodiumEvent.restarted, .failoverTermChanged(2)] {
            var stage = try concertOfThree()
            playFirstPieceAgain(&stage)
            // As the show log and the backup server have it.
            let state = try back(json(stage.state), as: PodiumState.self)
            #expect(state == stage.state)
            stage.podium = Podium(course: stage.podium.course, continuing: state)
            stage.take(event)
            _ = rest(&stage, seconds: 60, at: 15, piece: 0)
            stage.play(0...7, piece: 1)
            _ = rest(&stage, seconds: 60, piece: 1)
            #expect(stage.state.phase == .during)
            stage.play(0...7, piece: 2)
            _ = rest(&stage, seconds: 12, piece: 2)
            #expect(stage.state.phase == .over)
        }
    }

    @Test func aShowBegunUnderRule5KnowsNoRounds() throws {
        var settings = PodiumSettings()
        settings.rules = 5
        var stage = try concertOfThree(settings)
        playFirstPieceAgain(&stage)
        _ = rest(&stage, seconds: 12, at: 15, piece: 0)
        #expect(stage.state.phase == .over)
        let state = json(stage.state)
        #expect(!state.contains("isRoundPlayed") && !state.contains("isRepeated"))
        #expect(stage.state.heard == [0, 1, 2])
    }
}
