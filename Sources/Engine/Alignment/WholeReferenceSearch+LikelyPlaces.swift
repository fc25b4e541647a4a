/// Picks the most probable places of the reference, which are offered to a person to choose from.
extension WholeReferenceSearch {
    /// The number of pooled frames (one second) whose probabilities are summed before places are picked.
    private static let block = 10
    /// The least share of the probability for which a place is shown to a person.
    private static let leastMass: Float = 0.03

    /// Returns at most three places, the most probable first and at least four seconds apart; none if no place stands
    /// out.
    ///
    /// The probability of a place covers its second, the one before and the one after.
    /// - Complexity: O(frames / pooling). No allocation, no lock.
    func likelyPlaces() -> LikelyPlaces {
        var places = LikelyPlaces()
        let blocks = (pooledFrameCount + Self.block - 1) / Self.block
        for number in 0..<blocks {
            var sum: Float = 0
            for column in number * Self.block..<min((number + 1) * Self.block, pooledFrameCount) {
                sum += marginal[rowMargin + column]
            }
            scratch.blockMasses[number] = sum * gain
        }
        // A place must stand out from an even distribution.
        let least = max(Self.leastMass, 6 / Float(blocks + 3))
        for _ in 0..<LikelyPlaces.capacity {
            var best = least
            var middle = -1
            for number in 0..<blocks {
                let mass = threeBlocks(around: number, of: blocks)
                if mass > best { (best, middle) = (mass, number) }
            }
            guard middle >= 0 else { break }
            places.append(LikelyPlace(frame: meanFrame(around: middle), probability: Double(min(best, 1))))
            // Clears the neighbouring seconds, so that the next place shares none with this one.
            for number in max(middle - 3, 0)...min(middle + 3, blocks - 1) { scratch.blockMasses[number] = 0 }
        }
        return places
    }

    private func threeBlocks(around number: Int, of blocks: Int) -> Float {
        (number > 0 ? scratch.blockMasses[number - 1] : 0) + scratch.blockMasses[number]
            + (number + 1 < blocks ? scratch.blockMasses[number + 1] : 0)
    }

    private func meanFrame(around number: Int) -> Double {
        var sum: Float = 0
        var moment: Float = 0
        let first = max((number - 1) * Self.block, 0)
        for column in first..<min((number + 2) * Self.block, pooledFrameCount) {
            let value = marginal[rowMargin + column]
            sum += value
            moment += value * Float(column - first)
        }
        let mean = Double(first) + (sum > 0 ? Double(moment / sum) : 0)
        let pooling = Double(pooling)
        return mean * pooling + (pooling - 1) / 2
    }
}
