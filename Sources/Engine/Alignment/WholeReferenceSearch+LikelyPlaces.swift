/// Picks the most probable places of the reference, which are offered to a person to choose from.
extension WholeReferenceSearch {
    /// The number of pooled frames (one second) whose probabilities are summed before places are picked.
    private static let pooledFramesPerPlace = 10
    /// The least share of the probability for which a place is shown to a person.
    private static let leastShownProbability: Float = 0.03

    /// Returns at most three places, the most probable first and at least four seconds apart; none if no place stands
    /// out.
    ///
    /// The probability of a place covers its second, the one before and the one after.
    /// - Complexity: O(frames / pooling). No allocation, no lock.
    func likelyPlaces() -> LikelyReferencePlaces {
        var places = LikelyReferencePlaces()
        let blocks = (pooledFrameCount + Self.pooledFramesPerPlace - 1) / Self.pooledFramesPerPlace
        for number in 0..<blocks {
            var sum: Float = 0
            for column in number
                * Self.pooledFramesPerPlace..<min((number + 1) * Self.pooledFramesPerPlace, pooledFrameCount)
            {
                sum += unscaledProbabilityByPooledFrame[rowMarginZeroCount + column]
            }
            sharedBuffers.probabilityBySecond[number] = sum * normalisingFactor
        }
        // A place must stand out from an even distribution.
        let least = max(Self.leastShownProbability, 6 / Float(blocks + 3))
        for _ in 0..<LikelyReferencePlaces.capacity {
            var best = least
            var middle = -1
            for number in 0..<blocks {
                let mass = probabilityOfThreeSeconds(around: number, of: blocks)
                if mass > best { (best, middle) = (mass, number) }
            }
            guard middle >= 0 else { break }
            places.append(
                LikelyReferencePlace(
                    referenceFrame: meanReferenceFrame(around: middle), probability: Double(min(best, 1))))
            // Clears the neighbouring seconds, so that the next place shares none with this one.
            for number in max(middle - 3, 0)...min(middle + 3, blocks - 1) {
                sharedBuffers.probabilityBySecond[number] = 0
            }
        }
        return places
    }

    private func probabilityOfThreeSeconds(around number: Int, of blocks: Int) -> Float {
        (number > 0 ? sharedBuffers.probabilityBySecond[number - 1] : 0)
            + sharedBuffers.probabilityBySecond[number]
            + (number + 1 < blocks ? sharedBuffers.probabilityBySecond[number + 1] : 0)
    }

    private func meanReferenceFrame(around number: Int) -> Double {
        var sum: Float = 0
        var moment: Float = 0
        let first = max((number - 1) * Self.pooledFramesPerPlace, 0)
        for column in first..<min((number + 2) * Self.pooledFramesPerPlace, pooledFrameCount) {
            let value = unscaledProbabilityByPooledFrame[rowMarginZeroCount + column]
            sum += value
            moment += value * Float(column - first)
        }
        let mean = Double(first) + (sum > 0 ? Double(moment / sum) : 0)
        let pooling = Double(framesPerPooledFrame)
        return mean * pooling + (pooling - 1) / 2
    }
}
