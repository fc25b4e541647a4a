import Testing

@testable import Accuracy

@Suite struct ThoughtMapTests {
    @Test func aColumnIsTheMeanOfWhatFellIntoIt() {
        var gathering = ProbabilityMapBuilder(liveSeconds: 600, referenceDurationSeconds: 24)
        gathering.recordProbabilities(at: 0.1) { $0[0] += 1 }
        gathering.recordProbabilities(at: 0.6) { $0[239] += 0.5 }
        gathering.recordProbabilities(at: 1.2) { $0[7] += 1 }
        // Behind the end, as rounding may have it.
        gathering.recordProbabilities(at: 600.01) { $0[8] += 1 }
        let map = gathering.averagedMap
        #expect(map.columns.count == 600 && map.columns[0].count == 240)
        #expect(abs(map.columns[0][0] - 0.5) < 1e-3 && abs(map.columns[0][239] - 0.25) < 1e-3)
        #expect(abs(map.columns[1][7] - 1) < 1e-3 && abs(map.columns[599][8] - 1) < 1e-3)
        #expect(map.columns[2].allSatisfy { $0 == 0 })
        #expect(map.columns.allSatisfy { $0.reduce(0, +) <= 1 })
    }

    @Test(arguments: [(0.0, 0.0), (0.3, 0.05), (1e6, 1e6), (-1, -1)])
    func anyLengthsFitIntoAMap(live: Double, reference: Double) {
        var gathering = ProbabilityMapBuilder(liveSeconds: live, referenceDurationSeconds: reference)
        gathering.recordProbabilities(at: live / 2) { $0[$0.count - 1] += 1 }
        let map = gathering.averagedMap
        #expect((1...600).contains(map.columns.count) && (1...240).contains(map.columns[0].count))
        #expect(map.stepSeconds > 0)
    }
}
