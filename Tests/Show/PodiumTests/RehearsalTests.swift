import Following
import Podium
import Score
import Testing

/// A rehearsal plays any piece; afterwards the show is where it was before.
@Suite struct RehearsalTests {
    /// The second piece is rehearsed to its end.
    private func rehearsed(_ settings: PodiumSettings = PodiumSettings()) -> Stage {
        var stage = Stage(settings: settings)
        stage.say("rehearsal on")
        stage.hear(0, piece: 1, jumped: true)
        stage.play(1...7, piece: 1)
        return stage
    }

    /// The piece and the measure at which the follower was last told to wait.
    private func awaited(_ effects: [PodiumEffect]) -> [Int?]? {
        effects.compactMap {
            if case .makeFollowerWait(let piece, let position, _) = $0 {
                [piece, position?.played]
            } else {
                nil
            }
        }.last
    }

    @Test func afterARehearsalTheConcertBeginsWithTheFirstPiece() {
        var stage = rehearsed()
        stage.hear(7, 1, piece: 1, .finished)
        let effects = stage.say("rehearsal off")
        #expect(awaited(effects) == [0, 0])
        #expect(notices(effects) == ["rehearsal-over"])
        #expect(stage.state.piece == 0 && stage.state.view == .ended)
        stage.play(0...2)
        #expect(shown(stage.effects).suffix(3) == [0, 1, 2])
    }

    @Test func ifItsMusicStillSoundsTheShowReturnsWhenThatPauses() {
        var stage = rehearsed()
        #expect(notices(stage.say("rehearsal off")) == ["awaits-pause"])
        #expect(stage.state.piece == 1)
        let effects = stage.hear(7, 1, piece: 1, .finished)
        #expect(awaited(effects) == [0, 0] && notices(effects) == ["rehearsal-over"])
        #expect(stage.state.view == .ended, "a finished piece does not go live")
        stage.play(0...2)
        #expect(shown(stage.effects).suffix(3) == [0, 1, 2])
    }

    @Test func theFirstPieceRehearsedToItsEndBeginsAgainAtItsBeginning() {
        var stage = Stage()
        stage.say("rehearsal on")
        stage.hear(6, jumped: true)
        stage.play(7...15)
        #expect(notices(stage.say("rehearsal off")) == ["awaits-pause"])
        let effects = stage.hear(15, 1, .finished)
        #expect(awaited(effects) == [0, 0] && notices(effects) == ["rehearsal-over"])
        stage.play(0...2)
        #expect(shown(stage.effects).suffix(3) == [0, 1, 2])
    }

    @Test func aPauseInTheMiddleOfThePieceKeepsItsPlace() {
        var stage = Stage()
        stage.say("rehearsal on")
        stage.hear(2, jumped: true)
        stage.play(3...7)
        stage.say("rehearsal off")
        #expect(awaited(stage.hear(7, isSilent: true)) == nil)
        #expect(stage.state.piece == 0 && stage.played == 7)
    }

    @Test func aPieceThatIsBegunByHandForTheConcertStays() {
        var stage = rehearsed()
        stage.hear(7, 1, piece: 1, .finished)
        stage.say("piece 2")
        #expect(awaited(stage.say("rehearsal off")) == nil)
        #expect(stage.state.piece == 1)
        var played = rehearsed()
        played.say("piece 2")
        played.play(0...3, piece: 1)
        played.hear(3, piece: 1, isSilent: true)
        #expect(awaited(played.say("rehearsal off")) == [0, 0], "it was rehearsed")
    }

    @Test func inAnIntermissionTheNextPieceIsAwaited() {
        var stage = Stage()
        stage.play(0...15)
        stage.hear(15, 1, .finished)
        stage.say("intermission on")
        stage.say("rehearsal on")
        stage.say("intermission off")
        stage.hear(3, jumped: true)
        stage.hear(3, isSilent: true)
        #expect(awaited(stage.say("rehearsal off")) == [1, 0])
    }

    @Test func withinAPieceItsPlaceIsAwaited() {
        var stage = Stage()
        stage.play(0...4)
        stage.hear(5, isSilent: true)
        stage.say("rehearsal on")
        stage.hear(2, piece: 1, jumped: true)
        stage.hear(2, piece: 1, isSilent: true)
        let effects = stage.say("rehearsal off")
        #expect(awaited(effects) == [0, stage.played])
        #expect([4, 5].contains(stage.played))
    }

    @Test func theFirstMeasuresCountAsTheBeginning() {
        var stage = Stage()
        stage.play(0...2)
        stage.say("rehearsal on")
        stage.hear(2, piece: 1, jumped: true)
        stage.hear(2, piece: 1, isSilent: true)
        #expect(awaited(stage.say("rehearsal off")) == [0, 0])
    }

    @Test func afterTheConcertTheFirstPieceIsAwaited() {
        var stage = Stage()
        stage.play(0...15)
        stage.play(0...7, piece: 1)
        for _ in 0..<6 {
            stage.hear(7, 0.99, piece: 1, .finished)
            stage.wait(2_000)
        }
        #expect(stage.state.phase == .over)
        stage.say("rehearsal on")
        stage.hear(3, piece: 1, jumped: true)
        stage.hear(3, piece: 1, isSilent: true)
        #expect(awaited(stage.say("rehearsal off")) == [0, 0])
        #expect(stage.state.phase == .over)
    }

    @Test func aPersonWithTheBatonKeepsThePlace() {
        var stage = rehearsed()
        stage.say("take")
        #expect(awaited(stage.say("rehearsal off")) == nil)
        #expect(stage.state.piece == 1)
    }

    @Test func aLogOfBeforeKeepsThePiece() {
        var settings = PodiumSettings()
        settings.rules = 7
        var stage = rehearsed(settings)
        stage.hear(7, 1, piece: 1, .finished)
        #expect(awaited(stage.say("rehearsal off")) == nil)
        #expect(stage.state.piece == 1)
    }
}
