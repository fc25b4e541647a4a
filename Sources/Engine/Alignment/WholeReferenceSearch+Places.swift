import RealModule

/// Reads the probability and the tempo at given places.
extension WholeReferenceSearch {
    /// Returns the probability of the pooled frames that are within a distance of a reference frame.
    func probability(around frame: Int, reachFrames: Int) -> Double {
        let middle = frame / parameters.searchPooling
        let reach = reachFrames / parameters.searchPooling
        let low = max(middle - reach, 0)
        let high = min(middle + reach, pooledFrameCount - 1)
        guard low <= high else { return 0 }
        var sum: Float = 0
        for column in low...high { sum += marginal[rowMargin + column] }
        return Double(sum * gain)
    }

    /// Finds the most probable two seconds within a range of frames.
    /// - Returns: their middle frame, their probability and the tempo there.
    func mostProbablePlace(in frames: Range<Int>) -> (frame: Int, mass: Double, tempo: Float) {
        let low = frames.lowerBound / pooling
        let high = min(frames.upperBound / pooling, pooledFrameCount - 1)
        let half = 10
        var running: Float = 0
        var best: Float = -1
        var place = low
        if low <= high {
            for column in low...high {
                running += marginal[rowMargin + column]
                let gone = column - 2 * half - 1
                if gone >= low { running -= marginal[rowMargin + gone] }
                if running > best {
                    best = running
                    place = max(column - half, low)
                }
            }
        }
        // If less than two seconds carry the probability, their mean is the place.
        var sum: Float = 0
        var moment: Float = 0
        for column in max(place - half, 0)...min(place + half, pooledFrameCount - 1) {
            sum += marginal[rowMargin + column]
            moment += marginal[rowMargin + column] * Float(column - place)
        }
        let mean = place + (sum > 0 ? Int((moment / sum).rounded()) : 0)
        return (mean * pooling + pooling / 2, Double(max(best, 0) * gain), tempo(around: place))
    }

    /// Finds the most probable two seconds of the reference that are not near a frame.
    /// - Returns: their middle frame, their probability and the tempo there.
    func rival(awayFrom frame: Int, reachFrames: Int) -> (frame: Int, mass: Double, tempo: Float) {
        let middle = frame / parameters.searchPooling
        let reach = reachFrames / parameters.searchPooling
        let half = 10
        var running: Float = 0
        var best: Float = -1
        var place = 0
        for column in 0..<pooledFrameCount {
            if abs(column - middle) > reach { running += marginal[rowMargin + column] }
            let gone = column - 2 * half - 1
            if gone >= 0 && abs(gone - middle) > reach { running -= marginal[rowMargin + gone] }
            if running > best {
                best = running
                place = max(column - half, 0)
            }
        }
        let pooling = parameters.searchPooling
        return (place * pooling + pooling / 2, Double(max(best, 0) * gain), tempo(around: place))
    }

    func tempo(around place: Int) -> Float {
        var sum: Float = 0
        var logs: Float = 0
        for row in 0..<parameters.searchTempoCount {
            var mass: Float = 0
            for column in max(0, place - 10)...min(pooledFrameCount - 1, place + 10) {
                mass += rows[row * step.rowLength + rowMargin + column]
            }
            sum += mass
            logs += mass * Float.log(grid.ratios[row])
        }
        return sum > 0 ? Float.exp(logs / sum) : 1
    }
}
