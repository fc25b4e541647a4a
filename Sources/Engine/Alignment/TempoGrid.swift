import RealModule

/// The tempo ratios that a filter distinguishes, and the probability of each before anything is heard.
struct TempoGrid: Sendable {
    /// The tempi in reference frames per live frame, evenly spaced in the logarithm.
    let tempoRatios: [Float]
    /// The probability of each tempo before anything is heard; the sum is one.
    let priorProbabilities: [Float]

    init(slowest: Float, fastest: Float, count: Int, spread: Float) {
        precondition(count > 1 && slowest > 0 && fastest > slowest, "a tempo grid rises")
        // A row's margin limits how far back a shifted read may reach.
        precondition(fastest < Float(rowMarginZeroCount - 2), "the largest tempo fits the margin")
        let ratios = (0..<count).map { slowest * Float.pow(fastest / slowest, Float($0) / Float(count - 1)) }
        self.tempoRatios = ratios
        priorProbabilities = Self.normalDistribution(ratios, around: 1, spread: spread)
    }

    /// Returns a normal distribution over the logarithm of the tempo, centred on a ratio; the sum is one.
    static func normalDistribution(_ ratios: [Float], around centre: Float, spread: Float) -> [Float] {
        let weights = ratios.map { ratio in
            let distance = Float.log(ratio / centre) / spread
            return Float.exp(-0.5 * distance * distance)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }
}
