import Testing

@testable import Alignment

@Suite struct TempoGridTests {
    private let grid = TempoGrid(slowest: 0.4, fastest: 2.5, count: 25, spread: 0.2)

    @Test func theRatiosGoFromTheSlowestToTheFastestInEqualSteps() {
        #expect(grid.tempoRatios.count == 25)
        #expect(abs(grid.tempoRatios[0] - 0.4) < 1e-6 && abs(grid.tempoRatios[24] - 2.5) < 1e-5)
        let steps = zip(grid.tempoRatios.dropFirst(), grid.tempoRatios).map { $0 / $1 }
        #expect(steps.allSatisfy { abs($0 - steps[0]) < 1e-5 })
        // 0.4 and 2.5 are as far from one, so that the middle is the reference's own tempo.
        #expect(abs(grid.tempoRatios[12] - 1) < 1e-6)
    }

    @Test func thePriorIsADistributionAroundTheReferencesTempo() {
        #expect(abs(grid.priorProbabilities.reduce(0, +) - 1) < 1e-5)
        #expect(grid.priorProbabilities.allSatisfy { $0 > 0 })
        for step in 1...12 {
            #expect(grid.priorProbabilities[12 + step] < grid.priorProbabilities[11 + step])
            #expect(abs(grid.priorProbabilities[12 + step] / grid.priorProbabilities[12 - step] - 1) < 1e-3)
        }
    }

    @Test func aWiderSpreadMakesAFlatterPrior() {
        let wide = TempoGrid(slowest: 0.4, fastest: 2.5, count: 25, spread: 0.6)
        #expect(wide.priorProbabilities[12] < grid.priorProbabilities[12])
        #expect(wide.priorProbabilities[24] > grid.priorProbabilities[24])
    }

    @Test func aBellIsHighestAtItsCentre() {
        let bell = TempoGrid.normalDistribution(grid.tempoRatios, around: grid.tempoRatios[18], spread: 0.1)
        #expect(bell.indices.max { bell[$0] < bell[$1] } == 18)
        #expect(abs(bell.reduce(0, +) - 1) < 1e-5)
    }
}
