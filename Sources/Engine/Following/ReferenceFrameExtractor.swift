import Alignment
import Features
import MusicalTime

/// Computes the frames of a whole recording in two passes: the first finds its tuning, the second makes the frames.
///
/// Do not use this on the real-time following thread. Cost: about 1/200 of the recording's duration.
public final class ReferenceFrameExtractor {
    private let parameters: FeatureParameters
    private let rate: SampleRate
    private let transforms: any SpectrumTransformMaker
    private var tuning: TuningEstimate
    private let firstStage: SpectrumAnalyser
    private let secondStage: SpectrumAnalyser
    private var builder: FrameBuilder?
    private var values: [Float] = []
    private var power: [Float] = []

    public init(
        rate: SampleRate, transforms: any SpectrumTransformMaker,
        parameters: FeatureParameters = FeatureParameters()
    ) {
        self.parameters = parameters
        self.rate = rate
        self.transforms = transforms
        tuning = TuningEstimate(parameters: parameters, halfLifeSeconds: .infinity)
        firstStage = SpectrumAnalyser(parameters: parameters, rate: rate, transforms: transforms)
        secondStage = SpectrumAnalyser(parameters: parameters, rate: rate, transforms: transforms)
    }

    /// First pass: takes the next samples of the recording.
    public func addToTuning(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if firstStage.addSamples(rest, taken: &taken) != nil { tuning.vote(firstStage) }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    /// The tuning of the recording relative to A = 440 Hz, modulo a semitone, in cents; 0 if the sound has no tuning.
    public var tuningCents: Double { tuning.agreement > 0.1 ? tuning.cents : 0 }

    /// Second pass: takes the same samples again, from the start.
    public func addFrames(_ samples: UnsafeBufferPointer<Float>) {
        let builder =
            builder
            ?? FrameBuilder(
                analyser: secondStage, library: PitchOffsetFilters(for: secondStage),
                pitchOffsetCents: tuningCents)
        self.builder = builder
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if let hop = secondStage.addSamples(rest, taken: &taken) {
                let start = values.count
                values.append(contentsOf: repeatElement(0, count: parameters.dimensions))
                values.withUnsafeMutableBufferPointer { builder.build(into: $0.baseAddress! + start) }
                power.append(hop.power)
            }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    /// The frames made in the second pass.
    public var frames: ReferenceFrames {
        ReferenceFrames(values: values, dimensions: parameters.dimensions, power: power)
    }
}
