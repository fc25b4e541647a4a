import Testing

@testable import Alignment

@Suite struct TappedBarWeightFitTests {
    /// A recording in which one figure is high at the bar lines, every second.
    private static func features(_ figure: Int, value: Float = 2, frameCount: Int = 2000) -> TappedBarFeatures
    {
        let count = TappedBarWeights.count
        var values = [Float](repeating: 0, count: frameCount * count)
        for frame in stride(from: 100, to: frameCount, by: 50) { values[frame * count + figure] = value }
        return TappedBarFeatures(standardised: values, frameCount: frameCount)
    }

    private static let bars = Array(stride(from: 100, to: 1900, by: 50))

    private static func fit(_ features: TappedBarFeatures, bars: [Int] = bars, strength: Double = 5)
        -> TappedBarWeightFit
    {
        TappedBarWeightFit(
            features, bars: bars, reach: 50, heldTo: TappedBarWeights.general, strength: strength)
    }

    @Test func theWeightOfAFigureThatTellsBarLinesRises() {
        let weights = Self.fit(Self.features(7)).weights()
        #expect(weights[7] > TappedBarWeights.general[7] + 0.3)
        for index in weights.indices where index != 7 {
            #expect(abs(weights[index] - TappedBarWeights.general[index]) < 1e-9)
        }
    }

    @Test func everyFitIsAtLeastAsLikelyAsTheGeneralWeights() {
        // So large a figure that a whole step of Newton's method would go astray.
        for value in [Float(0.1), 1, 10, 100] {
            let fit = Self.fit(Self.features(3, value: value))
            #expect(fit.objective(fit.weights()) >= fit.objective(TappedBarWeights.general))
        }
    }

    @Test func strongHoldingKeepsTheGeneralWeights() {
        let weights = Self.fit(Self.features(7), strength: 1e9).weights()
        #expect(zip(weights, TappedBarWeights.general).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test func withoutBarsTheGeneralWeightsStay() {
        #expect(Self.fit(Self.features(7), bars: []).weights() == TappedBarWeights.general)
        #expect(Self.fit(Self.features(7), bars: [3, 1990, 5000]).weights() == TappedBarWeights.general)
    }

    @Test func equationsAreSolvedIfTheMatrixIsPositiveDefinite() {
        let solution = TappedBarWeightFit.solution(of: [4, 0, 2, 3], [8, 7])
        #expect(solution.map { zip($0, [1.25, 1.5]).allSatisfy { abs($0 - $1) < 1e-12 } } == true)
        #expect(TappedBarWeightFit.solution(of: [1, 0, 2, 1], [1, 1]) == nil)
    }
}
