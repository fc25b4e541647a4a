import Testing

@testable import Alignment

@Suite struct TappedBarWeightFitTests {
    /// A recording in which one figure is high at the bar lines, every second.
    private static func features(_ figure: Int, value: Float = 2, frameCount: Int = 2000) -> TappedBarFeatures
    {
        let count = TappedBarScale.count
        var values = [Float](repeating: 0, count: frameCount * count)
        for frame in stride(from: 100, to: frameCount, by: 50) { values[frame * count + figure] = value }
        return TappedBarFeatures(standardised: values, frameCount: frameCount)
    }

    private static let zero = [Double](repeating: 0, count: TappedBarScale.count)
    private static let bars = Array(stride(from: 100, to: 1900, by: 50))

    private static func fit(_ features: TappedBarFeatures, bars: [Int] = bars, strength: Double = 5)
        -> TappedBarWeightFit
    {
        TappedBarWeightFit(
            features, offsets: [Float](repeating: 0, count: features.frameCount), bars: bars, reach: 50,
            strength: strength)
    }

    @Test func theWeightOfAFigureThatTellsBarLinesRises() {
        let weights = Self.fit(Self.features(7)).weights()
        #expect(weights[7] > 0.3)
        for index in weights.indices where index != 7 {
            #expect(abs(weights[index]) < 1e-9)
        }
    }

    @Test func everyFitIsAtLeastAsLikelyAsNoWeights() {
        // So large a figure that a whole step of Newton's method would go astray.
        for value in [Float(0.1), 1, 10, 100] {
            let fit = Self.fit(Self.features(3, value: value))
            #expect(fit.objective(fit.weights()) >= fit.objective(Self.zero))
        }
    }

    @Test func strongHoldingKeepsTheWeightsAtZero() {
        let weights = Self.fit(Self.features(7), strength: 1e9).weights()
        #expect(weights.allSatisfy { abs($0) < 1e-5 })
    }

    @Test func withoutBarsTheWeightsStayZero() {
        #expect(Self.fit(Self.features(7), bars: []).weights() == Self.zero)
        #expect(Self.fit(Self.features(7), bars: [3, 1990, 5000]).weights() == Self.zero)
    }

    @Test func whatElseSpeaksForTheBarLinesLeavesLessToTheWeights() {
        var offsets = [Float](repeating: 0, count: 2000)
        for bar in Self.bars { offsets[bar] = 6 }
        let fit = TappedBarWeightFit(
            Self.features(7), offsets: offsets, bars: Self.bars, reach: 50, strength: 5)
        #expect(fit.weights()[7] < 0.7 * Self.fit(Self.features(7)).weights()[7])
    }

    @Test func equationsAreSolvedIfTheMatrixIsPositiveDefinite() {
        let solution = TappedBarWeightFit.solution(of: [4, 0, 2, 3], [8, 7])
        #expect(solution.map { zip($0, [1.25, 1.5]).allSatisfy { abs($0 - $1) < 1e-12 } } == true)
        #expect(TappedBarWeightFit.solution(of: [1, 0, 2, 1], [1, 1]) == nil)
    }
}
