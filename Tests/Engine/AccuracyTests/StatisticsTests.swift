import Testing

@testable import Accuracy

@Suite struct StatisticsTests {
    @Test func sumsOfUpToSevenRunFromTheFront() {
        let values = [0.1, 0.2, 0.3, 1e16, -1e16]
        #expect(Statistics.sum(values) == values.reduce(0, +))
        #expect(Statistics.sum([]) == 0)
    }

    @Test func eightRunningSumsAreJoinedInPairs() {
        // Lane 0 holds 1e16 + 1 and lane 1 -1e16: from the front the 1 would be lost in another place.
        let values = [1e16, -1e16, 0, 0, 0, 0, 0, 0, 1.0, 1.0]
        #expect(Statistics.sum(values) == ((1e16 + -1e16) + 1) + 1)
        let wide = (0..<1_000).map { 1 / Double($0 + 1) }
        #expect(abs(Statistics.sum(wide) - 7.485470860550345) < 1e-12)
    }

    @Test func quantilesLieBetweenTheirNeighbours() {
        #expect(Statistics.quantile(ofSorted: [1, 2, 3, 4], 0.5) == 2.5)
        #expect(Statistics.quantile(ofSorted: [5], 0.95) == 5)
        #expect(Statistics.quantile(ofSorted: [0, 10], 0.95) == 9.5)
        #expect(Statistics.quantile(ofSorted: [0, 10], 1) == 10)
    }

    @Test func aMedianOfTwoIsTheirMean() {
        #expect(Statistics.median([3, 1]) == 2)
        #expect(Statistics.median([3, 1, 2]) == 2)
    }

    @Test func searchTellsBelowFromUpTo() {
        let values = [1.0, 2, 2, 3]
        #expect(values.countBelow(2) == 1)
        #expect(values.countAtMost(2) == 3)
        #expect([Double]().countAtMost(1) == 0)
    }

    @Test func interpolationIsFlatBeyondItsEnds() {
        let knots = [0.0, 1, 3]
        let heights = [0.0, 10, 20]
        #expect(knots.interpolate(heights, at: -1) == 0)
        #expect(knots.interpolate(heights, at: 2) == 15)
        #expect(knots.interpolate(heights, at: 1) == 10)
        #expect(knots.interpolate(heights, at: 9) == 20)
    }
}
