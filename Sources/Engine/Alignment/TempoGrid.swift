import RealModule

/// The tempo ratios a filter reckons with, and how likely each is where nothing is known.
struct TempoGrid: Sendable {
    /// Reference frames a live frame, evenly spaced in the logarithm.
    let ratios: [Float]
    /// Sums to one.
    let prior: [Float]

    init(slowest: Float, fastest: Float, count: Int, spread: Float) {
        precondition(count > 1 && slowest > 0 && fastest > slowest, "a tempo grid rises")
        // The margin of a row is what a shifted read may reach back.
        precondition(fastest < Float(rowMargin - 2), "the largest tempo fits the margin")
        let ratios = (0..<count).map { slowest * Float.pow(fastest / slowest, Float($0) / Float(count - 1)) }
        self.ratios = ratios
        prior = Self.bell(ratios, around: 1, spread: spread)
    }

    /// A bell in log tempo around a ratio; sums to one.
    static func bell(_ ratios: [Float], around centre: Float, spread: Float) -> [Float] {
        let weights = ratios.map { ratio in
            let distance = Float.log(ratio / centre) / spread
            return Float.exp(-0.5 * distance * distance)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }
}
