import RealModule

/// Searches the whole reference, coarsely and all the time, for where the music might be instead.
///
/// A forward filter like ``WindowFilter`` over pooled frames of the whole reference, in which the music may go on
/// anywhere with a small chance. It answers slowly, after seconds of evidence, and never moves the position itself.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: reference frames / pooling × tempi, every
/// `pooling` frames.
/// - Source: two-level tracking after C. Brazier, G. Widmer, arXiv 2105.08531.
final class WholeSearch {
    private let parameters: FilterParameters
    private let tiles: ReferenceTiles
    private let dimensions: Int
    private let count: Int
    private let step: FilterStep
    private let grid: TempoGrid
    private var rows: UnsafeMutablePointer<Float>
    private var nextRows: UnsafeMutablePointer<Float>
    private let marginal: UnsafeMutablePointer<Float>
    private let similarity: UnsafeMutablePointer<Float>
    private let pooled: UnsafeMutablePointer<Float>
    private var pooledFrames = 0
    private var dropoutFrames = 0
    private var gain: Float = 1

    /// Mean and standard deviation of the newest live frame's similarity over the whole reference.
    private(set) var meanSimilarity: Float = usualSimilarity.mean
    private(set) var similarityDeviation: Float = usualSimilarity.deviation

    /// - Parameter reference: the timeline's own frames.
    init(reference: ReferenceTiles, parameters: FilterParameters) {
        self.parameters = parameters
        dimensions = reference.dimensions
        count = max(reference.frameCount / parameters.searchPooling, 1)
        tiles = reference.pooled(by: parameters.searchPooling)
        grid = TempoGrid(
            slowest: 0.5, fastest: 2, count: parameters.searchTempoCount,
            spread: parameters.tempoSpread + 0.05)
        let length = tiles.tileCount * ReferenceTiles.width + 2 * rowMargin
        step = FilterStep(
            drift: parameters.searchTempoDrift, leave: parameters.jumpChance, rowLength: length,
            tempoCount: parameters.searchTempoCount)
        rows = zeroedFloats(length * parameters.searchTempoCount)
        nextRows = zeroedFloats(length * parameters.searchTempoCount)
        marginal = zeroedFloats(length)
        similarity = zeroedFloats(length)
        pooled = zeroedFloats(reference.dimensions)
        forget()
    }

    deinit {
        for pointer in [rows, nextRows, marginal, similarity, pooled] { pointer.deallocate() }
    }

    /// Anywhere is as likely as anywhere else.
    func forget() {
        for row in 0..<parameters.searchTempoCount {
            for column in 0..<count {
                rows[row * step.rowLength + rowMargin + column] = grid.prior[row] / Float(count)
            }
        }
        gain = 1
        pooled.update(repeating: 0, count: dimensions)
        marginal.update(repeating: 0, count: step.rowLength)
        pooledFrames = 0
        dropoutFrames = 0
        meanSimilarity = Self.usualSimilarity.mean
        similarityDeviation = Self.usualSimilarity.deviation
    }

    /// What is assumed before the first pooled frame.
    private static let usualSimilarity: (mean: Float, deviation: Float) = (0.3, 0.15)

    /// Takes a live frame.
    /// - Returns: true when a pooled frame was complete and the search has moved.
    func advance(_ live: UnsafePointer<Float>, isDropout: Bool) -> Bool {
        let pooling = parameters.searchPooling
        for value in 0..<dimensions { pooled[value] += live[value] / Float(pooling) }
        pooledFrames += 1
        if isDropout { dropoutFrames += 1 }
        guard pooledFrames == pooling else { return false }
        move(isDropout: dropoutFrames > pooling / 2)
        pooledFrames = 0
        dropoutFrames = 0
        pooled.update(repeating: 0, count: dimensions)
        return true
    }

    /// Mass within some pooled frames of a reference frame.
    func mass(around frame: Int, reachFrames: Int) -> Double {
        let middle = frame / parameters.searchPooling
        let reach = reachFrames / parameters.searchPooling
        let low = max(middle - reach, 0)
        let high = min(middle + reach, count - 1)
        guard low <= high else { return 0 }
        var sum: Float = 0
        for column in low...high { sum += marginal[rowMargin + column] }
        return Double(sum * gain)
    }

    /// The heaviest two seconds of the reference that are not near a frame: their middle, mass and tempo.
    func rival(awayFrom frame: Int, reachFrames: Int) -> (frame: Int, mass: Double, tempo: Float) {
        let middle = frame / parameters.searchPooling
        let reach = reachFrames / parameters.searchPooling
        let half = 10
        var running: Float = 0
        var best: Float = -1
        var place = 0
        for column in 0..<count {
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

    private func tempo(around place: Int) -> Float {
        var sum: Float = 0
        var logs: Float = 0
        for row in 0..<parameters.searchTempoCount {
            var mass: Float = 0
            for column in max(0, place - 10)...min(count - 1, place + 10) {
                mass += rows[row * step.rowLength + rowMargin + column]
            }
            sum += mass
            logs += mass * Float.log(grid.ratios[row])
        }
        return sum > 0 ? Float.exp(logs / sum) : 1
    }

    private func move(isDropout: Bool) {
        tiles.similarities(of: pooled, in: 0..<tiles.tileCount, into: similarity + rowMargin)
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
        let anywhere = SIMD8<Float>(repeating: parameters.jumpChance / Float(count))
        var total = SIMD8<Float>.zero
        let columns = step.rowLength - 2 * rowMargin
        let scale = gain
        grid.ratios.withUnsafeBufferPointer { ratios in
            grid.prior.withUnsafeBufferPointer { prior in
                var column = 0
                while column < columns {
                    // Rows are not normalised: what arrives from anywhere is scaled to them.
                    let (_, weighed) = step.advance(
                        from: rows, to: nextRows, ratios: ratios.baseAddress!, prior: prior.baseAddress!,
                        column: column, arriving: anywhere / scale,
                        weight: load(similarity, column + rowMargin) * scale)
                    store(weighed, marginal + rowMargin, column)
                    total += weighed
                    column += 8
                }
            }
        }
        swap(&rows, &nextRows)
        // Columns behind the last frame weigh nothing: the last tile's empty places resemble nothing.
        gain = 1 / max(total.sum(), 1e-30)
    }
}
