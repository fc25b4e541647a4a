import RealModule

/// Searches the whole reference, coarsely and continuously, for other places where the music might be.
///
/// The search is a forward filter like ``WindowFilter``, but over pooled frames (means of several frames) of the whole
/// reference, and the music may continue anywhere with a small probability. It answers slowly, after seconds of
/// evidence, and never moves the position itself.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: (reference frames / pooling) × tempi, once every
/// `framesPerPooledFrame` live frames.
/// - Source: two-level tracking after C. Brazier, G. Widmer, arXiv 2105.08531.
final class WholeReferenceSearch {
    let parameters: ForwardFilterParameters
    let pooledReferenceTiles: CompactTiles
    private let dimensions: Int
    /// The number of pooled frames of the reference.
    let pooledFrameCount: Int
    var filterStep: ForwardFilterStep
    let tempoGrid: TempoGrid
    private(set) var probabilityRows: UnsafeMutablePointer<Float>
    /// The probability of each pooled frame, summed over all tempi; it must still be multiplied by
    /// ``normalisingFactor``.
    let unscaledProbabilityByPooledFrame: UnsafeMutablePointer<Float>
    /// Working memory, shared with the other searches of the reference.
    let sharedBuffers: SharedSearchBuffers
    var isAwaitingMusicStart = false
    var referenceBars = ReferenceBars(bars: [])
    /// The bar in which the music was when ``jumpTargetProbabilities`` was computed; nil if unknown.
    var presentBar: Int?
    var isJumpLikely = false
    /// Prefers places near the last trusted bar; nil if the bars are unknown.
    var distancePrior: DistancePrior?
    /// For each pooled frame, the probability that the music continues there if it leaves its path; the sum is one.
    let jumpTargetProbabilities: UnsafeMutablePointer<Float>
    /// The sum of the live frames in the pooled frame that is not complete yet. `newestPooledFrame` is the newest
    /// complete pooled frame.
    private var poolSum: UnsafeMutablePointer<Float>
    private var newestPooledFrame: UnsafeMutablePointer<Float>
    private(set) var framesInPool = 0
    private var dropoutFramesInPool = 0
    private var isNewestPooledFrameDropout = false
    /// The factor by which the newest rows must be multiplied to sum to one.
    private(set) var normalisingFactor: Float = 1

    /// The natural logarithm of the likelihood of the newest pooled frame.
    private(set) var stepLogLikelihood: Float = 0

    /// The mean similarity of the newest pooled frame over the whole reference; `similarityDeviation` is its standard
    /// deviation.
    private(set) var meanSimilarity: Float = initialSimilarity.mean
    private(set) var similarityDeviation: Float = initialSimilarity.deviation

    /// True while nothing but the room sounds: what it resembles is no evidence of a place.
    var isRoomAlone = false
    /// True if that has lasted, so that the music stands still.
    var isSilent = false

    /// The reference frame with which the largest similarity is compared for ``shortfallFromBest``.
    var followedFrame = 0
    /// The difference between two similarities of the newest pooled frame, in standard deviations: to the place of the
    /// reference that it resembles most, and to the surroundings of ``followedFrame``.
    private(set) var shortfallFromBest: Float = 0
    /// The similarity whose likelihood is the mean likelihood of the newest pooled frame over the whole reference.
    private(set) var similarityInAnyOrder: Float = initialSimilarity.mean
    /// The largest similarity of the newest pooled frame.
    private var largestSimilarity: Float = 0

    /// Creates a search of a reference whose frames are not pooled yet.
    /// - Parameter reference: the reference's own frames.
    convenience init(reference: CompactTiles, parameters: ForwardFilterParameters) {
        self.init(pooled: reference.pooled(by: parameters.framesPerPooledFrame), parameters: parameters)
    }

    /// Creates a search of a reference whose frames are pooled already.
    /// - Parameters:
    ///   - pooled: the reference's own frames, already pooled; kept without a copy.
    ///   - sharedBuffers: the working memory of another search of the same reference on the same thread; nil to create
    ///     one.
    init(
        pooled tiles: CompactTiles, parameters: ForwardFilterParameters,
        sharedBuffers: SharedSearchBuffers? = nil
    ) {
        self.parameters = parameters
        self.pooledReferenceTiles = tiles
        dimensions = tiles.dimensions
        pooledFrameCount = tiles.frameCount
        tempoGrid = TempoGrid(
            slowest: 0.5, fastest: 2, count: parameters.searchTempoCount,
            spread: parameters.initialTempoSpread + 0.05)
        let length = tiles.tileCount * CompactTiles.width + 2 * rowMarginZeroCount
        filterStep = ForwardFilterStep(
            tempoChangeProbability: parameters.searchTempoChangeProbability,
            leavePathProbability: parameters.jumpProbability, rowLength: length,
            tempoCount: parameters.searchTempoCount)
        probabilityRows = zeroedFloats(length * parameters.searchTempoCount)
        unscaledProbabilityByPooledFrame = zeroedFloats(length)
        self.sharedBuffers =
            sharedBuffers
            ?? SharedSearchBuffers(
                rowLength: length, rowCount: parameters.searchTempoCount, blockCount: pooledFrameCount)
        precondition(
            self.sharedBuffers.rowLength == length,
            "sharedBuffers memory is shared by searches of one reference")
        poolSum = zeroedFloats(tiles.dimensions)
        newestPooledFrame = zeroedFloats(tiles.dimensions)
        jumpTargetProbabilities = zeroedFloats(length)
        setAwaitedFrame(nil)
        reset()
    }

    deinit {
        for pointer in [
            probabilityRows, unscaledProbabilityByPooledFrame, poolSum, newestPooledFrame,
            jumpTargetProbabilities,
        ] {
            pointer.deallocate()
        }
    }

    /// Number of reference frames in a pooled frame.
    var framesPerPooledFrame: Int { parameters.framesPerPooledFrame }

    /// Makes every place of the reference equally likely.
    func reset() {
        for row in 0..<parameters.searchTempoCount {
            let values = probabilityRows + row * filterStep.rowLength + rowMarginZeroCount
            values.update(
                repeating: tempoGrid.priorProbabilities[row] / Float(pooledFrameCount),
                count: pooledFrameCount)
        }
        normalisingFactor = 1
        poolSum.update(repeating: 0, count: dimensions)
        unscaledProbabilityByPooledFrame.update(repeating: 0, count: filterStep.rowLength)
        framesInPool = 0
        dropoutFramesInPool = 0
        meanSimilarity = Self.initialSimilarity.mean
        similarityDeviation = Self.initialSimilarity.deviation
        similarityInAnyOrder = Self.initialSimilarity.mean
        shortfallFromBest = 0
    }

    /// Takes over a position that an operator has given: 95 % of the probability goes near the frame, the rest
    /// anywhere.
    /// - Parameters:
    ///   - former: the frame where the music was followed; nil if it was not.
    ///   - formerShare: the share of the 95 % that goes there.
    func concentrateProbability(in frame: Int, tempo: Float, former: Int? = nil, formerShare: Float = 0) {
        let certainty: Float = 0.95
        let elsewhere = (1 - certainty) / Float(pooledFrameCount)
        reset()
        setProbability(elsewhere)
        addProbability(certainty * (former == nil ? 1 : 1 - formerShare), near: frame, tempo: tempo)
        if let former { addProbability(certainty * formerShare, near: former, tempo: tempo) }
    }

    /// Makes every pooled frame equally probable.
    private func setProbability(_ each: Float) {
        for row in 0..<parameters.searchTempoCount {
            let values = probabilityRows + row * filterStep.rowLength + rowMarginZeroCount
            for column in 0..<pooledFrameCount {
                values[column] = tempoGrid.priorProbabilities[row] * each
            }
        }
        for column in 0..<pooledFrameCount {
            unscaledProbabilityByPooledFrame[rowMarginZeroCount + column] = each
        }
    }

    /// Adds a probability to the pooled frames within ten of a frame.
    private func addProbability(_ probability: Float, near frame: Int, tempo: Float) {
        let middle = min(max(frame / framesPerPooledFrame, 0), pooledFrameCount - 1)
        let reach = 10
        let low = max(middle - reach, 0)
        let high = min(middle + reach, pooledFrameCount - 1)
        let here = probability / Float(high - low + 1)
        var sum: Float = 0
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(tempoGrid.tempoRatios[row] / tempo) / Self.operatorTempoSpread
            sum += Float.exp(-0.5 * distance * distance)
        }
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(tempoGrid.tempoRatios[row] / tempo) / Self.operatorTempoSpread
            let share = Float.exp(-0.5 * distance * distance) / sum
            let values = probabilityRows + row * filterStep.rowLength + rowMarginZeroCount
            for column in low...high { values[column] += here * share }
        }
        for column in low...high { unscaledProbabilityByPooledFrame[rowMarginZeroCount + column] += here }
    }

    private static let operatorTempoSpread: Float = 0.25

    /// The mean and the deviation of the similarity that are assumed before the first pooled frame.
    private static let initialSimilarity: (mean: Float, deviation: Float) = (0.3, 0.15)

    /// The lower limit of ``similarityDeviation``.
    private static let leastDeviation: Float = 1e-3

    /// Takes a live frame, and advances the search if the frame completes a pooled one.
    /// - Returns: true if the search has advanced.
    func advance(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        guard poolLiveFrame(live, isDropout: isDropout) else { return false }
        advanceByPooledFrame()
        return true
    }

    /// Takes a live frame without advancing the search.
    /// - Returns: true if a pooled frame is complete; ``advanceByPooledFrame()`` must then be called before the next
    ///   one is complete.
    func poolLiveFrame(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        let share = 1 / Float(framesPerPooledFrame)
        for value in 0..<dimensions { poolSum[value] += live[value] * share }
        framesInPool += 1
        if isDropout { dropoutFramesInPool += 1 }
        guard framesInPool == framesPerPooledFrame else { return false }
        swap(&poolSum, &newestPooledFrame)
        isNewestPooledFrameDropout = dropoutFramesInPool > framesPerPooledFrame / 2
        framesInPool = 0
        dropoutFramesInPool = 0
        poolSum.update(repeating: 0, count: dimensions)
        return true
    }

    /// Copies the probabilities of another search of the same reference. The frames of a pooled frame that is not complete
    /// stay: both have heard as many.
    func copyProbabilities(from other: WholeReferenceSearch) {
        let length = filterStep.rowLength * parameters.searchTempoCount
        probabilityRows.update(from: other.probabilityRows, count: length)
        unscaledProbabilityByPooledFrame.update(
            from: other.unscaledProbabilityByPooledFrame, count: filterStep.rowLength)
        normalisingFactor = other.normalisingFactor
        (meanSimilarity, similarityDeviation) = (other.meanSimilarity, other.similarityDeviation)
    }

    /// Advances the search by the newest complete pooled frame.
    func advanceByPooledFrame() {
        let isDropout = isNewestPooledFrameDropout
        let nextRows = sharedBuffers.nextProbabilityRows
        let likelihood = sharedBuffers.similarityByPooledFrame
        var logLargestLikelihood: Float = 0
        if !isDropout { logLargestLikelihood = computeLikelihoods() }
        if isDropout || isRoomAlone {
            // A frame without sound is equally likely everywhere, and tells nothing about the sound that follows.
            (likelihood + rowMarginZeroCount).update(repeating: 1, count: pooledFrameCount)
            logLargestLikelihood = 0
        }
        stepLogLikelihood = 0
        guard !isSilent else { return }
        let leave = filterStep.leavePathProbability
        var total = SIMD8<Float>.zero
        let columns = filterStep.rowLength - 2 * rowMarginZeroCount
        let scale = normalisingFactor
        tempoGrid.tempoRatios.withUnsafeBufferPointer { ratios in
            tempoGrid.priorProbabilities.withUnsafeBufferPointer { prior in
                var column = 0
                while column < columns {
                    // Rows are not normalised, so what arrives from elsewhere is scaled to them.
                    let (_, weighed) = filterStep.computeEightColumns(
                        from: probabilityRows, to: nextRows, ratios: ratios.baseAddress!,
                        prior: prior.baseAddress!,
                        column: column,
                        arriving: loadEightFloats(jumpTargetProbabilities, column + rowMarginZeroCount)
                            * (leave / scale),
                        weight: loadEightFloats(likelihood, column + rowMarginZeroCount) * scale)
                    storeEightFloats(weighed, unscaledProbabilityByPooledFrame + rowMarginZeroCount, column)
                    total += weighed
                    column += 8
                }
            }
        }
        sharedBuffers.nextProbabilityRows = probabilityRows
        probabilityRows = nextRows
        // Columns after the last frame have no effect: the zeros at the end of the last tile resemble nothing.
        normalisingFactor = 1 / max(total.sum(), 1e-30)
        stepLogLikelihood = Float.log(max(total.sum(), 1e-30)) + logLargestLikelihood
    }

    /// Replaces the similarities of the newest pooled frame by its likelihoods, the largest of which is 1, and measures
    /// how it resembles the whole reference.
    /// - Returns: the natural logarithm of the largest likelihood.
    private func computeLikelihoods() -> Float {
        let similarity = sharedBuffers.similarityByPooledFrame
        pooledReferenceTiles.similarities(
            of: newestPooledFrame, in: 0..<pooledReferenceTiles.tileCount,
            into: similarity + rowMarginZeroCount)
        var sum: Float = 0
        var squares: Float = 0
        var best: Float = -1
        for column in rowMarginZeroCount..<rowMarginZeroCount + pooledFrameCount {
            let value = similarity[column]
            sum += value
            squares += value * value
            best = max(best, value)
        }
        meanSimilarity = sum / Float(pooledFrameCount)
        let variance = squares / Float(pooledFrameCount) - meanSimilarity * meanSimilarity
        similarityDeviation = max(variance, Self.leastDeviation * Self.leastDeviation).squareRoot()
        shortfallFromBest =
            (best - largestSimilarityNearFollowedFrame(similarity)) / similarityDeviation
        largestSimilarity = best
        let sharpness = parameters.searchSharpness
        var likelihoodSum: Float = 0
        for column in rowMarginZeroCount..<rowMarginZeroCount + pooledFrameCount {
            similarity[column] = Float.exp(sharpness * (similarity[column] - best))
            likelihoodSum += similarity[column]
        }
        similarityInAnyOrder = best + Float.log(likelihoodSum / Float(pooledFrameCount)) / sharpness
        return sharpness * best
    }

    /// Lets another search weigh the newest pooled frame. Call this directly after ``advance(_:isDropout:)``, because the
    /// likelihoods lie in shared memory.
    func passNewestLikelihoods(to beginning: BeginningSearch) {
        guard !isNewestPooledFrameDropout else { return }
        let noise = meanSimilarity + parameters.notBegunNoiseFit * similarityDeviation
        beginning.advance(
            sharedBuffers.similarityByPooledFrame + rowMarginZeroCount,
            noise: Float.exp(parameters.searchSharpness * (noise - largestSimilarity)),
            moving: 1 / normalisingFactor)
    }

    /// The largest similarity within a third of a second of ``followedFrame``.
    private func largestSimilarityNearFollowedFrame(_ similarity: UnsafePointer<Float>) -> Float {
        let reach = 3
        let middle = min(max(followedFrame / framesPerPooledFrame, 0), pooledFrameCount - 1)
        var largest = similarity[rowMarginZeroCount + middle]
        for column in max(middle - reach, 0)...min(middle + reach, pooledFrameCount - 1) {
            largest = max(largest, similarity[rowMarginZeroCount + column])
        }
        return largest
    }
}
