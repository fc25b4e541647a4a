/// The cells that an alignment examines: for each row (frame of the first recording) a range of columns (frames of
/// the second).
///
/// Neither end of the range goes back from one row to the next. The first row begins at column 0, and the last row
/// ends after the last column.
struct OfflineAlignmentBand: Sendable, Equatable {
    let columnCount: Int
    private(set) var columnRangesByRow: [Range<Int>]

    var rowCount: Int { columnRangesByRow.count }

    /// Creates a band of all cells.
    init(rowCount: Int, columnCount: Int) {
        self.columnCount = columnCount
        columnRangesByRow = [Range<Int>](repeating: 0..<columnCount, count: rowCount)
    }

    /// Creates a band of the cells within `reach` rows and columns of a coarser path.
    /// - Parameters:
    ///   - path: a coarse path from its first frames to its last ones, in steps of one frame.
    ///   - pool: the number of rows and columns for each frame of the path.
    /// - Complexity: O(pairs × (pool + reach)).
    init(around path: WarpingPath, pool: Int, reach: Int, rowCount: Int, columnCount: Int) {
        self.columnCount = columnCount
        precondition(
            zip(path.framePairs, path.framePairs.dropFirst()).allSatisfy {
                $1.firstRecordingFrame - $0.firstRecordingFrame <= 1
                    && $1.secondRecordingFrame - $0.secondRecordingFrame <= 1
            }, "a band lies around a path without gaps")
        var lower = [Int](repeating: columnCount, count: rowCount)
        var upper = [Int](repeating: 0, count: rowCount)
        for pair in path.framePairs {
            let from = max(pair.firstRecordingFrame * pool - reach, 0)
            let to = min((pair.firstRecordingFrame + 1) * pool + reach, rowCount)
            let low = max(pair.secondRecordingFrame * pool - reach, 0)
            let high = min((pair.secondRecordingFrame + 1) * pool + reach, columnCount)
            for row in from..<max(to, from) {
                lower[row] = min(lower[row], low)
                upper[row] = max(upper[row], high)
            }
        }
        columnRangesByRow = zip(lower, upper).map { $0..<$1 }
    }

    /// The same band for the two recordings played backwards.
    var reversed: OfflineAlignmentBand {
        var band = self
        band.columnRangesByRow = columnRangesByRow.reversed().map {
            columnCount - $0.upperBound..<columnCount - $0.lowerBound
        }
        return band
    }
}
