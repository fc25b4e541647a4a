import Alignment
import Features

/// Collects the frames of a recording. Belongs to one thread.
final class FrameCollector {
    private let analyser: SpectrumAnalyser
    private let builder: FeatureFrameBuilder
    private let dimensions: Int
    private var values: [Float] = []
    private var power: [Float] = []

    /// - Parameter analyser: has heard nothing yet.
    init(analyser: SpectrumAnalyser, tuningCents: Double) {
        self.analyser = analyser
        builder = FeatureFrameBuilder(
            analyser: analyser, filterLibrary: SemitoneFiltersByPitchOffset(for: analyser),
            pitchOffsetCents: tuningCents)
        dimensions = analyser.parameters.dimensions
    }

    /// Takes the next samples of the recording.
    func add(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if let hop = analyser.addSamples(rest, taken: &taken) {
                let start = values.count
                values.append(contentsOf: repeatElement(0, count: dimensions))
                values.withUnsafeMutableBufferPointer { builder.buildFrame(into: $0.baseAddress! + start) }
                power.append(hop.meanSquare)
            }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    var frames: ReferenceFeatureFrames {
        ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power)
    }
}
