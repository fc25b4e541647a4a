import Testing

@testable import Accuracy

@Suite struct ComparisonTests {
    private func pairs(_ gains: [Double]) -> [FollowerComparison.PairedCaseFigures] {
        gains.enumerated().map { index, gain in
            .init(
                id: "case-\(index)", piece: "piece-\(index)", onsetCount: 100, sampleCount: 100,
                ourFigures: [.rightMeasureShare: 0.5 + gain], theirFigures: [.rightMeasureShare: 0.5])
        }
    }

    @Test func aSteadyGainIsNoChance() throws {
        let row = try #require(
            FollowerComparison(pairs(Array(repeating: 0.1, count: 12))).metricComparisons.first)
        #expect(row.betterCaseCount == 12 && row.worseCaseCount == 0 && row.equalCaseCount == 0)
        #expect(abs(row.difference - 0.1) < 1e-12)
        #expect(try #require(row.significance).lowerBound > 0)
        #expect(try #require(row.significance).pValue < 0.001)
    }

    @Test func gainsAndLossesThatCancelAreChance() throws {
        let row = try #require(
            FollowerComparison(pairs([0.1, -0.1, 0.1, -0.1, 0, 0])).metricComparisons.first)
        #expect(row.betterCaseCount == 2 && row.worseCaseCount == 2 && row.equalCaseCount == 2)
        let chance = try #require(row.significance)
        #expect(chance.lowerBound < 0 && chance.upperBound > 0)
        #expect(chance.pValue > 0.5)
    }

    @Test(arguments: 1...5) func fewPiecesHaveNoInterval(count: Int) throws {
        let comparison = FollowerComparison(pairs(Array(repeating: 0.1, count: count)))
        let row = try #require(comparison.metricComparisons.first)
        #expect(abs(row.difference - 0.1) < 1e-12)
        #expect(row.significance == nil)
        let table = comparison.markdownTables()
        #expect(table.contains("| measure_hit | 0.6 | 0.5 | +0.1 | - | - |"))
        #expect(table.contains("No interval and no chance: the cases are of \(count) piece"))
    }

    @Test func theSameSeedGivesTheSameTable() {
        let some = pairs([0.1, -0.02, 0.05, 0.3, -0.1, 0.01, 0.2])
        #expect(
            FollowerComparison(some, seed: 3).markdownTables()
                == FollowerComparison(some, seed: 3).markdownTables())
        #expect(
            FollowerComparison(some, seed: 3).metricComparisons
                != FollowerComparison(some, seed: 4).metricComparisons)
    }

    @Test func aPieceIsWhatACaseWasDerivedFrom() {
        let groups = ["real", "piano", "orchestra", "multi", "stress"]
        #expect(
            FollowerComparison.casePieceName(of: "orch-mozart-41-3", base: nil, groups: groups)
                == "mozart-41-3")
        #expect(
            FollowerComparison.casePieceName(of: "multi-orch-mozart-41-3", base: nil, groups: groups)
                == "mozart-41-3"
        )
        #expect(
            FollowerComparison.casePieceName(
                of: "stress-cut-forward", base: "orch-mozart-41-3", groups: groups)
                == "mozart-41-3")
        #expect(FollowerComparison.casePieceName(of: "prelude/a-b", base: nil, groups: groups) == "prelude")
    }
}
