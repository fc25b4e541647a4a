import Testing

@testable import TakeReport

/// The pace of a take, bar by bar, and honest silence where nothing is certain.
@Suite struct BarTimingTests {
    /// Bars of two seconds in the reference, played at a tempo from second 5 on.
    private func bars(_ count: Int, tempo: Double = 1) -> [AlignedBar] {
        (0..<count).map {
            AlignedBar(played: $0, seconds: 5 + 2 * Double($0) / tempo, referenceSeconds: 2 * Double($0))
        }
    }

    private func judged(_ bars: [AlignedBar], tempo: Double = 1) -> [BarTiming] {
        BarTiming.judge(
            bars,
            end: (bars[bars.count - 1].seconds + 2 / tempo, bars[bars.count - 1].referenceSeconds + 2))
    }

    @Test func anEvenPaceIsNeitherEarlyNorLate() throws {
        for tempo in [0.6, 1, 1.5] {
            for bar in judged(bars(12, tempo: tempo), tempo: tempo) {
                #expect(abs(try #require(bar.tempo) - tempo) < 1e-9)
                if let lateness = bar.lateness { #expect(abs(lateness) < 1e-9) }
            }
        }
    }

    @Test func aLateBarIsLateAndItsNeighboursAreNot() throws {
        var late = bars(12)
        late[6].seconds += 0.15
        let found = judged(late)
        #expect(abs(try #require(found[6].lateness) - 0.15) < 1e-9)
        for (index, bar) in found.enumerated() where index != 6 {
            if let lateness = bar.lateness { #expect(abs(lateness) < BarTiming.leastLateness) }
        }
    }

    @Test func aTempoThatChangesIsFollowed() throws {
        var changing = bars(12)
        for index in 6..<12 { changing[index].seconds = changing[6].seconds + 2.5 * Double(index - 6) }
        let found = judged(changing)
        #expect(try #require(found[3].tempo) == 1 && abs(try #require(found[8].tempo) - 0.8) < 1e-9)
        #expect(abs(try #require(found[9].lateness)) < 1e-9)
    }

    @Test func whatIsNotCertainIsNotJudged() {
        var doubtful = bars(8)
        doubtful[4].doubt = .ambiguous
        let found = judged(doubtful)
        #expect(found[4].lateness == nil && found[4].doubt == .ambiguous)
        #expect(found[3].tempo == nil && found[4].tempo == nil && found[5].tempo != nil)
        #expect(found[0].doubt == .afterJump && found[0].lateness == nil)
        let short = judged(bars(2))
        #expect(short[1].doubt == .fewNeighbours)
    }
}
