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
}
