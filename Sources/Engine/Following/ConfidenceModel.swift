import Alignment
import Basics
import RealModule

/// Computes the calibrated probability that the displayed measure is right to within one measure.
///
/// It is a logistic model of the alignment's own figures. The most important one compares the position with music in
/// general, which the reference's own frames in any order stand for: so other music is told from the piece without a
/// threshold of similarity, which would differ from piece to piece. The weights were fitted on the development half of
/// the benchmark and on made trouble, each piece predicted from the others (docs/accuracy.md).
struct ConfidenceModel {
    /// The gain of the position over the reference in any order, averaged over half a second; `longGain` is averaged
    /// over six seconds, as are the others.
    private var recentGain = 0.0
    private var longGain = 0.0
    /// The gain that this performance usually has while it is followed; it rises within seconds and falls within
    /// minutes. A performance that has fitted better than others must go on fitting better.
    private var usualGain = leastUsualGain
    /// The natural logarithm of the tempo ratio that this performance usually has while it is followed surely. A
    /// performance that is twice as fast as its reference is not doubted for that; nor is one that goes back to the
    /// reference's tempo.
    private var usualLogTempo = 0.0
    /// The tempo ratio that this performance usually has while it is followed surely; 1 at first.
    var usualTempo: Double { Double.exp(usualLogTempo) }
    private var shortfall = 0.0
    private var logProbability = 0.0
    private var rivalProbability = 0.0
    private let framesPerSecond: Double

    /// The least value of ``usualGain``: that of a usual performance.
    private static let leastUsualGain = 0.6
    /// The confidence from which ``usualLogTempo`` is learnt, and the time constant in seconds.
    private static let sureConfidence = 0.9
    private static let tempoMemorySeconds = 10.0

    init(framesPerSecond: Int) {
        self.framesPerSecond = Double(framesPerSecond)
        reset(isStartKnown: true)
    }

    /// Forgets the performance.
    /// - Parameter isStartKnown: true if the music is expected to begin at a known place, which is then believed at
    ///   first; otherwise every place is doubted at first.
    mutating func reset(isStartKnown: Bool) {
        recentGain = isStartKnown ? 0.1 : 0
        longGain = recentGain
        usualGain = Self.leastUsualGain
        usualLogTempo = 0
        shortfall = isStartKnown ? 0.6 : 2
        logProbability = isStartKnown ? -0.05 : -0.3
        rivalProbability = isStartKnown ? 0.1 : 0.5
    }

    /// Starts with the figures of a follower that is right, because an operator has said where the music is.
    mutating func startTrusted() {
        recentGain = 0.5
        longGain = 0.5
        shortfall = 0.4
        logProbability = -0.02
        rivalProbability = 0.05
    }

    /// The average gain, in the unit of `recentGain`, that a rival owes only to being the best of the whole reference.
    private static let choiceBias = 0.2

    /// Forgets the place before a jump; what the new one gained while it was tried decides whether it is believed.
    private mutating func forgetPlaceBeforeJump(gain: Double) {
        recentGain = gain - Self.choiceBias
        longGain = max(longGain, recentGain)
        shortfall = 1.5
        logProbability = max(logProbability, -0.1)
        rivalProbability = 0.3
    }

    /// Adds the newest estimate to the averages; before the music has begun and while the signal is lost, they stay.
    /// - Returns: the probability that the displayed measure is right to within one, 0…1.
    mutating func updateConfidence(_ estimate: MusicAlignmentEstimate, isDropout: Bool = false) -> Double {
        let gain = min(max(estimate.gainOverAnyOrder, -3), 3)
        if estimate.hasJumped { forgetPlaceBeforeJump(gain: gain) }
        if estimate.hasBegun && !isDropout {
            recentGain += (gain - recentGain) / (0.5 * framesPerSecond)
            let usualSeconds: Double = recentGain > usualGain ? 10 : 120
            usualGain += (recentGain - usualGain) / (usualSeconds * framesPerSecond)
            let step = 1 / (6 * framesPerSecond)
            longGain += (gain - longGain) * step
            shortfall += (min(max(estimate.shortfallFromBest, 0), 5) - shortfall) * step
            let mass = Double.log(min(max(estimate.probability, 0.1), 1))
            logProbability += (mass - logProbability) * step
            rivalProbability += (min(estimate.rivalProbability, 1) - rivalProbability) * step
        }
        let logTempo = Double.log(min(max(estimate.tempo.value, 0.3), 3))
        let scale = Self.leastUsualGain / max(usualGain, Self.leastUsualGain)
        let evidence =
            2.575 + scale * (5.548 * recentGain + 1.766 * longGain) - 1.755 * shortfall
            + 2.467 * logProbability - 1.54 * rivalProbability - 0.592 * min(estimate.rivalFitGain, 3)
            - 2.501 * min(abs(logTempo), abs(logTempo - usualLogTempo))
        let confidence = 1 / (1 + Double.exp(-evidence))
        let isMoving = estimate.hasBegun && !isDropout && estimate.standstillProbability < 0.5
        if isMoving, confidence > Self.sureConfidence {
            usualLogTempo += (logTempo - usualLogTempo) / (Self.tempoMemorySeconds * framesPerSecond)
        }
        return confidence
    }
}
