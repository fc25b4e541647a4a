extension ReferenceFeatureFrames {
    /// Averages every `pool` frames into one; frames left over at the end are averaged into one more.
    ///
    /// Each half of a frame (pitch, onset) gets the mean norm of the halves from which it was averaged, so that the
    /// mean of different frames is not mistaken for silence.
    func pooled(_ pool: Int) -> ReferenceFeatureFrames {
        var values: [Float] = []
        var power: [Float] = []
        values.reserveCapacity((frameCount / pool + 1) * dimensions)
        let half = dimensions / 2
        var start = 0
        while start < frameCount {
            let frames = start..<min(start + pool, frameCount)
            values += pooledPart(of: frames, at: 0..<half)
            values += pooledPart(of: frames, at: half..<dimensions)
            power.append(frames.reduce(0) { $0 + self.powerByFrame[$1] } / Float(frames.count))
            start += pool
        }
        return ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power)
    }

    /// The frames in reverse order.
    var reversed: ReferenceFeatureFrames {
        var values: [Float] = []
        values.reserveCapacity(self.featureValues.count)
        for frame in stride(from: frameCount - 1, through: 0, by: -1) {
            values += self.featureValues[frame * dimensions..<(frame + 1) * dimensions]
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions, powerByFrame: powerByFrame.reversed())
    }

    private func pooledPart(of frames: Range<Int>, at part: Range<Int>) -> [Float] {
        var sum = [Float](repeating: 0, count: part.count)
        var norms: Float = 0
        for frame in frames {
            var square: Float = 0
            for index in part {
                let value = featureValues[frame * dimensions + index]
                sum[index - part.lowerBound] += value
                square += value * value
            }
            norms += square.squareRoot()
        }
        let norm = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let scale = norm > 0 ? norms / Float(frames.count) / norm : 0
        return sum.map { $0 * scale }
    }
}
