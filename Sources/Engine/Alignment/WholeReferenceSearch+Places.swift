import RealModule

/// Reads the probability and the tempo at given places.
extension WholeReferenceSearch {
    /// Returns the probability of the pooled frames that are within a distance of a reference frame.
    func probability(around frame: Int, reachFrames: Int) -> Double {
        let middle = frame / parameters.framesPerPooledFrame
        let reach = reachFrames / parameters.framesPerPooledFrame
        let low = max(middle - reach, 0)
        let high = min(middle + reach, pooledFrameCount - 1)
        guard low <= high else { return 0 }
        var sum: Float = 0
        for column in low...high { sum += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column] }
        return Double(sum * normalisingFactor)
    }

    /// Finds the most probable two seconds within a range of frames.
    /// - Returns: their middle frame, their probability and the tempo there.
    func mostProbablePlace(in frames: Range<Int>) -> (frame: Int, mass: Double, tempo: Float) {
        let low = frames.lowerBound / framesPerPooledFrame
        let high = min(frames.upperBound / framesPerPooledFrame, pooledFrameCount - 1)
        let half = 10
        var running: Float = 0
        var best: Float = -1
        var place = low
        if low <= high {
            for column in low...high {
                running += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column]
                let gone = column - 2 * half - 1
                if gone >= low { running -= unscaledProbabilityByPooledFrame[rowMarginZeroCount + gone] }
                if running > best {
                    best = running
                    place = max(column - half, low)
                }
            }
        }
        let mean = meanPlace(around: place)
        return (
            mean * framesPerPooledFrame + framesPerPooledFrame / 2, Double(max(best, 0) * normalisingFactor),
            meanTempo(around: place)
        )
    }

    /// The mean of the two seconds around a pooled frame, weighted by their probability, because less than two seconds
    /// carry most of it.
    private func meanPlace(around place: Int, excluding excluded: ClosedRange<Int>? = nil) -> Int {
        let half = 10
        var sum: Float = 0
        var moment: Float = 0
        for column in max(place - half, 0)...min(place + half, pooledFrameCount - 1)
        where excluded?.contains(column) != true {
            sum += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column]
            moment += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column] * Float(column - place)
        }
        return place + (sum > 0 ? Int((moment / sum).rounded()) : 0)
    }

    /// Finds the two seconds of the reference, not near a frame, where the music most probably is.
    ///
    /// A second place is returned instead if it has more than ``ForwardFilterParameters/minimumNearPlaceShare`` of the
    /// first one's probability and ``DistancePrior`` prefers it.
    /// - Parameters:
    ///   - frame: the reference frame near which places do not count; nil if all places count.
    ///   - reachFrames: the largest distance from `frame` that counts as near.
    /// - Returns: the middle frame, the probability and the tempo there. If the second place is returned, the
    ///   probability is the sum of both.
    /// - Complexity: O(frames / pooling).
    func mostProbablePlace(
        awayFrom frame: Int?, reachFrames: Int
    ) -> (frame: Int, mass: Double, tempo: Float) {
        let pooling = parameters.framesPerPooledFrame
        let excluded = frame.map { frame in
            let (middle, reach) = (frame / pooling, reachFrames / pooling)
            return middle - reach...middle + reach
        }
        let half = 10
        var running: Float = 0
        var best: (mass: Float, place: Int) = (-1, 0)
        let prior = knownDistancePrior
        var preferred: (weighed: Float, mass: Float, place: Int) = (-1, 0, 0)
        for column in 0..<pooledFrameCount {
            if excluded?.contains(column) != true {
                running += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column]
            }
            let gone = column - 2 * half - 1
            if gone >= 0 && excluded?.contains(gone) != true {
                running -= unscaledProbabilityByPooledFrame[rowMarginZeroCount + gone]
            }
            let place = max(column - half, 0)
            if running > best.mass { best = (running, place) }
            if let prior, running * prior[place] > preferred.weighed {
                preferred = (running * prior[place], running, place)
            }
        }
        let isAnotherPlace = abs(preferred.place - best.place) > 2 * half
        if prior != nil, isAnotherPlace {
            let both = best.mass + preferred.mass
            let isPassageCertain = Double(both * normalisingFactor) > parameters.certainCopiesProbability
            let share =
                isPassageCertain ? parameters.minimumNearCopyShare : parameters.minimumNearPlaceShare
            if preferred.mass > share * best.mass { best = (both, preferred.place) }
        }
        let mean = meanPlace(around: best.place, excluding: excluded)
        return (
            mean * pooling + pooling / 2, Double(max(best.mass, 0) * normalisingFactor),
            meanTempo(around: mean)
        )
    }

    func meanTempo(around place: Int) -> Float {
        var sum: Float = 0
        var logs: Float = 0
        for row in 0..<parameters.searchTempoCount {
            var mass: Float = 0
            for column in max(0, place - 10)...min(pooledFrameCount - 1, place + 10) {
                mass += probabilityRows[row * filterStep.rowLength + rowMarginZeroCount + column]
            }
            sum += mass
            logs += mass * Float.log(tempoGrid.tempoRatios[row])
        }
        return sum > 0 ? Float.exp(logs / sum) : 1
    }
}
