/// The measures of a score that a recording plays, roughly placed in time.
struct OfflineScoreRoute: Sendable {
    /// Measures that follow each other in the unfolded score and in the recording.
    struct Passage: Sendable, Hashable {
        var measures: Range<Int>
        /// The rough onset of each measure, in seconds of the recording.
        var onsets: [Double]
        /// The rough end of the last measure, in seconds of the recording.
        var end: Double
    }

    var passages: [Passage] = []

    /// Reads the passages from a way through the score.
    /// - Parameter secondsPerRow: the length of the way's rows.
    init(_ way: OfflineLeapSearch.Way, startColumns: [Int], secondsPerRow: Double) {
        var columns: [Int] = []
        var firstRow = 0
        func finish(_ row: Int) {
            guard let first = columns.first, let last = columns.last else { return }
            let measures = Self.measure(at: first, startColumns)..<Self.measure(at: last, startColumns) + 1
            let onsets = measures.map { measure -> Double in
                let reached = columns.firstIndex { $0 >= startColumns[measure] } ?? columns.count - 1
                return Double(firstRow + reached) * secondsPerRow
            }
            passages.append(
                Passage(measures: measures, onsets: onsets, end: Double(row) * secondsPerRow))
            columns = []
        }
        for (row, place) in way.places.enumerated() {
            guard case .music(let column, let isLeap) = place else {
                finish(row)
                continue
            }
            if isLeap { finish(row) }
            if columns.isEmpty { firstRow = row }
            columns.append(column)
        }
        finish(way.places.count)
        joinNeighbours()
    }

    /// The measure that sounds in a column: the last one that begins there or before.
    private static func measure(at column: Int, _ startColumns: [Int]) -> Int {
        var low = 0
        var high = startColumns.count
        while low < high {
            let middle = (low + high) / 2
            if startColumns[middle] <= column { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }

    /// Joins passages that follow each other in the score too: the recording only paused between them.
    private mutating func joinNeighbours() {
        var joined: [Passage] = []
        for passage in passages {
            if let last = joined.last, last.measures.upperBound == passage.measures.lowerBound {
                joined[joined.count - 1].measures = last.measures.lowerBound..<passage.measures.upperBound
                joined[joined.count - 1].onsets += passage.onsets
                joined[joined.count - 1].end = passage.end
            } else {
                joined.append(passage)
            }
        }
        passages = joined
    }
}
