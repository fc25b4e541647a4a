/// The figures of a recording from which a network finds bars between taps. The tool that fits the network reads them.
public struct TappedBarFigures: Sendable {
    /// The moments at which the network sees the figures, in frames counted from the judged one.
    public static var frameOffsets: [Int] { TappedBarNetwork.frameOffsets }
    /// The number of figures of a frame.
    public static var count: Int { TappedBarScale.count }

    /// `frameCount × count` standardised figures, frame after frame.
    public let values: [Float]
    /// The result of the network in use, one for each frame.
    public let networkValues: [Float]

    /// - Complexity: O(frames × (dimensions + inputs × units)).
    public init(_ frames: ReferenceFeatureFrames, framesPerSecond: Int = 50) {
        let features = TappedBarFeatures(frames, framesPerSecond: framesPerSecond)
        values = features.values
        networkValues = TappedBarNetwork.fitted.values(features)
    }
}
