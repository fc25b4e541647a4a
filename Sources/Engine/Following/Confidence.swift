import Alignment
import RealModule

/// The calibrated probability that the shown measure is right to within one measure.
///
/// A logistic model of the alignment's own figures. Its weights were fitted on the development half of the
/// benchmark, each piece predicted from the others (docs/accuracy.md). Errors counted ten times in the fit, so that
/// doubt is shown too early rather than too late.
struct Confidence {
    /// Fit of the live sound at the position, in standard deviations, averaged over half a second and over two.
    private var recentFit = 0.0
    private var longFit = 0.0
    private var recentMass = 0.0
    private let framesPerSecond: Double

    init(framesPerSecond: Int) { self.framesPerSecond = Double(framesPerSecond) }

    mutating func reset() {
        recentFit = 0
        longFit = 0
        recentMass = 0
    }

    /// Starts from the certainty of a follower that fits well, after an operator has said where the music is.
    mutating func trust() {
        recentFit = 1
        longFit = 1
        recentMass = -0.1
    }

    /// Takes the newest estimate.
    /// - Returns: a probability, 0…1.
    mutating func update(_ estimate: AlignmentEstimate) -> Double {
        let fit = min(max(estimate.fit, -3), 5)
        recentFit += (fit - recentFit) / (0.5 * framesPerSecond)
        longFit += (fit - longFit) / (2 * framesPerSecond)
        let mass = Double.log(min(max(estimate.mass, 1e-3), 1))
        recentMass += (mass - recentMass) / (0.3 * framesPerSecond)
        let tempo = abs(Double.log(min(max(estimate.tempo.value, 0.3), 3)))
        let evidence =
            0.351 + 0.855 * recentFit + 1.571 * longFit - 1.041 * min(longFit, 1) + 2.398 * recentMass
            - 3.612 * tempo - 1.247 * min(estimate.rivalGain, 3)
            - 0.08 * Double.log(estimate.rivalMass + 1e-3)
        return 1 / (1 + Double.exp(-evidence))
    }
}
