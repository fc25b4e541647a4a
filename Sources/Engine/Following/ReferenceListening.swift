import Alignment
import Features
import MusicalTime

/// Hears a whole recording twice: once for its tuning, once for its frames at that tuning.
///
/// Not for the follow lane. Cost: about a two-hundredth of the recording's length.
public final class ReferenceListening {
    private let parameters: FeatureParameters
    private let rate: SampleRate
    private let transforms: any SpectrumTransformMaker
    private var tuning: TuningEstimate
    private let firstStage: SpectrumStage
    private let secondStage: SpectrumStage
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
        firstStage = SpectrumStage(parameters: parameters, rate: rate, transforms: transforms)
        secondStage = SpectrumStage(parameters: parameters, rate: rate, transforms: transforms)
    }

    /// First pass: the next samples of the recording.
    public func tune(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if firstStage.take(rest, taken: &taken) != nil { tuning.vote(firstStage) }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    /// The recording's tuning against A = 440 Hz modulo a semitone, in cents; 0 where it has none.
    public var tuningCents: Double { tuning.agreement > 0.1 ? tuning.cents : 0 }

    /// Second pass: the same samples again, from the start.
    public func hear(_ samples: UnsafeBufferPointer<Float>) {
        let builder =
            builder
            ?? FrameBuilder(
                stage: secondStage, library: PitchOffsets(for: secondStage), pitchOffsetCents: tuningCents)
        self.builder = builder
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if let hop = secondStage.take(rest, taken: &taken) {
                let start = values.count
                values.append(contentsOf: repeatElement(0, count: parameters.dimensions))
                values.withUnsafeMutableBufferPointer { builder.build(into: $0.baseAddress! + start) }
                power.append(hop.power)
            }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    /// The frames heard in the second pass.
    public var frames: ReferenceFrames {
        ReferenceFrames(values: values, dimensions: parameters.dimensions, power: power)
    }
}
