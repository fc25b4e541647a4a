import Basics
import RealModule

/// Estimates how far a performance is tuned from A = 440 Hz, modulo a semitone, from its spectral peaks.
///
/// Each peak of the long window between 100 Hz and 2 kHz votes with its distance from the nearest semitone, as a
/// point on a circle of one semitone; the direction of the sum is the tuning. Old votes fade.
/// Belongs to one thread; no allocation, no lock.
public struct TuningEstimate {
    private var voteSumX: Double = 0
    private var voteSumY: Double = 0
    private var voteWeightSum: Double = 0
    private let voteFadeFactor: Double

    /// Creates an estimate without votes.
    /// - Parameter halfLifeSeconds: the time after which a vote counts half; `.infinity` to estimate the tuning of a
    ///   whole recording.
    public init(parameters: FeatureParameters, halfLifeSeconds: Double) {
        voteFadeFactor = Double.exp2(-1 / (halfLifeSeconds * Double(parameters.framesPerSecond)))
    }

    /// Adds the votes of the spectral peaks in the analyser's newest hop.
    public mutating func addVotes(_ stage: SpectrumAnalyser) {
        let power = stage.longPowerSpectrum
        let binHertz = stage.sampleRate.hertz / Double(stage.longBlockLength)
        let low = max(Int(100 / binHertz), 2)
        let high = min(Int(2_000 / binHertz), stage.longBlockLength / 2 - 2)
        guard high > low else { return }
        var loudest: Float = 0
        for bin in low...high { loudest = max(loudest, power[bin]) }
        voteSumX *= voteFadeFactor
        voteSumY *= voteFadeFactor
        voteWeightSum *= voteFadeFactor
        guard loudest > 1e-9 else { return }
        for bin in low...high
        where power[bin] > loudest * 1e-3 && power[bin] > power[bin - 1] && power[bin] >= power[bin + 1] {
            // The peak of a Hann window's logarithmic spectrum is close to a parabola.
            let left = Double(Float.log(power[bin - 1] + 1e-12))
            let middle = Double(Float.log(power[bin] + 1e-12))
            let right = Double(Float.log(power[bin + 1] + 1e-12))
            let curvature = left - 2 * middle + right
            guard curvature < 0 else { continue }
            let shift = 0.5 * (left - right) / curvature
            let hertz = (Double(bin) + shift) * binHertz
            let pitch = 69 + 12 * Double.log2(hertz / 440)
            let angle = 2 * Double.pi * (pitch - pitch.rounded())
            let weight = Double((power[bin] / loudest).squareRoot())
            voteSumX += weight * Double.cos(angle)
            voteSumY += weight * Double.sin(angle)
            voteWeightSum += weight
        }
    }

    /// The tuning in cents, -50…50; 0 if there are no votes.
    public var tuningCents: Double {
        voteWeightSum > 0 ? 100 * Double.atan2(y: voteSumY, x: voteSumX) / (2 * .pi) : 0
    }

    /// The agreement of the votes, 0…1; below about 0.2 the estimate means nothing.
    public var voteAgreement: Double {
        voteWeightSum > 0 ? (voteSumX * voteSumX + voteSumY * voteSumY).squareRoot() / voteWeightSum : 0
    }

    /// Total weight of the votes so far; each hop adds about one to five.
    public var totalVoteWeight: Double { voteWeightSum }
}
