import Features

/// Computes the path costs of a band row by row and, on demand, remembers how each cell was reached.
///
/// The local cost of two frames is `1 - dot / 2`: 0 for equal frames whose two parts have unit norm, 1 for frames
/// with nothing in common or with silence. From one pair of frames to the next a path advances in one recording, in
/// the other, or in both; the cost of a pair is multiplied by the weight of the step to it.
final class OfflineAlignmentSweep {
    /// The weights of the steps, as multiples of the local cost of the frame pair to which a step leads.
    struct StepWeights: Sendable, Hashable {
        var diagonal: Float = 2
        var firstOnly: Float = 1.5
        var secondOnly: Float = 1.5
    }

    private enum Step {
        static let diagonal: UInt8 = 0
        static let firstOnly: UInt8 = 1
        static let secondOnly: UInt8 = 2
    }

    private let rowRecordingFrames: ReferenceFeatureFrames
    private let columnRecordingFrames: TiledReferenceFrames
    private let band: OfflineAlignmentBand
    private let stepWeights: StepWeights
    /// The step by which each cell of the band was reached, row after row; empty unless `keepsSteps`.
    private var stepOfEachCell: [UInt8] = []
    private var firstStepIndexByRow: [Int] = []
    private let keepsSteps: Bool
    /// Local costs of the newest row, by column.
    private var localCosts: [Float]
    /// The path costs of the newest row, at the index column + 1; infinite outside the band. `previousPathCosts` has
    /// those of the row before.
    private var currentPathCosts: [Float]
    private var previousPathCosts: [Float]
    private(set) var newestRow = -1

    /// Prepares to compute the path costs, row by row; nothing is computed yet.
    /// - Complexity: 8 bytes of memory per column and, if the steps are remembered, one byte per cell of the band.
    init(
        rows: ReferenceFeatureFrames, columns: TiledReferenceFrames, band: OfflineAlignmentBand,
        weights: StepWeights = StepWeights(), keepsSteps: Bool
    ) {
        precondition(
            band.rowCount == rows.frameCount && band.columnCount == columns.frameCount
                && rows.dimensions == columns.dimensions, "the band belongs to these frames")
        self.rowRecordingFrames = rows
        self.columnRecordingFrames = columns
        self.band = band
        self.stepWeights = weights
        self.keepsSteps = keepsSteps
        localCosts = [Float](repeating: 0, count: columns.tileCount * TiledReferenceFrames.framesPerTile)
        currentPathCosts = [Float](repeating: .infinity, count: columns.frameCount + 1)
        previousPathCosts = currentPathCosts
        if keepsSteps { stepOfEachCell.reserveCapacity(band.columnRangesByRow.reduce(0) { $0 + $1.count }) }
    }

    /// Returns the local cost of a cell in the newest row.
    func localCost(column: Int) -> Float { localCosts[column] }

    /// Returns the cost of the cheapest path to a cell of the newest row, minus the cost of the row's cheapest cell.
    func pathCost(column: Int) -> Float { currentPathCosts[column + 1] }

    /// Computes the next row.
    /// - Returns: false if there are no more rows.
    /// - Complexity: O(columns in the row's range × dimensions).
    func computeNextRow() -> Bool {
        guard newestRow + 1 < band.rowCount else { return false }
        newestRow += 1
        swap(&currentPathCosts, &previousPathCosts)
        let range = band.columnRangesByRow[newestRow]
        measureLocalCosts(range)
        if keepsSteps {
            firstStepIndexByRow.append(stepOfEachCell.count)
            stepOfEachCell.append(contentsOf: repeatElement(Step.diagonal, count: range.count))
        }
        // This buffer is two rows old: no value left of the range may be read again.
        currentPathCosts[range.lowerBound] = .infinity
        if newestRow == 0 { previousPathCosts[0] = 0 }
        let least = newestRow == 0 ? fillFirstRow(range) : fillNextRow(range)
        for column in range { currentPathCosts[column + 1] -= least }
        return true
    }

    /// Returns the cheapest path. All rows must have been computed, and their steps kept.
    func cheapestPath() -> WarpingPath {
        precondition(keepsSteps && newestRow == band.rowCount - 1, "the steps of all rows are known")
        var pair = WarpingPath.FramePair(
            firstRecordingFrame: newestRow, secondRecordingFrame: band.columnCount - 1)
        var backwards = [pair]
        while pair.firstRecordingFrame > 0 || pair.secondRecordingFrame > 0 {
            let step = stepOfEachCell[
                firstStepIndexByRow[pair.firstRecordingFrame] + pair.secondRecordingFrame
                    - band.columnRangesByRow[pair.firstRecordingFrame].lowerBound]
            if step != Step.secondOnly { pair.firstRecordingFrame -= 1 }
            if step != Step.firstOnly { pair.secondRecordingFrame -= 1 }
            backwards.append(pair)
        }
        return WarpingPath(backwards.reversed())
    }

    private func measureLocalCosts(_ range: Range<Int>) {
        let width = TiledReferenceFrames.framesPerTile
        let tiles = range.lowerBound / width..<(range.upperBound + width - 1) / width
        rowRecordingFrames.featureValues.withUnsafeBufferPointer { values in
            localCosts.withUnsafeMutableBufferPointer { local in
                columnRecordingFrames.similarities(
                    of: values.baseAddress! + newestRow * rowRecordingFrames.dimensions, in: tiles,
                    into: local.baseAddress! + tiles.lowerBound * width)
                for column in range { local[column] = 1 - local[column] / 2 }
            }
        }
    }

    /// Fills the first row, in which a path can only move along the columns. Returns its least cost.
    private func fillFirstRow(_ range: Range<Int>) -> Float {
        var sum = stepWeights.diagonal * localCosts[0]
        currentPathCosts[1] = sum
        for column in range.dropFirst() {
            sum += stepWeights.secondOnly * localCosts[column]
            currentPathCosts[column + 1] = sum
            if keepsSteps { stepOfEachCell[column] = Step.secondOnly }
        }
        return currentPathCosts[1]
    }

    /// Fills a row after the first one, and returns the row's least path cost.
    private func fillNextRow(_ range: Range<Int>) -> Float {
        var least = Float.infinity
        let weights = stepWeights
        let start = keepsSteps ? firstStepIndexByRow[newestRow] - range.lowerBound : 0
        let keepsSteps = keepsSteps
        previousPathCosts.withUnsafeBufferPointer { previous in
            currentPathCosts.withUnsafeMutableBufferPointer { current in
                stepOfEachCell.withUnsafeMutableBufferPointer { steps in
                    var left = Float.infinity
                    for column in range {
                        let cost = localCosts[column]
                        var best = previous[column] + weights.diagonal * cost
                        var step = Step.diagonal
                        let down = previous[column + 1] + weights.firstOnly * cost
                        if down < best {
                            best = down
                            step = Step.firstOnly
                        }
                        let along = left + weights.secondOnly * cost
                        if along < best {
                            best = along
                            step = Step.secondOnly
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
