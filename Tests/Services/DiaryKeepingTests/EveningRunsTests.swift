import Podium
import Score
import Testing

@testable import DiaryKeeping
@testable import ShowLog
@testable import ShowStages
@testable import TestHelpers

/// A concert that is given again in the same show, an encore, and music that is broken off and begun again.
@Suite struct EveningRunsTests {
    private func folders(_ runs: [EveningAccount]) -> [[String]] { runs.map { $0.playings.map(\.folder) } }

    @Test func aConcertThatIsGivenTwiceHasTwoEntries() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.wait(seconds: 3_600)
        try evening.say("piece 1")
        evening.playConcert()
        let runs = evening.builder.finished()
        #expect(folders(runs) == [["melody-1", "melody-2"], ["melody-1", "melody-2"]])
        #expect(
            runs.allSatisfy { $0.isOver && $0.playings.allSatisfy { !$0.isEncore && $0.bars.count == 8 } })
        #expect(runs.map(\.run) == [1, 2])
        #expect(runs.map { $0.interventions.map(\.what) } == [[], ["piece 1"]])
        #expect(runs[1].firstMusic ?? 0 >= 3_600_000 && runs[0].lastMusic ?? 0 < 40_000)
        let ids = runs.map { EveningEntry.id(ofShow: "2026-11-23-190000-Gala", run: $0.run) }
        #expect(ids == ["evening-2026-11-23-190000-gala", "evening-2026-11-23-190000-gala-run-2"])
    }

    @Test(arguments: [true, false]) func aPieceBeginsWithItsMusicAndNotWithAFalseStart(isSaidAgain: Bool)
        throws
    {
        var evening = try PlayedEvening()
        try evening.say("begin")
        // Bar 1 is shown while other music sounds.
        evening.wait(seconds: 28)
        if isSaidAgain { try evening.say("begin") }
        evening.playConcert()
        let playings = evening.builder.finished()[0].playings
        #expect(playings.map(\.folder) == ["melody-1", "melody-2"] && playings[0].bars.count == 8)
        #expect(playings[0].from == 28_000 && playings[0].bars[0].at == 28_000)
    }

    @Test func whatWasTakenBackWasNotPlayed() throws {
        var evening = try PlayedEvening()
        evening.hear(0, piece: 0, jumped: true)
        evening.wait(seconds: 1)
        evening.hear(1, piece: 0)
        evening.wait(seconds: 1)
        evening.hear(2, piece: 0)
        evening.silence(piece: 0, at: 2)
        #expect(evening.podium.state.stage == .armed)
        evening.wait(seconds: 60)
        evening.play(1)
        #expect(folders(evening.builder.finished()) == [["melody-2"]])
    }

    @Test func anEncoreThatWasPlannedIsOneInTheDiary() throws {
        var evening = try PlayedEvening(encores: 1)
        evening.play(0)
        evening.end(in: 0)
        #expect(evening.podium.state.phase == .over && evening.runs == [["melody-1"]])
        evening.play(1)
        #expect(evening.runs == [["melody-1", "melody-2*"]])
    }

    @Test func aRehearsalThatNoListenerSeesHasAnEntry() throws {
        for (kind, played) in [(Evening.Kind.rehearsal, [["melody-2", "melody-1"]]), (.concert, [])] {
            var evening = try PlayedEvening(kind)
            try evening.say("rehearsal on")
            evening.play(1)
            evening.play(0)
            #expect(folders(evening.builder.finished()).filter { !$0.isEmpty } == played)
        }
    }

    @Test func aSecondRunIsOverOnlyAfterItsLastPiece() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.play(0)
        // A pause after the first piece is not the end of the second run.
        evening.end(in: 0)
        evening.play(1, bars: 0..<4)
        let halfway = evening.builder.finished()
        #expect(folders(halfway) == [["melody-1", "melody-2"], ["melody-1", "melody-2"]])
        #expect(halfway.map(\.isOver) == [true, false])
        evening.play(1, bars: 4..<8)
        evening.end(in: 1)
        let runs = evening.builder.finished()
        try #require(runs.map(\.isOver) == [true, true])
        #expect(runs[1].playings.allSatisfy { !$0.isEncore })
    }

    @Test func theFirstPieceAloneAfterTheEndIsAnEncore() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.play(0)
        let runs = evening.builder.finished()
        #expect(folders(runs) == [["melody-1", "melody-2", "melody-1"]])
        #expect(runs[0].playings.map(\.isEncore) == [false, false, true])
    }

    @Test func aFewBarsAfterTheEndAreNoEncore() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.play(0, bars: 0..<3)
        #expect(folders(evening.builder.finished()) == [["melody-1", "melody-2"]])
    }

    @Test func aFalseStartIsNoPartOfThePlaying() throws {
        var evening = try PlayedEvening()
        evening.play(0, bars: 0..<3)
        try evening.say("pause-all")
        evening.wait(seconds: 600)
        try evening.say("resume-all")
        try evening.say("piece 1")
        evening.playConcert()
        let account = try #require(evening.builder.finished().first)
        #expect(account.playings.map(\.folder) == ["melody-1", "melody-2"])
        #expect(account.playings[0].from >= 600_000 && account.playings[0].bars.count == 8)
    }

    @Test func aStepBackToTheBeginningInTheMiddleOfTheMusicIsNoNewPlaying() throws {
        var evening = try PlayedEvening()
        evening.play(0, bars: 0..<3)
        evening.hear(0, piece: 0, jumped: true)
        evening.wait(seconds: 1)
        evening.play(0, bars: 3..<8)
        let account = try #require(evening.builder.finished().first)
        #expect(account.playings.count == 1 && account.playings[0].from < 1_000)
    }

    @Test func musicThatStopsAndGoesOnIsOnePlaying() throws {
        var evening = try PlayedEvening()
        evening.play(0, bars: 0..<4)
        try evening.say("intermission on")
        evening.wait(seconds: 30)
        try evening.say("intermission off")
        evening.play(0, bars: 4..<8)
        let account = try #require(evening.builder.finished().first)
        #expect(account.playings.map { $0.bars.map(\.played) } == [Array(0..<8)])
    }

    // MARK: An encore before the next run

    @Test func anEncoreOfTheFirstPieceBelongsToTheRunBeforeIt() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.wait(seconds: 20)
        evening.play(0)
        evening.rest(in: 0, seconds: 200)
        try #require(evening.podium.state.phase == .over)
        evening.wait(seconds: 3_600)
        try evening.say("piece 1")
        evening.playConcert()
        try #require(evening.runs == [["melody-1", "melody-2", "melody-1*"], ["melody-1", "melody-2"]])
        let runs = evening.builder.finished()
        #expect(runs.map(\.run) == [1, 2] && runs.map(\.isOver) == [true, true])
        #expect(runs.map { $0.interventions.map(\.what) } == [[], ["piece 1"]])
        #expect(runs[0].lastMusic ?? 0 < 100_000 && runs[1].firstMusic ?? 0 > 3_600_000)
    }

    /// The screens are darkened as soon as the music ends, so that the Podium does not count the concert as over.
    @Test func aRunOnDarkenedScreensEndsAllTheSame() throws {
        var evening = try PlayedEvening()
        evening.play(0)
        evening.play(1)
        try evening.say("blackout on")
        evening.wait(seconds: 20)
        evening.play(0)
        evening.wait(seconds: 3_600)
        try evening.say("piece 1")
        try evening.say("blackout off")
        evening.playConcert()
        #expect(evening.runs == [["melody-1", "melody-2", "melody-1*"], ["melody-1", "melody-2"]])
    }

    @Test func anEncoreOfTheFirstPieceTwiceIsTwoEncores() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        for _ in 0..<2 {
            evening.play(0)
            evening.rest(in: 0, seconds: 20)
        }
        #expect(evening.runs == [["melody-1", "melody-2", "melody-1*", "melody-1*"]])
    }

    /// The first piece is played again at once, in a second run: nothing was over between.
    @Test func aFirstPieceThatIsRepeatedAtOnceInASecondRunStaysInIt() throws {
        var evening = try PlayedEvening()
        evening.playConcert()
        evening.wait(seconds: 3_600)
        try evening.say("piece 1")
        evening.play(0)
        evening.rest(in: 0, seconds: 20)
        evening.play(0)
        evening.play(1)
        evening.end(in: 1)
        #expect(evening.runs == [["melody-1", "melody-2"], ["melody-1", "melody-1", "melody-2"]])
    }

    @Test func aProgrammeInAnotherOrderIsOneRunWithoutEncore() throws {
        var evening = try PlayedEvening()
        try evening.say("piece 2")
        evening.play(1)
        evening.end(in: 1)
        try evening.say("piece 1")
        evening.play(0)
        evening.end(in: 0)
        #expect(evening.runs == [["melody-2", "melody-1"]])
    }

    // MARK: Older rules

    /// Logs of earlier versions are read by the rules under which they were written; before version 3 these know no end
    /// of the concert, before version 6 no second round.
    @Test(arguments: 1...PodiumSettings().rules)
    func anOlderLogGivesTheSameEntries(rules: Int) throws {
        var evening = try PlayedEvening(rules: rules)
        evening.playConcert()
        evening.play(1)
        evening.end(in: 1)
        evening.wait(seconds: 3_600)
        try evening.say("piece 1")
        evening.playConcert()
        evening.play(0)
        evening.rest(in: 0, seconds: 200)
        try #require(
            evening.runs == [
                ["melody-1", "melody-2", "melody-2*"], ["melody-1", "melody-2", "melody-1*"],
            ])
        let runs = evening.builder.finished()
        #expect(runs.map(\.isOver) == [true, true])
        #expect(runs.allSatisfy { $0.playings.allSatisfy(\.isPlayedToEnd) })
        #expect(runs[1].firstMusic ?? 0 > 3_600_000)
    }
}
