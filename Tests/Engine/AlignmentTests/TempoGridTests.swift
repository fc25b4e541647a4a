import Testing

@testable import Alignment

@Suite struct TempoGridTests {
    private let grid = TempoGrid(slowest: 0.4, fastest: 2.5, count: 25, spread: 0.2)

    @Test func theRatiosGoFromTheSlowestToTheFastestInEqualSteps() {
        #expect(grid.ratios.count == 25)
        #expect(abs(grid.ratios[0] - 0.4) < 1e-6 && abs(grid.ratios[24] - 2.5) < 1e-5)
        let steps = zip(grid.ratios.dropFirst(), grid.ratios).map { $0 / $1 }
        #expect(steps.allSatisfy { abs($0 - steps[0]) < 1e-5 })
        // 0.4 and 2.5 are as far from one, so that the middle is the reference's own tempo.
        #expect(abs(grid.ratios[12] - 1) < 1e-6)
    }

    @Test func thePriorIsADistributionAroundTheReferencesTempo() {
        #expect(abs(grid.prior.reduce(0, +) - 1) < 1e-5)
        #expect(grid.prior.allSatisfy { $0 > 0 })
        for step in 1...12 {
            #expect(grid.prior[12 + step] < grid.prior[11 + step])
            #expect(abs(grid.prior[12 + step] / grid.prior[12 - step] - 1) < 1e-3)
        }
    }

    @Test func aWiderSpreadMakesAFlatterPrior() {
        let wide = TempoGrid(slowest: 0.4, fastest: 2.5, count: 25, spread: 0.6)
        #expect(wide.prior[12] < grid.prior[12])
        #expect(wide.prior[24] > grid.prior[24])
    }

    @Test func aBellIsHighestAtItsCentre() {
        let bell = TempoGrid.bell(grid.ratios, around: grid.ratios[18], spread: 0.1)
        #expect(bell.indices.max { bell[$0] < bell[$1] } == 18)
        #expect(abs(bell.reduce(0, +) - 1) < 1e-5)
    }
}
