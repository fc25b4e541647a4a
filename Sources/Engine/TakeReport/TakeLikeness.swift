import Alignment

/// Compares stretches of a take with stretches of the reference, frame by frame.
struct TakeLikeness {
    let take: ReferenceFeatureFrames
    let reference: ReferenceFeatureFrames
    let framesPerSecond: Double

    /// The mean distance of two stretches that should hold the same music: 0 for equal frames, 1 for frames that have
    /// nothing in common. What lies after the end of the take has nothing in common with anything.
    /// - Parameters:
    ///   - played: seconds of the take.
    ///   - written: seconds of the reference.
    /// - Complexity: O(frames × dimensions).
    func distance(_ played: Range<Double>, from written: Range<Double>) -> Double {
        let count = max(Int((played.upperBound - played.lowerBound) * framesPerSecond), 1)
        var sum = 0.0
        for index in 0..<count {
            let share = (Double(index) + 0.5) / Double(count)
            let own = Int(
                (played.lowerBound + share * (played.upperBound - played.lowerBound)) * framesPerSecond)
            let other = Int(
                (written.lowerBound + share * (written.upperBound - written.lowerBound)) * framesPerSecond)
            sum +=
                own < take.frameCount && own >= 0
                ? distance(own, min(max(other, 0), reference.frameCount - 1)) : 1
        }
        return sum / Double(count)
    }

    private func distance(_ own: Int, _ other: Int) -> Double {
        let dimensions = take.dimensions
        var product: Float = 0
        for value in 0..<dimensions {
            product +=
                take.featureValues[own * dimensions + value]
                * reference.featureValues[other * dimensions + value]
        }
        return Double(1 - product / 2)
    }
}
