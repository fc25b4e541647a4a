import Testing

@testable import Accuracy

@Suite struct ComparisonTests {
    private func pairs(_ gains: [Double]) -> [FollowerComparison.Pair] {
        gains.enumerated().map { index, gain in
            .init(
                id: "case-\(index)", piece: "piece-\(index)", onsets: 100, samples: 100,
                ours: [.measureHit: 0.5 + gain], theirs: [.measureHit: 0.5])
        }
    }

    @Test func aSteadyGainIsNoChance() throws {
        let row = try #require(FollowerComparison(pairs(Array(repeating: 0.1, count: 12))).rows.first)
        #expect(row.better == 12 && row.worse == 0 && row.equal == 0)
        #expect(abs(row.difference - 0.1) < 1e-12)
        #expect(row.low > 0)
        #expect(row.pValue < 0.001)
    }

    @Test func gainsAndLossesThatCancelAreChance() throws {
        let row = try #require(FollowerComparison(pairs([0.1, -0.1, 0.1, -0.1, 0, 0])).rows.first)
        #expect(row.better == 2 && row.worse == 2 && row.equal == 2)
        #expect(row.low < 0 && row.high > 0)
        #expect(row.pValue > 0.5)
    }

    @Test func theSameSeedGivesTheSameTable() {
        let some = pairs([0.1, -0.02, 0.05])
        #expect(FollowerComparison(some, seed: 3).table() == FollowerComparison(some, seed: 3).table())
        #expect(FollowerComparison(some, seed: 3).rows != FollowerComparison(some, seed: 4).rows)
    }

    @Test func aPieceIsWhatACaseWasDerivedFrom() {
        let groups = ["real", "piano", "orchestra", "multi", "stress"]
        #expect(FollowerComparison.piece(of: "orch-mozart-41-3", base: nil, groups: groups) == "mozart-41-3")
        #expect(
            FollowerComparison.piece(of: "multi-orch-mozart-41-3", base: nil, groups: groups) == "mozart-41-3"
        )
        #expect(
            FollowerComparison.piece(of: "stress-cut-forward", base: "orch-mozart-41-3", groups: groups)
                == "mozart-41-3")
        #expect(FollowerComparison.piece(of: "prelude/a-b", base: nil, groups: groups) == "prelude")
    }
}
