import RealModule

/// Measures how certain an alignment is at each moment, by path costs from both ends of the music.
///
/// The cheapest path is the same whether it is searched forwards or backwards, so a second path proves nothing. But the
/// costs of the two searches, added, give the cost of the cheapest path *through* any cell. Where paths through other
/// cells are nearly as cheap, as in held notes and repeated figures, the alignment is uncertain.
public struct RecordingAlignmentCertainty: Sendable {
    /// The certainty of the alignment at one frame of the first recording.
    public struct FrameCertainty: Sendable, Hashable {
        /// The root mean square distance between the path and competing paths, in frames of the second recording. The
        /// weight of a competing path is exp(cost of the cheapest path - its own cost).
        public var spreadFrames: Double
        /// The mean local cost within a quarter of a second, as a multiple of the typical local cost: about 1 where the
        /// recordings sound alike, more where they differ.
        public var unlikeness: Double
    }

    /// The number of rows on either side of a row over which local costs are averaged.
    static let costAveragingFrames = 12
    /// The lower limit of the typical local cost. Without this limit, two copies of one recording would seem to differ
    /// at every cough.
    static let leastTypicalCost: Float = 0.1

    private let band: OfflineAlignmentBand
    private let path: WarpingPath
    private let firstFrames: ReferenceFeatureFrames
    private let secondFrames: ReferenceFeatureFrames

    /// Prepares to measure the certainty of an alignment of two recordings.
    /// - Parameter path: from both recordings' first frames to their last ones.
    public init(of path: WarpingPath, from first: ReferenceFeatureFrames, to second: ReferenceFeatureFrames) {
        precondition(
            path.framePairs[0] == .init(firstRecordingFrame: 0, secondRecordingFrame: 0)
                && path.framePairs[path.framePairs.count - 1]
                    == .init(
                        firstRecordingFrame: first.frameCount - 1, secondRecordingFrame: second.frameCount - 1
                    ),
            "the path runs through \(first.frameCount) and \(second.frameCount) frames")
        self.path = path
        self.firstFrames = first
        self.secondFrames = second
        band = OfflineAlignmentBand(
            around: path, pool: 1, reach: OfflineRecordingAlignment.bandReachFrames,
            rowCount: first.frameCount,
            columnCount: second.frameCount)
    }

    /// Computes the certainty at some frames.
    /// - Parameter frames: frames of the first recording, in any order; those outside it count as its first or last
    ///   frame.
    /// - Returns: a finding for each frame.
    /// - Complexity: that of two alignments within the band; memory for one row of the band per frame.
    public func certaintyOfFrames(atFirst frames: [Double]) -> [FrameCertainty] {
        let rows = frames.map { min(max(Int($0.rounded()), 0), firstFrames.frameCount - 1) }
        var localCosts: [Float] = []
        let forwards = computePathCosts(firstFrames, secondFrames, band, rows: Set(rows)) { sweep in
            let onPath = Int(path.secondFrame(forFirst: Double(sweep.newestRow)).rounded())
            localCosts.append(sweep.localCost(column: min(max(onPath, 0), secondFrames.frameCount - 1)))
        }
        let last = firstFrames.frameCount - 1
        let backwards = computePathCosts(
            firstFrames.reversed, secondFrames.reversed, band.reversed, rows: Set(rows.map { last - $0 }))
        let typical = max(localCosts.sorted()[localCosts.count / 2], Self.leastTypicalCost)
        return zip(frames, rows).map { frame, row in
            let rivals = zip(forwards[row]!, backwards[last - row]!.reversed()).map { $0 + $1 }
            let nearby = localCosts[
                max(row - Self.costAveragingFrames, 0)...min(row + Self.costAveragingFrames, last)]
            return FrameCertainty(
                spreadFrames: spreadInFrames(of: rivals, from: path.secondFrame(forFirst: frame), row: row),
                unlikeness: Double(nearby.reduce(0, +) / Float(nearby.count) / typical))
        }
    }

    /// Returns the path costs of the given rows, over the band's range in each row.
    private func computePathCosts(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames, _ band: OfflineAlignmentBand,
        rows: Set<Int>,
        eachRow: (OfflineAlignmentSweep) -> Void = { _ in }
    ) -> [Int: [Float]] {
        let columns = TiledReferenceFrames(frames: second.featureValues, dimensions: second.dimensions)
        let sweep = OfflineAlignmentSweep(rows: first, columns: columns, band: band, keepsSteps: false)
        var kept: [Int: [Float]] = [:]
        while sweep.computeNextRow() {
            eachRow(sweep)
            guard rows.contains(sweep.newestRow) else { continue }
            // Both directions count the cell itself, so each subtracts half of it, at the mean weight of a step.
            kept[sweep.newestRow] = band.columnRangesByRow[sweep.newestRow].map {
                sweep.pathCost(column: $0) - 0.75 * sweep.localCost(column: $0)
            }
        }
        return kept
    }

    private func spreadInFrames(of rivals: [Float], from column: Double, row: Int) -> Double {
        let cheapest = rivals.min() ?? 0
        var weights = 0.0
        var squares = 0.0
        for (offset, cost) in rivals.enumerated() {
            let weight = Double(Float.exp(cheapest - cost))
            let distance = Double(band.columnRangesByRow[row].lowerBound + offset) - column
            weights += weight
            squares += weight * distance * distance
        }
        return (squares / weights).squareRoot()
    }
}
