import Features

/// Computes the path costs of a band row by row and, on demand, remembers how each cell was reached.
///
/// The local cost of two frames is `1 - dot / 2`: 0 for equal frames whose two parts have unit norm, 1 for frames
/// with nothing in common or with silence. From one pair of frames to the next a path advances in one recording, in
/// the other, or in both; the cost of a pair is multiplied by the weight of the step to it.
final class OfflineAlignmentSweep {
    /// The weights of the steps, as multiples of the local cost of the pair that the step leads to.
    struct StepWeights: Sendable, Hashable {
        var diagonal: Float = 2
        var first: Float = 1.5
        var second: Float = 1.5
    }

    private enum Step {
        static let diagonal: UInt8 = 0
        static let first: UInt8 = 1
        static let second: UInt8 = 2
    }

    private let rows: ReferenceFrames
    private let columns: ReferenceTiles
    private let band: OfflineAlignmentBand
    private let weights: StepWeights
    /// How each cell of the band was reached, row after row; empty unless `keepsSteps`.
    private var steps: [UInt8] = []
    private var stepStart: [Int] = []
    private let keepsSteps: Bool
    /// Local costs of the newest row, by column.
    private var local: [Float]
    /// Path costs of the newest row and the one before, at column + 1; infinite outside the band.
    private var current: [Float]
    private var previous: [Float]
    private(set) var row = -1

    /// - Complexity: memory 8 bytes per column and, to remember the steps, one byte per cell of the band.
    init(
        rows: ReferenceFrames, columns: ReferenceTiles, band: OfflineAlignmentBand,
        weights: StepWeights = StepWeights(), keepsSteps: Bool
    ) {
        precondition(
            band.rowCount == rows.frameCount && band.columnCount == columns.frameCount
                && rows.dimensions == columns.dimensions, "the band belongs to these frames")
        self.rows = rows
        self.columns = columns
        self.band = band
        self.weights = weights
        self.keepsSteps = keepsSteps
        local = [Float](repeating: 0, count: columns.tileCount * ReferenceTiles.width)
        current = [Float](repeating: .infinity, count: columns.frameCount + 1)
        previous = current
        if keepsSteps { steps.reserveCapacity(band.ranges.reduce(0) { $0 + $1.count }) }
    }

    /// The local cost of a cell of the newest row.
    func localCost(column: Int) -> Float { local[column] }

    /// The cost of the cheapest path to a cell of the newest row, minus that of the row's cheapest cell.
    func pathCost(column: Int) -> Float { current[column + 1] }

    /// Computes the next row.
    /// - Returns: false if there is none.
    /// - Complexity: O(columns in the row's range × dimensions).
    func advance() -> Bool {
        guard row + 1 < band.rowCount else { return false }
        row += 1
        swap(&current, &previous)
        let range = band.ranges[row]
        measureLocalCosts(range)
        if keepsSteps {
            stepStart.append(steps.count)
            steps.append(contentsOf: repeatElement(Step.diagonal, count: range.count))
        }
        // This buffer is two rows old: no value left of the range may be read again.
        current[range.lowerBound] = .infinity
        if row == 0 { previous[0] = 0 }
        let least = row == 0 ? startRow(range) : extendRow(range)
        for column in range { current[column + 1] -= least }
        return true
    }

    /// The cheapest path. Requires that every row has been computed and its steps kept.
    func cheapestPath() -> WarpingPath {
        precondition(keepsSteps && row == band.rowCount - 1, "the steps of all rows are known")
        var pair = WarpingPath.Pair(first: row, second: band.columnCount - 1)
        var backwards = [pair]
        while pair.first > 0 || pair.second > 0 {
            let step = steps[stepStart[pair.first] + pair.second - band.ranges[pair.first].lowerBound]
            if step != Step.second { pair.first -= 1 }
            if step != Step.first { pair.second -= 1 }
            backwards.append(pair)
        }
        return WarpingPath(backwards.reversed())
    }

    private func measureLocalCosts(_ range: Range<Int>) {
        let width = ReferenceTiles.width
        let tiles = range.lowerBound / width..<(range.upperBound + width - 1) / width
        rows.values.withUnsafeBufferPointer { values in
            local.withUnsafeMutableBufferPointer { local in
                columns.similarities(
                    of: values.baseAddress! + row * rows.dimensions, in: tiles,
                    into: local.baseAddress! + tiles.lowerBound * width)
                for column in range { local[column] = 1 - local[column] / 2 }
            }
        }
    }

    /// Fills the first row, in which a path can only move along the columns. Returns its least cost.
    private func startRow(_ range: Range<Int>) -> Float {
        var sum = weights.diagonal * local[0]
        current[1] = sum
        for column in range.dropFirst() {
            sum += weights.second * local[column]
            current[column + 1] = sum
            if keepsSteps { steps[column] = Step.second }
        }
        return current[1]
    }

    /// Fills any further row and returns its least cost.
    private func extendRow(_ range: Range<Int>) -> Float {
        var least = Float.infinity
        let weights = weights
        let start = keepsSteps ? stepStart[row] - range.lowerBound : 0
        let keepsSteps = keepsSteps
        previous.withUnsafeBufferPointer { previous in
            current.withUnsafeMutableBufferPointer { current in
                steps.withUnsafeMutableBufferPointer { steps in
                    var left = Float.infinity
                    for column in range {
                        let cost = local[column]
                        var best = previous[column] + weights.diagonal * cost
                        var step = Step.diagonal
                        let down = previous[column + 1] + weights.first * cost
                        if down < best {
                            best = down
                            step = Step.first
                        }
                        let along = left + weights.second * cost
                        if along < best {
                            best = along
                            step = Step.second
                        }
                        current[column + 1] = best
                        left = best
                        least = min(least, best)
                        if keepsSteps { steps[start + column] = step }
                    }
                }
            }
        }
        return least
    }
}
