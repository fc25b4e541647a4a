import Basics
import Features
import Foundation
import Sound

/// A made signal: its value, full scale ±1, at a time in seconds.
typealias Sound = (Double) -> Double

func silence(_ time: Double) -> Double { 0 }

/// The frequency of a MIDI number where A above middle C sounds at `a` hertz.
func hertz(_ pitch: Int, a: Double = 440) -> Double {
    a * pow(2, Double(pitch - 69) / 12)
}

/// How much higher than A = 440 Hz, in cents.
func cents(a: Double) -> Double { 1200 * log2(a / 440) }

func sine(_ hertz: Double, amplitude: Double = 0.5) -> Sound {
    { amplitude * sin(2 * .pi * hertz * $0) }
}

/// A tone with partials 1 to 6, the n-th of amplitude 0.2 / n.
func tone(_ hertz: Double) -> Sound {
    { time in (1...6).reduce(0) { $0 + 0.2 / Double($1) * sin(2 * .pi * hertz * Double($1) * time) } }
}

/// Tones one after another, each fading over its length.
func melody(_ pitches: [Int], each seconds: Double = 0.4, a: Double = 440) -> Sound {
    let tones = pitches.map { tone(hertz($0, a: a)) }
    return { time in
        let index = Int(time / seconds)
        guard tones.indices.contains(index) else { return 0 }
        return tones[index](time) * exp(-3 * (time - Double(index) * seconds))
    }
}

/// Samples of a sound from time zero.
func samples(_ sound: Sound, seconds: Double, rate: SampleRate = .ofTests) -> [Float] {
    (0..<Int((seconds * rate.hertz).rounded())).map { Float(sound(Double($0) / rate.hertz)) }
}

extension SampleRate {
    static let ofTests = SampleRate(hertz: 22_050)
}

/// Stage and builder together, as a follower drives them.
final class Listener {
    let stage: SpectrumAnalyser
    let builder: FeatureFrameBuilder
    private(set) var frames: [[Float]] = []
    private(set) var hops: [AudioHopSummary] = []

    private let dimensions: Int

    init(rate: SampleRate = .ofTests, pitchOffsetCents: Double = 0, features: FeatureKind = .bands) {
        dimensions = features.dimensions(FeatureParameters())
        stage = SpectrumAnalyser(
            parameters: FeatureParameters(), sampleRate: rate, transforms: FFTWSpectrumMaker())
        builder = FeatureFrameBuilder(
            analyser: stage, filterLibrary: SemitoneFiltersByPitchOffset(for: stage),
            pitchOffsetCents: pitchOffsetCents,
            featureKind: features)
    }

    /// Hears samples that arrive in blocks of so many.
    func hear(_ samples: [Float], blocks: Int = 4096) {
        for start in stride(from: 0, to: samples.count, by: blocks) {
            let block = Array(samples[start..<min(start + blocks, samples.count)])
            block.withUnsafeBufferPointer { hear($0) }
        }
    }

    private func hear(_ block: UnsafeBufferPointer<Float>) {
        var rest = block
        while !rest.isEmpty {
            var taken = 0
            if let hop = stage.addSamples(rest, taken: &taken) {
                var frame = [Float](repeating: .nan, count: dimensions)
                frame.withUnsafeMutableBufferPointer { builder.buildFrame(into: $0.baseAddress!) }
                frames.append(frame)
                hops.append(hop)
            }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }
}

/// The frames of a sound.
func frames(
    _ sound: Sound, seconds: Double, rate: SampleRate = .ofTests, pitchOffsetCents: Double = 0,
    features: FeatureKind = .bands
) -> [[Float]] {
    let listener = Listener(rate: rate, pitchOffsetCents: pitchOffsetCents, features: features)
    listener.hear(samples(sound, seconds: seconds, rate: rate))
    return listener.frames
}

extension [Float] {
    /// The first half of a frame.
    var pitchPart: [Float] { Array(prefix(count / 2)) }

    /// The second half of a frame.
    var onsetPart: [Float] { Array(suffix(count / 2)) }

    var norm: Float { map { $0 * $0 }.reduce(0, +).squareRoot() }

    /// The MIDI number of the strongest value of one part.
    var strongestPitch: Int? {
        indices.max { self[$0] < self[$1] }.map { $0 + FeatureParameters().lowestPitch }
    }

    /// The largest difference of two values in the same place.
    func distance(to other: [Float]) -> Float { zip(self, other).map { abs($0 - $1) }.max() ?? 0 }
}
