import RealModule

/// Searches the whole reference, coarsely and continuously, for other places where the music might be.
///
/// The search is a forward filter like ``WindowFilter``, but over pooled frames (means of several frames) of the whole
/// reference, and the music may continue anywhere with a small probability. It answers slowly, after seconds of
/// evidence, and never moves the position itself.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: (reference frames / pooling) × tempi, once every
/// `pooling` live frames.
/// - Source: two-level tracking after C. Brazier, G. Widmer, arXiv 2105.08531.
final class WholeReferenceSearch {
    let parameters: ForwardFilterParameters
    let tiles: ReferenceTiles
    private let dimensions: Int
    /// The number of pooled frames of the reference.
    let pooledFrameCount: Int
    private(set) var step: ForwardFilterStep
    let grid: TempoGrid
    private(set) var rows: UnsafeMutablePointer<Float>
    /// The probability of each pooled frame, summed over all tempi; it must still be multiplied by ``gain``.
    let marginal: UnsafeMutablePointer<Float>
    /// Working memory, shared with the other searches of the reference.
    let scratch: SearchBuffers
    private var isExpecting = false
    private var landmarks = ReferenceBars(bars: [])
    /// The bar in which the music was when ``entryProbabilities`` was computed; nil if unknown.
    private var presentBar: Int?
    private var isUnsettled = false
    /// For each pooled frame, the probability that the music continues there if it leaves its path; the sum is one.
    let entryProbabilities: UnsafeMutablePointer<Float>
    /// The sum of the live frames in the pooled frame that is not complete yet. `newestPooledFrame` is the newest
    /// complete pooled frame.
    private var poolSum: UnsafeMutablePointer<Float>
    private var newestPooledFrame: UnsafeMutablePointer<Float>
    private(set) var framesInPool = 0
    private var dropoutFrames = 0
    private var isGatheredDropout = false
    /// The factor by which the newest rows must be multiplied to sum to one.
    private(set) var gain: Float = 1

    /// The natural logarithm of the likelihood of the newest pooled frame.
    private(set) var stepLogLikelihood: Float = 0

    /// The mean similarity of the newest pooled frame over the whole reference; `similarityDeviation` is its standard
    /// deviation.
    private(set) var meanSimilarity: Float = usualSimilarity.mean
    private(set) var similarityDeviation: Float = usualSimilarity.deviation

    /// Creates a search of a reference whose frames are not pooled yet.
    /// - Parameter reference: the reference's own frames.
    convenience init(reference: CompactTiles, parameters: ForwardFilterParameters) {
        self.init(pooled: reference.pooled(by: parameters.searchPooling), parameters: parameters)
    }

    /// Creates a search of a reference whose frames are pooled already.
    /// - Parameters:
    ///   - pooled: the reference's own frames, already pooled; kept without a copy.
    ///   - scratch: the working memory of another search of the same reference on the same thread; nil to create one.
    init(pooled tiles: ReferenceTiles, parameters: ForwardFilterParameters, scratch: SearchBuffers? = nil) {
        self.parameters = parameters
        self.tiles = tiles
        dimensions = tiles.dimensions
        pooledFrameCount = tiles.frameCount
        grid = TempoGrid(
            slowest: 0.5, fastest: 2, count: parameters.searchTempoCount,
            spread: parameters.tempoSpread + 0.05)
        let length = tiles.tileCount * ReferenceTiles.width + 2 * rowMargin
        step = ForwardFilterStep(
            drift: parameters.searchTempoDrift, leaveProbability: parameters.jumpChance, rowLength: length,
            tempoCount: parameters.searchTempoCount)
        rows = zeroedFloats(length * parameters.searchTempoCount)
        marginal = zeroedFloats(length)
        self.scratch =
            scratch
            ?? SearchBuffers(
                rowLength: length, rowCount: parameters.searchTempoCount, blockCount: pooledFrameCount)
        precondition(
            self.scratch.rowLength == length, "scratch memory is shared by searches of one reference")
        poolSum = zeroedFloats(tiles.dimensions)
        newestPooledFrame = zeroedFloats(tiles.dimensions)
        entryProbabilities = zeroedFloats(length)
        setAwaitedFrame(nil)
        reset()
    }

    deinit {
        for pointer in [rows, marginal, poolSum, newestPooledFrame, entryProbabilities] {
            pointer.deallocate()
        }
    }

    /// Number of reference frames in a pooled frame.
    var pooling: Int { parameters.searchPooling }

    /// Makes every place of the reference equally likely.
    func reset() {
        for row in 0..<parameters.searchTempoCount {
            let values = rows + row * step.rowLength + rowMargin
            values.update(repeating: grid.prior[row] / Float(pooledFrameCount), count: pooledFrameCount)
        }
        gain = 1
        poolSum.update(repeating: 0, count: dimensions)
        marginal.update(repeating: 0, count: step.rowLength)
        framesInPool = 0
        dropoutFrames = 0
        meanSimilarity = Self.usualSimilarity.mean
        similarityDeviation = Self.usualSimilarity.deviation
    }

    /// Sets the bars of the reference. Call this before the music starts.
    func setBars(_ landmarks: ReferenceBars) {
        self.landmarks = landmarks
        computeEntries(from: nil, isOpen: false)
    }

    /// Sets the frame at which the music may begin at any moment; nil if the music has begun or the place is unknown.
    func setAwaitedFrame(_ frame: Int?) {
        isExpecting = frame != nil
        step.leaveProbability = isExpecting ? parameters.awaitedChance : parameters.jumpChance
        computeEntries(from: nil, isOpen: false)
        guard let frame else { return }
        for column in 0..<pooledFrameCount {
            entryProbabilities[rowMargin + column] *= 1 - parameters.awaitedPlaceShare
        }
        addEntryProbability(at: frame, by: parameters.awaitedPlaceShare)
    }

    /// Notes that the music is near a frame, so that continuations that follow from the bar there become likely.
    func note(present frame: Int) {
        guard !landmarks.bars.isEmpty, !isExpecting else { return }
        let bar = landmarks.bar(at: frame)
        if bar != presentBar || isUnsettled { computeEntries(from: bar, isOpen: false) }
    }

    /// Computes ``entryProbabilities``: where the music continues if it leaves its path. If the present bar is known,
    /// this is mostly at other bars, otherwise anywhere.
    /// - Complexity: O(frames / pooling + bars).
    private func computeEntries(from bar: Int?, isOpen: Bool) {
        presentBar = bar
        self.isUnsettled = isOpen
        var sum: Float = 0
        if let bar {
            for number in landmarks.bars.indices {
                sum += landmarks.weight(of: number, from: bar, isOpen: isOpen, parameters: parameters)
            }
        }
        let share = sum > 0 ? parameters.barLineShare : 0
        (entryProbabilities + rowMargin).update(
            repeating: (1 - share) / Float(pooledFrameCount), count: pooledFrameCount)
        guard let bar, sum > 0 else { return }
        for number in landmarks.bars.indices {
            let weight = landmarks.weight(of: number, from: bar, isOpen: isOpen, parameters: parameters)
            if weight > 0 { addEntryProbability(at: landmarks.bars[number].frame, by: share * weight / sum) }
        }
    }

    /// Adds a share of ``entryProbabilities`` to the pooled frames within a few tenths of a second of a reference
    /// frame.
    private func addEntryProbability(at frame: Int, by share: Float) {
        let middle = min(max(frame / pooling, 0), pooledFrameCount - 1)
        let places = max(middle - 1, 0)...min(middle + 2, pooledFrameCount - 1)
        for column in places { entryProbabilities[rowMargin + column] += share / Float(places.count) }
    }

    /// Sets whether the music is now likely to leave its path and continue elsewhere.
    func setUnsettled(_ isOpen: Bool) {
        guard !isExpecting else { return }
        step.leaveProbability = isOpen ? parameters.unsettledJumpChance : parameters.jumpChance
        if isOpen && !self.isUnsettled && !landmarks.bars.isEmpty {
            computeEntries(from: presentBar, isOpen: true)
        }
    }

    /// Takes over a position that an operator has given: 95 % of the probability goes near the frame, the rest
    /// anywhere.
    func concentrate(in frame: Int, tempo: Float) {
        let certainty: Float = 0.95
        let middle = min(max(frame / pooling, 0), pooledFrameCount - 1)
        let reach = 10
        let low = max(middle - reach, 0)
        let high = min(middle + reach, pooledFrameCount - 1)
        let here = certainty / Float(high - low + 1)
        let elsewhere = (1 - certainty) / Float(pooledFrameCount)
        reset()
        var sum: Float = 0
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / Self.believedTempoSpread
            sum += Float.exp(-0.5 * distance * distance)
        }
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / Self.believedTempoSpread
            let share = Float.exp(-0.5 * distance * distance) / sum
            let values = rows + row * step.rowLength + rowMargin
            for column in 0..<pooledFrameCount { values[column] = grid.prior[row] * elsewhere }
            for column in low...high { values[column] += here * share }
        }
        for column in 0..<pooledFrameCount { marginal[rowMargin + column] = elsewhere }
        for column in low...high { marginal[rowMargin + column] += here }
    }

    private static let believedTempoSpread: Float = 0.25

    /// The mean and the deviation of the similarity that are assumed before the first pooled frame.
    private static let usualSimilarity: (mean: Float, deviation: Float) = (0.3, 0.15)

    /// Takes a live frame, and advances the search if the frame completes a pooled one.
    /// - Returns: true if the search has advanced.
    func advance(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        guard poolFrame(live, isDropout: isDropout) else { return false }
        advanceByPooledFrame()
        return true
    }

    /// Takes a live frame without advancing the search.
    /// - Returns: true if a pooled frame is complete; ``advanceByPooledFrame()`` must then be called before the next
    ///   one is complete.
    func poolFrame(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        let share = 1 / Float(pooling)
        for value in 0..<dimensions { poolSum[value] += live[value] * share }
        framesInPool += 1
        if isDropout { dropoutFrames += 1 }
        guard framesInPool == pooling else { return false }
        swap(&poolSum, &newestPooledFrame)
        isGatheredDropout = dropoutFrames > pooling / 2
        framesInPool = 0
        dropoutFrames = 0
        poolSum.update(repeating: 0, count: dimensions)
        return true
    }

    /// Copies the probabilities of another search of the same reference.
    func copyProbabilities(from other: WholeReferenceSearch) {
        let length = step.rowLength * parameters.searchTempoCount
        rows.update(from: other.rows, count: length)
        marginal.update(from: other.marginal, count: step.rowLength)
        poolSum.update(from: other.poolSum, count: dimensions)
        (gain, framesInPool, dropoutFrames) = (other.gain, other.framesInPool, other.dropoutFrames)
        (meanSimilarity, similarityDeviation) = (other.meanSimilarity, other.similarityDeviation)
    }

    /// Advances the search by the newest complete pooled frame.
    func advanceByPooledFrame() {
        let isDropout = isGatheredDropout
        let (similarity, nextRows) = (scratch.similarity, scratch.nextRows)
        tiles.similarities(of: newestPooledFrame, in: 0..<tiles.tileCount, into: similarity + rowMargin)
        var sum: Float = 0
        var squares: Float = 0
        var best: Float = -1
        for column in rowMargin..<rowMargin + pooledFrameCount {
            let value = similarity[column]
            sum += value
            squares += value * value
            best = max(best, value)
        }
        meanSimilarity = sum / Float(pooledFrameCount)
        similarityDeviation = max(squares / Float(pooledFrameCount) - meanSimilarity * meanSimilarity, 1e-6)
            .squareRoot()
        let sharpness = parameters.searchSharpness
        for column in rowMargin..<rowMargin + pooledFrameCount {
            let exponent = isDropout ? 0 : sharpness * (similarity[column] - best)
            similarity[column] = Float.exp(exponent)
        }
        let leave = step.leaveProbability
        var total = SIMD8<Float>.zero
        let columns = step.rowLength - 2 * rowMargin
        let scale = gain
        grid.ratios.withUnsafeBufferPointer { ratios in
            grid.prior.withUnsafeBufferPointer { prior in
                var column = 0
                while column < columns {
                    // Rows are not normalised, so what arrives from elsewhere is scaled to them.
                    let (_, weighed) = step.advance(
                        from: rows, to: nextRows, ratios: ratios.baseAddress!, prior: prior.baseAddress!,
                        column: column,
                        arriving: loadEight(entryProbabilities, column + rowMargin) * (leave / scale),
                        weight: loadEight(similarity, column + rowMargin) * scale)
                    storeEight(weighed, marginal + rowMargin, column)
                    total += weighed
                    column += 8
                }
            }
        }
        scratch.nextRows = rows
        rows = nextRows
        // Columns after the last frame have no effect: the zeros at the end of the last tile resemble nothing.
        gain = 1 / max(total.sum(), 1e-30)
        stepLogLikelihood = Float.log(max(total.sum(), 1e-30)) + (isDropout ? 0 : sharpness * best)
    }
}
