import Basics
import Score
import Testing

@testable import Rehearsal

/// A stand's prediction where the reference slows down and where the follower's position stands still.
@Suite struct ForesightTests {
    /// Forty measures of two seconds, one of another length.
    private func bench(measure: Int, lasts seconds: Double) throws -> StandBench {
        var onset = 0.0
        var marks: [PlayedMeasure] = []
        for played in 0..<40 {
            marks.append(PlayedMeasure(printed: played + 1, onset: ReferenceTime(seconds: onset)))
            onset += played == measure ? seconds : 2
        }
        let map = try MeasureMap(marks: marks, end: ReferenceTime(seconds: onset))
        return StandBench(PageTurnPlan(score: try symphony(), part: 0, measures: [map]))
    }

    @Test func aFermataOfTheReferenceIsNotWaitedFor() throws {
        var bench = try bench(measure: 9, lasts: 5)
        bench.play(0..<10)
        bench.wait(until: 23_000)
        // A fifth longer than its neighbours: 2.4 s, or a little more while the tempo is measured in the fermata.
        let turn = try #require(bench.turns.first)
        #expect((19_280...19_680).contains(turn.at))
        #expect(bench.turns.count == 1)
    }

    @Test func whereTheMusicDoesTarryTheTurnWaitsWithIt() throws {
        var bench = try bench(measure: 9, lasts: 5)
        bench.hear(9, at: 18_000)
        // At a fifth of the measure after a second: as the reference plays it.
        bench.hear(9, 0.2, at: 19_000)
        bench.hear(9, 0.4, at: 20_000)
        bench.wait(until: 23_000)
        #expect(bench.turns.map(\.at) == [18_000 + 5_000 - 1_300])
    }

    @Test func aCadenzaIsWaitedFor() throws {
        var bench = try bench(measure: 9, lasts: 8)
        bench.hear(9, at: 18_000)
        bench.hear(9, 0.5, at: 22_000)
        bench.wait(until: 26_000)
        #expect(bench.turns.map(\.at) == [26_000 - 1_300])
    }

    @Test func aShortMeasureStaysShort() throws {
        var bench = try bench(measure: 9, lasts: 1)
        bench.hear(9, at: 18_000)
        bench.wait(until: 19_000)
        #expect(bench.turns.map(\.at) == [19_000 - 700])
    }

    @Test func onlyNeighboursTellWhatIsLong() throws {
        let one = try MeasureMap(
            marks: [PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: 0))],
            end: ReferenceTime(seconds: 9)
        )
        #expect(ExpectedTimeline(one).duration(ofMeasure: 0) == 9)
        let even = ExpectedTimeline(try measures())
        #expect((0..<40).allSatisfy { even.duration(ofMeasure: $0) == 2 })
    }

    @Test func aPositionThatStandsWhileTheTempoGoesOnIsCarriedOn() {
        var bench = StandBench()
        for time in 0...10 { bench.hear(9, 0.2, at: 18_400 + Int64(time) * 200) }
        #expect(bench.turns.map(\.at) == [19_000])
    }

    @Test func itIsCarriedOnForTwoSecondsOnly() {
        var bench = StandBench()
        for time in 0...30 { bench.hear(8, at: 16_000 + Int64(time) * 200) }
        #expect(bench.turns.isEmpty)
    }

    @Test func aPositionThatMovesAgainIsBelievedAsItIs() {
        var bench = StandBench()
        bench.hear(8, 0.5, at: 17_000)
        bench.hear(8, 0.5, at: 17_200)
        bench.hear(8, 0.5, at: 17_400)
        for step in 1...12 {
            let place = 17 + Double(step) * 0.2
            bench.hear(Int(place / 2), place / 2 - Double(Int(place / 2)), at: 17_400 + Int64(step) * 200)
        }
        let turn = bench.turns.first?.at ?? 0
        #expect((19_400...19_450).contains(turn))
        #expect(bench.turns.count == 1)
    }

    @Test func aStandingPositionWithoutTempoStays() {
        var bench = StandBench()
        for time in 0...20 { bench.hear(9, 0.2, at: 18_400 + Int64(time) * 200, tempo: 0) }
        #expect(bench.turns.isEmpty)
    }
}
