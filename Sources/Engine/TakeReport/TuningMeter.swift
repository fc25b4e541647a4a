import Features
import RealModule

/// Hears how a stretch of music is tuned: finds the partials of each window and votes with those that say something
/// about the tuning.
///
/// Odd harmonics lie beside the tempered semitones by nature: the fifth by 14 cents, the seventh by 31. A partial that
/// may be such a harmonic of a lower one does not vote. Belongs to one thread.
public final class TuningMeter {
    /// The partials that vote, in hertz.
    static let voting = 80.0...2_000.0
    private static let lowestHertz = 50.0
    /// The least length of a window in seconds: two partials a semitone apart at 100 Hz stand apart.
    private static let windowSeconds = 0.3
    /// Weaker partials than this share of the strongest are not heard.
    private static let leastShare: Float = 0.03
    /// A window quieter than this (mean square) is silence.
    private static let silence: Float = 1e-8

    private let hertz: Double
    private let length: Int
    private let transform: any SpectrumTransform
    private let window: [Float]
    private var power: [Float]

    public init(hertz: Double, transforms: any SpectrumTransformMaker) {
        self.hertz = hertz
        var length = 1_024
        while Double(length) < Self.windowSeconds * hertz { length *= 2 }
        self.length = length
        transform = transforms.makeTransform(blockLength: length)
        window = (0..<length).map { index in
            Float(0.5 - 0.5 * Double.cos(2 * .pi * (Double(index) + 0.5) / Double(length)))
        }
        power = [Float](repeating: 0, count: length / 2 + 1)
    }

    /// The shortest bar that can be judged, in seconds.
    public var shortestSeconds: Double { Double(length) / hertz * 0.6 }

    /// Hears some samples of one channel, such as those of a bar.
    public func votes(of samples: ArraySlice<Float>) -> TuningVotes {
        var votes = TuningVotes()
        guard Double(samples.count) / hertz >= shortestSeconds else { return votes }
        var start = samples.startIndex
        repeat {
            addVotes(of: samples[start..<min(start + length, samples.endIndex)], to: &votes)
            start += length / 4
        } while start + length <= samples.endIndex
        return votes
    }

    private struct Partial {
        var hertz: Double
        var magnitude: Float
    }

    private func addVotes(of samples: ArraySlice<Float>, to votes: inout TuningVotes) {
        var energy: Float = 0
        // A bar shorter than the window is heard with silence around it.
        let before = (length - samples.count) / 2
        for index in 0..<length {
            let place = samples.startIndex + index - before
            let sample = samples.indices.contains(place) && samples[place].isFinite ? samples[place] : 0
            energy += sample * sample
            transform.input[index] = sample * window[index]
        }
        guard energy / Float(length) > Self.silence else { return }
        power.withUnsafeMutableBufferPointer { transform.transform(into: $0.baseAddress!) }
        let partials = findPartials()
        guard let strongest = partials.map({ $0.magnitude }).max(), strongest > 0 else { return }
        votes.windowCount += 1
        for (index, partial) in partials.enumerated() where Self.voting.contains(partial.hertz) {
            guard !isOddHarmonic(partial, of: partials[..<index]) else { continue }
            let pitch = 12 * Double.log2(partial.hertz / 440)
            votes.add(
                cents: 100 * (pitch - pitch.rounded()),
                weight: Double((partial.magnitude / strongest).squareRoot()))
        }
    }

    /// The maxima of the spectrum, with rising frequencies.
    private func findPartials() -> [Partial] {
        let perBin = hertz / Double(length)
        let low = max(Int(Self.lowestHertz / perBin), 2)
        let high = min(Int(Self.voting.upperBound / perBin), length / 2 - 2)
        guard low < high else { return [] }
        let loudest = power[low...high].max() ?? 0
        guard loudest > 1e-9 else { return [] }
        let least = loudest * Self.leastShare * Self.leastShare
        var found: [Partial] = []
        for bin in low...high
        where power[bin] > least && power[bin] > power[bin - 1] && power[bin] >= power[bin + 1] {
            // The logarithm of a Hann window's maximum is close to a parabola.
            let left = Double(Float.log(power[bin - 1] + 1e-20))
            let middle = Double(Float.log(power[bin] + 1e-20))
            let right = Double(Float.log(power[bin + 1] + 1e-20))
            let curvature = left - 2 * middle + right
            guard curvature < 0 else { continue }
            let shift = 0.5 * (left - right) / curvature
            found.append(
                Partial(hertz: (Double(bin) + shift) * perBin, magnitude: power[bin].squareRoot()))
        }
        return found
    }

    private static let oddHarmonics = [3.0, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]

    private func isOddHarmonic(_ partial: Partial, of lower: ArraySlice<Partial>) -> Bool {
        lower.contains { other in
            guard other.magnitude >= partial.magnitude * 0.1 else { return false }
            return Self.oddHarmonics.contains { number in
                abs(1_200 * Double.log2(partial.hertz / (number * other.hertz))) < 30
            }
        }
    }
}
