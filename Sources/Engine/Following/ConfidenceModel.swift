import Alignment
import RealModule

/// Computes the calibrated probability that the displayed measure is right to within one measure.
///
/// It is a logistic model of the alignment's own figures. Its weights were fitted on the development half of the
/// benchmark, each piece predicted from the others (docs/accuracy.md). Errors counted ten times in the fit, so that
/// doubt is shown too early rather than too late.
struct ConfidenceModel {
    /// The fit of the live sound at the position, in standard deviations, averaged over half a second; `longFit` is
    /// averaged over two seconds.
    private var recentFit = 0.0
    private var longFit = 0.0
    private var recentLogProbability = 0.0
    private let framesPerSecond: Double

    init(framesPerSecond: Int) { self.framesPerSecond = Double(framesPerSecond) }

    mutating func reset() {
        recentFit = 0
        longFit = 0
        recentLogProbability = 0
    }

    /// Starts with the figures of a follower that fits well, because an operator has said where the music is.
    mutating func startTrusted() {
        recentFit = 1
        longFit = 1
        recentLogProbability = -0.1
    }

    /// Adds the newest estimate to the averages.
    /// - Returns: the probability that the displayed measure is right to within one, 0…1.
    mutating func updateConfidence(_ estimate: MusicAlignmentEstimate) -> Double {
        let fit = min(max(estimate.fit, -3), 5)
        recentFit += (fit - recentFit) / (0.5 * framesPerSecond)
        longFit += (fit - longFit) / (2 * framesPerSecond)
        let mass = Double.log(min(max(estimate.probability, 1e-3), 1))
        recentLogProbability += (mass - recentLogProbability) / (0.3 * framesPerSecond)
        let tempo = abs(Double.log(min(max(estimate.tempo.value, 0.3), 3)))
        let evidence =
            0.351 + 0.855 * recentFit + 1.571 * longFit - 1.041 * min(longFit, 1) + 2.398
            * recentLogProbability
            - 3.612 * tempo - 1.247 * min(estimate.rivalFitGain, 3)
            - 0.08 * Double.log(estimate.rivalProbability + 1e-3)
        return 1 / (1 + Double.exp(-evidence))
    }
}
