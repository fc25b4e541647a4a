extension ReferenceFeatureFrames {
    /// Averages the frames from `start` on, `step` frames at a time; the step may have a fraction.
    ///
    /// As in ``pooled(_:)``, each half of a frame gets the mean norm of the halves from which it was averaged.
    /// - Returns: averages of whole steps, at least one.
    func averaged(every step: Double, from start: Double = 0, to end: Double? = nil) -> ReferenceFeatureFrames
    {
        let last = min(end ?? Double(frameCount), Double(frameCount))
        let count = max(Int((last - start) / step), 1)
        let half = dimensions / 2
        var values = [Float](repeating: 0, count: count * dimensions)
        var power = [Float](repeating: 0, count: count)
        for index in 0..<count {
            let from = min(Int((start + Double(index) * step).rounded()), frameCount - 1)
            let to = min(max(Int((start + Double(index + 1) * step).rounded()), from + 1), frameCount)
            for part in 0..<2 {
                var norms: Float = 0
                for frame in from..<to {
                    var square: Float = 0
                    let source = frame * dimensions + part * half
                    let target = index * dimensions + part * half
                    for value in 0..<half {
                        let x = featureValues[source + value]
                        values[target + value] += x
                        square += x * x
                    }
                    norms += square.squareRoot()
                }
                scalePart(
                    of: &values, at: index * dimensions + part * half, length: half,
                    toNorm: norms / Float(to - from))
            }
            power[index] = powerByFrame[from..<to].reduce(0, +) / Float(to - from)
        }
        return ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power)
    }

    private func scalePart(of values: inout [Float], at start: Int, length: Int, toNorm norm: Float) {
        var square: Float = 0
        for index in start..<start + length { square += values[index] * values[index] }
        guard square > 0 else { return }
        let scale = norm / square.squareRoot()
        for index in start..<start + length { values[index] *= scale }
    }

    /// The frames as the same music sounds some semitones higher (or lower, if negative).
    public func transposed(semitones: Int) -> ReferenceFeatureFrames {
        guard semitones != 0 else { return self }
        let half = dimensions / 2
        var values = [Float](repeating: 0, count: featureValues.count)
        for part in stride(from: 0, to: featureValues.count, by: half) {
            for band in max(semitones, 0)..<min(half + semitones, half) {
                values[part + band] = featureValues[part + band - semitones]
            }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions, powerByFrame: powerByFrame)
    }

    /// The frames of some ranges, one after the other. Frames outside the recording are left out.
    func joined(_ ranges: [Range<Int>]) -> ReferenceFeatureFrames {
        var values: [Float] = []
        var power: [Float] = []
        for range in ranges {
            let inside = range.clamped(to: 0..<frameCount)
            values += featureValues[inside.lowerBound * dimensions..<inside.upperBound * dimensions]
            power += powerByFrame[inside]
        }
        return ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power)
    }
}

extension ReferenceFeatureFrames {
    /// The frames of a rendered score with its measures in another order.
    /// - Parameter played: indices of the unfolded measures, in the new order; at least one.
    /// - Returns: the frames, and the measures as they lie in them.
    public func rearranged(
        _ measures: UnfoldedScoreMeasures, played: [Int], framesPerSecond: Int
    ) -> (ReferenceFeatureFrames, UnfoldedScoreMeasures) {
        let rate = Double(framesPerSecond)
        var ranges: [Range<Int>] = []
        var onsets: [Double] = []
        var length = 0
        for measure in played {
            let start = Int((measures.onsets[measure] * rate).rounded())
            let stop = max(Int((measures.end(of: measure) * rate).rounded()), start + 1)
            onsets.append(Double(length) / rate)
            ranges.append(start..<stop)
            length += stop - start
        }
        return (
            joined(ranges),
            UnfoldedScoreMeasures(
                onsets: onsets, end: Double(length) / rate,
                writtenIndices: played.map { measures.writtenIndices[$0] })
        )
    }
}
