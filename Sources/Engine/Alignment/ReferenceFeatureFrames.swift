import Features

/// The feature frames of a reference recording.
public struct ReferenceFeatureFrames: Sendable, Hashable {
    /// The values of all frames, frame after frame: `frameCount × dimensions` of them.
    public let featureValues: [Float]
    public let dimensions: Int
    /// The mean square of the samples of each frame, full scale 1.
    public let powerByFrame: [Float]

    public init(featureValues: [Float], dimensions: Int, powerByFrame: [Float]) {
        precondition(
            dimensions > 0 && featureValues.count == powerByFrame.count * dimensions,
            "\(featureValues.count) featureValues are not \(powerByFrame.count) frames of \(dimensions)")
        self.featureValues = featureValues
        self.dimensions = dimensions
        self.powerByFrame = powerByFrame
    }

    public var frameCount: Int { powerByFrame.count }

    /// Returns the same frames as another kind of features.
    /// - Precondition: the frames hold ``FeatureKind/bands``.
    public func converted(to kind: FeatureKind, parameters: FeatureParameters = FeatureParameters())
        -> ReferenceFeatureFrames
    {
        switch kind {
        case .bands: self
        case .refined: refined(parameters: parameters)
        case .chroma: foldedToChroma(parameters: parameters)
        }
    }

    private func refined(parameters: FeatureParameters) -> ReferenceFeatureFrames {
        precondition(dimensions == parameters.dimensions, "\(dimensions) values are no frame of bands")
        let refinement = FrameRefinement(parameters: parameters)
        var values = featureValues
        values.withUnsafeMutableBufferPointer { values in
            guard let first = values.baseAddress else { return }
            for frame in 0..<frameCount { refinement.refine(first + frame * dimensions) }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions, powerByFrame: powerByFrame)
    }

    /// Returns the same frames as chroma.
    /// - Precondition: the frames hold ``FeatureKind/bands``.
    public func foldedToChroma(parameters: FeatureParameters = FeatureParameters()) -> ReferenceFeatureFrames
    {
        precondition(dimensions == parameters.dimensions, "\(dimensions) values are no frame of bands")
        let twelve = FeatureKind.chroma.dimensions(parameters)
        var chroma = [Float](repeating: 0, count: frameCount * twelve)
        featureValues.withUnsafeBufferPointer { bands in
            chroma.withUnsafeMutableBufferPointer { chroma in
                for frame in 0..<frameCount {
                    parameters.foldChroma(
                        bands.baseAddress! + frame * dimensions, into: chroma.baseAddress! + frame * twelve)
                }
            }
        }
        return ReferenceFeatureFrames(featureValues: chroma, dimensions: twelve, powerByFrame: powerByFrame)
    }
}
