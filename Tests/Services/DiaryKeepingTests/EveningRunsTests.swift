import Podium
import Score
import Testing

@testable import DiaryKeeping
@testable import ShowLog
@testable import ShowStages
@testable import TestHelpers

/// A concert that is given again in the same show, an encore, and music that is broken off and begun again.
@Suite struct EveningRunsTests {
    /// A Podium with a clock that the test sets, and the builder that reads its log. Both pieces have eight measures of a
    /// second each.
    private struct Evening {
        var podium: Podium
        var builder = EveningAccountBuilder()
        var milliseconds: Int64 = 0

        init() throws { podium = Podium(course: try madeCourse()) }

        mutating func take(_ event: PodiumEvent) {
            let now = ShowTime(milliseconds: milliseconds)
            let effects = podium.process(event, at: now)
            builder.addReplayedLine(
                .init(
                    time: now, timeOfDay: nil, event: event, replayedEffects: effects,
                    replayedEffectsJSON: [],
                    packetAndClientCounts: nil, note: nil, isEnd: false), podium)
        }

        mutating func say(_ words: String) throws {
            let command = try PodiumCommand(words: words.split(separator: " ").map(String.init))
            take(.command(command, by: ServeStage.anna))
        }

        mutating func hear(_ played: Int, piece: Int, finished: Bool = false, jumped: Bool = false) {
            take(
                .followerReport(
                    FollowerReport(
                        piece: piece, position: ScorePosition(played: played, fraction: 0),
                        printed: played + 1,
                        state: finished ? .finished : .following, jumped: jumped, order: podium.state.order)))
        }

        mutating func wait(seconds: Int64) {
            let end = milliseconds + seconds * 1_000
            while let due = podium.nextTickDue, due <= ShowTime(milliseconds: end) {
                milliseconds = max(milliseconds, due.milliseconds)
                take(.tick)
            }
            milliseconds = end
        }

        mutating func play(_ piece: Int, bars: Range<Int> = 0..<8) {
            for played in bars {
                hear(played, piece: piece, jumped: played == 0)
                wait(seconds: 1)
            }
        }

        /// Applause, until the concert counts as over.
        mutating func end(in piece: Int) {
            for _ in 0..<8 {
                hear(7, piece: piece, finished: true)
                wait(seconds: 2)
            }
        }

        /// The whole programme, until it counts as over.
        mutating func playConcert() {
            play(0)
            play(1)
            end(in: 1)
        }
    }

    private func folders(_ runs: [EveningAccount]) -> [[String]] { runs.map { $0.playings.map(\.folder) } }

    @Test func aConcertThatIsGivenTwiceHasTwoEntries() throws {
        var evening = try Evening()
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

    @Test func aSecondRunIsOverOnlyAfterItsLastPiece() throws {
        var evening = try Evening()
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
        var evening = try Evening()
        evening.playConcert()
        evening.play(0)
        let runs = evening.builder.finished()
        #expect(folders(runs) == [["melody-1", "melody-2", "melody-1"]])
        #expect(runs[0].playings.map(\.isEncore) == [false, false, true])
    }

    @Test func aFewBarsAfterTheEndAreNoEncore() throws {
        var evening = try Evening()
        evening.playConcert()
        evening.play(0, bars: 0..<3)
        #expect(folders(evening.builder.finished()) == [["melody-1", "melody-2"]])
    }

    @Test func aFalseStartIsNoPartOfThePlaying() throws {
        var evening = try Evening()
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
        var evening = try Evening()
        evening.play(0, bars: 0..<3)
        evening.hear(0, piece: 0, jumped: true)
        evening.wait(seconds: 1)
        evening.play(0, bars: 3..<8)
        let account = try #require(evening.builder.finished().first)
        #expect(account.playings.count == 1 && account.playings[0].from < 1_000)
    }

    @Test func musicThatStopsAndGoesOnIsOnePlaying() throws {
        var evening = try Evening()
        evening.play(0, bars: 0..<4)
        try evening.say("intermission on")
        evening.wait(seconds: 30)
        try evening.say("intermission off")
        evening.play(0, bars: 4..<8)
        let account = try #require(evening.builder.finished().first)
        #expect(account.playings.map { $0.bars.map(\.played) } == [Array(0..<8)])
    }
}
