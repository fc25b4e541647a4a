import Features

/// The feature frames of a reference recording.
public struct ReferenceFrames: Sendable, Hashable {
    /// The values of all frames, frame after frame: `frameCount × dimensions` of them.
    public let values: [Float]
    public let dimensions: Int
    /// The mean square of the samples of each frame, full scale 1.
    public let power: [Float]

    public init(values: [Float], dimensions: Int, power: [Float]) {
        precondition(
            dimensions > 0 && values.count == power.count * dimensions,
            "\(values.count) values are not \(power.count) frames of \(dimensions)")
        self.values = values
        self.dimensions = dimensions
        self.power = power
    }

    public var frameCount: Int { power.count }

    /// Returns the same frames as chroma.
    /// - Precondition: the frames hold ``FrameFeatures/bands``.
    public func foldedToChroma(parameters: FeatureParameters = FeatureParameters()) -> ReferenceFrames {
        precondition(dimensions == parameters.dimensions, "\(dimensions) values are no frame of bands")
        let twelve = FrameFeatures.chroma.dimensions(parameters)
        var chroma = [Float](repeating: 0, count: frameCount * twelve)
        values.withUnsafeBufferPointer { bands in
            chroma.withUnsafeMutableBufferPointer { chroma in
                for frame in 0..<frameCount {
                    parameters.foldChroma(
                        bands.baseAddress! + frame * dimensions, into: chroma.baseAddress! + frame * twelve)
                }
            }
        }
        return ReferenceFrames(values: chroma, dimensions: twelve, power: power)
    }
}
