import Foundation
import Score
import Testing

@testable import Podium

/// The programme is changed while the show runs.
@Suite struct ProgrammeChangeTests {
    private func programme(_ pieces: [ShowPiece], intermissions: [Int] = []) throws -> ShowProgramme {
        try ShowProgramme(title: "Tonight", pieces: pieces, intermissions: intermissions)
    }

    private func refusal(_ effects: [PodiumEffect]) -> CommandRefusalCode? {
        for case .refused(let refusal) in effects { return refusal.code }
        return nil
    }

    @Test func thePieceBeingPlayedGoesOnAtItsNewPlace() throws {
        var stage = Stage()
        stage.hear(3, 0.5)
        let effects = stage.take(.programmeChanged(try programme([secondPiece(), firstPiece()])))
        #expect(effects == [.changeFollowerProgramme(order: 1)])
        #expect(stage.state.piece == 1)
        #expect(stage.state.position.played == 3)
        #expect(stage.state.shown?.piece == 1)
        #expect(stage.state.mode == .following)
        stage.hear(4, piece: 1)
        #expect(stage.state.position.played == 4)
    }

    @Test func reportsWithTheOldIndicesNoLongerCount() throws {
        var stage = Stage()
        stage.hear(3)
        let old = stage.word(7, piece: 0)
        stage.take(.programmeChanged(try programme([secondPiece(), firstPiece()])))
        stage.take(.followerReport(old))
        #expect(stage.state.piece == 1)
        #expect(stage.state.position.played == 3)
    }

    @Test func thePieceBeingPlayedIsNotTakenOut() throws {
        var stage = Stage()
        stage.hear(3)
        #expect(refusal(stage.take(.programmeChanged(try programme([secondPiece()])))) == .notNow)
        #expect(stage.podium.course == evening())
    }

    @Test func aPieceThatIsNotPlayedIsTakenOutAndTheNextIsAwaited() throws {
        var stage = Stage()
        let effects = stage.take(.programmeChanged(try programme([secondPiece()])))
        #expect(
            effects.contains(
                .makeFollowerWait(piece: 0, at: ScorePosition(played: 0, fraction: 0), order: 2)))
        #expect(stage.podium.currentPiece.folder == "strauss-2")
    }

    @Test func theFirstPieceOfAnEmptyProgrammeIsAwaited() throws {
        var stage = Stage(.empty(title: "Tonight"))
        #expect(refusal(stage.say("tap")) == .noPiece)
        stage.take(.programmeChanged(evening()))
        #expect(stage.state.piece == 0)
        #expect(!stage.podium.course.isEmpty)
        stage.hear(0)
        #expect(stage.state.mode == .following)
    }

    @Test func aFollowerInAPieceThatIsTakenOutIsSentToThePiecePlayed() throws {
        let (first, second) = (firstPiece(), secondPiece())
        var stage = Stage(try programme([first, second, first]))
        stage.say("piece 2")
        stage.hear(3, piece: 1)
        stage.say("hold")
        stage.hear(5, piece: 2)
        #expect(stage.state.piece == 1)
        let effects = stage.take(.programmeChanged(try programme([first, second])))
        #expect(stage.state.piece == 1)
        #expect(
            effects == [
                .changeFollowerProgramme(order: stage.state.order - 1),
                .anchorFollower(
                    piece: 1, at: ScorePosition(played: 3, fraction: 0), order: stage.state.order),
            ])
    }

    @Test func anEncoreIsAddedAfterTheEnd() throws {
        var stage = Stage(try programme([firstPiece()]))
        stage.hear(15)
        stage.hear(15, 1, .finished)
        stage.take(.programmeChanged(try programme([firstPiece(), firstPiece()])))
        #expect(stage.state.piece == 0)
        #expect(refusal(stage.say("next-piece")) == nil)
        #expect(stage.state.piece == 1)
    }

    @Test func piecesAreFoundAgainInTheOrderOfTheirOccurrences() throws {
        let (first, second) = (firstPiece(), secondPiece())
        let old = try programme([first, second, first])
        #expect(old.indices(in: try programme([second, first, first])) == [1, 0, 2])
        #expect(old.indices(in: try programme([first])) == [0, nil, nil])
    }

    @Test func cuesStayAndAreNoChangeOfTheOrder() throws {
        let edited = evening([cue("new", at: 4)])
        #expect(edited.orderRevision == evening().orderRevision)
        let turned = try programme([secondPiece(), firstPiece()])
        #expect(turned.orderRevision != evening().orderRevision)
        #expect(turned.takingCuesAndTitles(from: edited).pieces[1].cues.cues.map(\.name) == ["new"])
    }

    @Test func aProgrammeWithoutIntermissionsIsWrittenAsBefore() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(!String(decoding: try encoder.encode(evening()), as: UTF8.self).contains("intermissions"))
        let planned = try programme([firstPiece(), secondPiece()], intermissions: [0, 7])
        #expect(planned.intermissions == [0])
        #expect(try JSONDecoder().decode(ShowProgramme.self, from: encoder.encode(planned)) == planned)
        let empty = ShowProgramme.empty(title: "Tonight")
        #expect(try JSONDecoder().decode(ShowProgramme.self, from: encoder.encode(empty)).isEmpty)
    }
}
