import RealModule

/// Searches the whole reference, coarsely and continuously, for other places where the music might be.
///
/// It is a forward filter like ``WindowFilter``, but over pooled frames of the whole reference, and the music may
/// continue anywhere with a small probability. It answers slowly, after seconds of evidence, and never moves the
/// position itself.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: (reference frames / pooling) × tempi, once
/// every `pooling` live frames.
/// - Source: two-level tracking after C. Brazier, G. Widmer, arXiv 2105.08531.
final class WholeReferenceSearch {
    let parameters: FilterParameters
    let tiles: ReferenceTiles
    private let dimensions: Int
    /// Number of pooled frames of the reference.
    let count: Int
    private(set) var step: FilterStep
    let grid: TempoGrid
    private(set) var rows: UnsafeMutablePointer<Float>
    /// Probability of each pooled frame, summed over all tempi; still to be multiplied by ``gain``.
    let marginal: UnsafeMutablePointer<Float>
    /// Working memory, shared with the other searches of the reference.
    let scratch: SearchBuffers
    private var isExpecting = false
    private var landmarks = ReferenceBars(bars: [])
    /// The bar the music was in when ``entryProbabilities`` was computed; nil if unknown.
    private var present: Int?
    private var isOpen = false
    /// Where the music continues if it continues elsewhere: a probability per pooled frame; sums to one.
    let entryProbabilities: UnsafeMutablePointer<Float>
    /// The sum of the live frames taken so far, and the newest complete pooled frame.
    private var pooled: UnsafeMutablePointer<Float>
    private var gathered: UnsafeMutablePointer<Float>
    private(set) var pooledFrames = 0
    private var dropoutFrames = 0
    private var isGatheredDropout = false
    /// Factor by which the newest rows must be multiplied to sum to one.
    private(set) var gain: Float = 1

    /// Natural logarithm of the likelihood of the newest pooled frame.
    private(set) var stepLogLikelihood: Float = 0

    /// Mean and standard deviation of the newest live frame's similarity over the whole reference.
    private(set) var meanSimilarity: Float = usualSimilarity.mean
    private(set) var similarityDeviation: Float = usualSimilarity.deviation

    /// - Parameter reference: the reference's own frames.
    convenience init(reference: ReferenceTiles, parameters: FilterParameters) {
        self.init(pooled: reference.pooled(by: parameters.searchPooling), parameters: parameters)
    }

    /// - Parameters:
    ///   - pooled: the reference's own frames, already pooled; kept without a copy.
    ///   - scratch: that of another search of the same reference on the same thread; nil to make a new one.
    init(pooled tiles: ReferenceTiles, parameters: FilterParameters, scratch: SearchBuffers? = nil) {
        self.parameters = parameters
        self.tiles = tiles
        dimensions = tiles.dimensions
        count = tiles.frameCount
        grid = TempoGrid(
            slowest: 0.5, fastest: 2, count: parameters.searchTempoCount,
            spread: parameters.tempoSpread + 0.05)
        let length = tiles.tileCount * ReferenceTiles.width + 2 * rowMargin
        step = FilterStep(
            drift: parameters.searchTempoDrift, leave: parameters.jumpChance, rowLength: length,
            tempoCount: parameters.searchTempoCount)
        rows = zeroedFloats(length * parameters.searchTempoCount)
        marginal = zeroedFloats(length)
        self.scratch =
            scratch
            ?? SearchBuffers(rowLength: length, rowCount: parameters.searchTempoCount, blockCount: count)
        precondition(
            self.scratch.rowLength == length, "scratch memory is shared by searches of one reference")
        pooled = zeroedFloats(tiles.dimensions)
        gathered = zeroedFloats(tiles.dimensions)
        entryProbabilities = zeroedFloats(length)
        expect(nil)
        forget()
    }

    deinit {
        for pointer in [rows, marginal, pooled, gathered, entryProbabilities] {
            pointer.deallocate()
        }
    }

    /// Number of reference frames in a pooled frame.
    var pooling: Int { parameters.searchPooling }

    /// Makes every place equally likely.
    func forget() {
        for row in 0..<parameters.searchTempoCount {
            let values = rows + row * step.rowLength + rowMargin
            values.update(repeating: grid.prior[row] / Float(count), count: count)
        }
        gain = 1
        pooled.update(repeating: 0, count: dimensions)
        marginal.update(repeating: 0, count: step.rowLength)
        pooledFrames = 0
        dropoutFrames = 0
        meanSimilarity = Self.usualSimilarity.mean
        similarityDeviation = Self.usualSimilarity.deviation
    }

    /// Sets the bars of the reference. Call it before the music starts.
    func setBars(_ landmarks: ReferenceBars) {
        self.landmarks = landmarks
        computeEntries(from: nil, isOpen: false)
    }

    /// Sets the frame at which the music may begin at any moment; nil if it has begun or the place is unknown.
    func expect(_ frame: Int?) {
        isExpecting = frame != nil
        step.leave = isExpecting ? parameters.awaitedChance : parameters.jumpChance
        computeEntries(from: nil, isOpen: false)
        guard let frame else { return }
        for column in 0..<count { entryProbabilities[rowMargin + column] *= 1 - parameters.awaitedShare }
        enter(at: frame, by: parameters.awaitedShare)
    }

    /// Notes that the music is near a frame, so that the bars after it become likely continuations.
    func note(present frame: Int) {
        guard !landmarks.bars.isEmpty, !isExpecting else { return }
        let bar = landmarks.bar(at: frame)
        if bar != present || isOpen { computeEntries(from: bar, isOpen: false) }
    }

    /// Computes ``entryProbabilities``: where the music continues if it continues elsewhere. With a known bar this is
    /// mostly at other bars, otherwise anywhere.
    /// - Complexity: O(frames / pooling + bars).
    private func computeEntries(from bar: Int?, isOpen: Bool) {
        present = bar
        self.isOpen = isOpen
        var sum: Float = 0
        if let bar {
            for number in landmarks.bars.indices {
                sum += landmarks.weight(of: number, from: bar, isOpen: isOpen, parameters: parameters)
            }
        }
        let share = sum > 0 ? parameters.barShare : 0
        (entryProbabilities + rowMargin).update(repeating: (1 - share) / Float(count), count: count)
        guard let bar, sum > 0 else { return }
        for number in landmarks.bars.indices {
            let weight = landmarks.weight(of: number, from: bar, isOpen: isOpen, parameters: parameters)
            if weight > 0 { enter(at: landmarks.bars[number].frame, by: share * weight / sum) }
        }
    }

    /// Adds a share of ``entryProbabilities`` to the pooled frames within a few tenths of a second of a reference
    /// frame.
    private func enter(at frame: Int, by share: Float) {
        let middle = min(max(frame / pooling, 0), count - 1)
        let places = max(middle - 1, 0)...min(middle + 2, count - 1)
        for column in places { entryProbabilities[rowMargin + column] += share / Float(places.count) }
    }

    /// Says whether the music is now likely to continue elsewhere.
    func open(_ isOpen: Bool) {
        guard !isExpecting else { return }
        step.leave = isOpen ? parameters.openJumpChance : parameters.jumpChance
        if isOpen && !self.isOpen && !landmarks.bars.isEmpty { computeEntries(from: present, isOpen: true) }
    }

    /// Takes over a position given by an operator: 95 % near the frame, the rest anywhere.
    func concentrate(in frame: Int, tempo: Float) {
        let certainty: Float = 0.95
        let middle = min(max(frame / pooling, 0), count - 1)
        let reach = 10
        let low = max(middle - reach, 0)
        let high = min(middle + reach, count - 1)
        let here = certainty / Float(high - low + 1)
        let elsewhere = (1 - certainty) / Float(count)
        forget()
        var sum: Float = 0
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / Self.believedTempoSpread
            sum += Float.exp(-0.5 * distance * distance)
        }
        for row in 0..<parameters.searchTempoCount {
            let distance = Float.log(grid.ratios[row] / tempo) / Self.believedTempoSpread
            let share = Float.exp(-0.5 * distance * distance) / sum
            let values = rows + row * step.rowLength + rowMargin
            for column in 0..<count { values[column] = grid.prior[row] * elsewhere }
            for column in low...high { values[column] += here * share }
        }
        for column in 0..<count { marginal[rowMargin + column] = elsewhere }
        for column in low...high { marginal[rowMargin + column] += here }
    }

    private static let believedTempoSpread: Float = 0.25

    /// Assumed before the first pooled frame.
    private static let usualSimilarity: (mean: Float, deviation: Float) = (0.3, 0.15)

    /// Takes a live frame, and moves if it completes a pooled one.
    /// - Returns: true when the search has moved.
    func advance(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        guard poolFrame(live, isDropout: isDropout) else { return false }
        move()
        return true
    }

    /// Takes a live frame without moving.
    /// - Returns: true if a pooled frame is complete; ``move()`` must then be called before the next one is.
    func poolFrame(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        let share = 1 / Float(pooling)
        for value in 0..<dimensions { pooled[value] += live[value] * share }
        pooledFrames += 1
        if isDropout { dropoutFrames += 1 }
        guard pooledFrames == pooling else { return false }
        swap(&pooled, &gathered)
        isGatheredDropout = dropoutFrames > pooling / 2
        pooledFrames = 0
        dropoutFrames = 0
        pooled.update(repeating: 0, count: dimensions)
        return true
    }

    /// Copies the probabilities of another search of the same reference.
    func take(over other: WholeReferenceSearch) {
        let length = step.rowLength * parameters.searchTempoCount
        rows.update(from: other.rows, count: length)
        marginal.update(from: other.marginal, count: step.rowLength)
        pooled.update(from: other.pooled, count: dimensions)
        (gain, pooledFrames, dropoutFrames) = (other.gain, other.pooledFrames, other.dropoutFrames)
        (meanSimilarity, similarityDeviation) = (other.meanSimilarity, other.similarityDeviation)
    }

    /// Advances the search by the newest pooled frame.
    func move() {
        let isDropout = isGatheredDropout
        let (similarity, nextRows) = (scratch.similarity, scratch.rows)
        tiles.similarities(of: gathered, in: 0..<tiles.tileCount, into: similarity + rowMargin)
        var sum: Float = 0
        var squares: Float = 0
        var best: Float = -1
        for column in rowMargin..<rowMargin + count {
            let value = similarity[column]
            sum += value
            squares += value * value
            best = max(best, value)
        }
        meanSimilarity = sum / Float(count)
        similarityDeviation = max(squares / Float(count) - meanSimilarity * meanSimilarity, 1e-6).squareRoot()
        let sharpness = parameters.searchSharpness
        for column in rowMargin..<rowMargin + count {
            let exponent = isDropout ? 0 : sharpness * (similarity[column] - best)
            similarity[column] = Float.exp(exponent)
        }
        let leave = step.leave
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
                        arriving: load(entryProbabilities, column + rowMargin) * (leave / scale),
                        weight: load(similarity, column + rowMargin) * scale)
                    store(weighed, marginal + rowMargin, column)
                    total += weighed
                    column += 8
                }
            }
        }
        scratch.rows = rows
        rows = nextRows
        // Columns after the last frame have no effect: the zeros at the end of the last tile resemble nothing.
        gain = 1 / max(total.sum(), 1e-30)
        stepLogLikelihood = Float.log(max(total.sum(), 1e-30)) + (isDropout ? 0 : sharpness * best)
    }
}
