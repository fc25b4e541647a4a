import Testing

@testable import ScorePages

@Suite struct FallFieldTests {
    private typealias Slope = (strip: Double, row: Double, fall: Double)

    /// Slopes on a grid over a page of 60 strips and 2,000 rows.
    private func slopes(_ fall: (_ strip: Double, _ row: Double) -> Double) -> [Slope] {
        (0..<12).flatMap { down in
            (0..<10).map { across in
                let (strip, row) = (Double(across * 6 + 3), Double(down * 160 + 80))
                return (strip, row, fall(strip, row))
            }
        }
    }

    private func fitted(_ slopes: [Slope]) -> FallField {
        var field = FallField(strips: 60, height: 2_000)
        field.fit(slopes)
        return field
    }

    @Test func nothingFallsUntilManyStavesSaySo() {
        let few = Array(slopes { _, _ in 2 }.prefix(11))
        #expect(fitted([]).fall(30, 1_000) == 0)
        #expect(fitted(few).fall(30, 1_000) == 0)
    }

    @Test func aBentSheetIsFollowedAtEachPlace() {
        let bent = { (strip: Double, row: Double) in 0.5 + (strip / 60 - 0.5) * (row / 2_000) }
        let field = fitted(slopes(bent))
        for (strip, row) in [(3.0, 80.0), (57, 80), (30, 1_000), (3, 1_900), (57, 1_900)] {
            #expect(abs(field.fall(strip, row) - bent(strip, row)) < 0.1)
        }
    }

    @Test func textThatWasTakenForStavesBendsNothing() {
        let torn = slopes { _, _ in 0.3 }.enumerated().map { index, slope -> Slope in
            index % 9 == 0 ? (slope.strip, slope.row, -4) : slope
        }
        #expect(abs(fitted(torn).fall(30, 1_000) - 0.3) < 0.02)
    }

    @Test func slopesFromOnePlaceDoNotMakeTheRestOfThePageFall() {
        let corner: [Slope] = (0..<20).map { (2 + Double($0 % 4), 100 + Double($0), 0.4) }
        #expect(abs(fitted(corner).fall(58, 1_900)) < 0.4)
    }
}
