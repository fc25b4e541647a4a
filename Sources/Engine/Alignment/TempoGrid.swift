import RealModule

/// The tempo ratios that a filter distinguishes, and how likely each is while nothing is known.
struct TempoGrid: Sendable {
    /// Reference frames per live frame, evenly spaced in the logarithm.
    let ratios: [Float]
    /// Probability of each tempo while nothing is known; sums to one.
    let prior: [Float]

    init(slowest: Float, fastest: Float, count: Int, spread: Float) {
        precondition(count > 1 && slowest > 0 && fastest > slowest, "a tempo grid rises")
        // A row's margin limits how far back a shifted read may reach.
        precondition(fastest < Float(rowMargin - 2), "the largest tempo fits the margin")
        let ratios = (0..<count).map { slowest * Float.pow(fastest / slowest, Float($0) / Float(count - 1)) }
        self.ratios = ratios
        prior = Self.bell(ratios, around: 1, spread: spread)
    }

    /// A normal distribution over the logarithm of the tempo, centred on a ratio; sums to one.
    static func bell(_ ratios: [Float], around centre: Float, spread: Float) -> [Float] {
        let weights = ratios.map { ratio in
            let distance = Float.log(ratio / centre) / spread
            return Float.exp(-0.5 * distance * distance)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }
}
