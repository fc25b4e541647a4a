/// Finds the cheapest way of a recording through a score in which the performers may leap from measure to measure.
///
/// A Viterbi search, one step for each averaged frame (row) of the recording: the way stays in its place of the score
/// (column) or advances by up to four places, or it leaps at a bar line. Before the music, after it, and in pauses the
/// recording may hold something else (silence, applause, talk), at a constant cost. Every row costs the same number of
/// local costs, so ways of different length through the score compare fairly.
struct OfflineLeapSearch {
    /// Costs in units of the local cost, which is 0 for equal frames and 1 for frames with nothing in common.
    struct Costs: Sendable, Hashable {
        /// The cost of advancing by 0, 1, 2, 3 and 4 places in one row.
        var advance: [Float] = [0.25, 0, 0.03, 0.25, 0.4]
        /// The cost of a row in which the recording holds something else than the music.
        var otherSound: Float = 0.7
        /// The cost of leaving out a repeat, in seconds of rows that cost 1.
        var leapOverRepeatSeconds: Float = 0.2
        /// The cost of a leap from any bar line to any other, in seconds of rows that cost 1.
        var cutSeconds: Float = 1.8
        /// The cost of a pause that holds something else than the music, in the same unit; so is its end.
        var pauseSeconds: Float = 1
        /// The cost of beginning or ending at any bar line, in the same unit; nil for that of a cut, or of a repeat
        /// that is left out if the music may begin or end there.
        var edgeSeconds: Float?
    }

    /// The part of the recording, or of the music, that a row belongs to.
    enum RowPlace: Sendable, Hashable {
        case beforeMusic
        case afterMusic
        case pause
        /// A place of the score; `isLeap` if the way did not reach it from the places just before.
        case music(column: Int, isLeap: Bool)
    }

    struct Way: Sendable {
        var places: [RowPlace]
        /// The mean local cost of the rows that hold music; 1 if none does.
        var meanMusicCost: Float
        /// The median of the same costs, on which a minute of applause taken for music has little influence.
        var medianMusicCost: Float
        var musicRowCount: Int
        /// The cost of the whole way.
        var cost: Float

        /// The mean number of places by which the way advances in a row, apart from leaps.
        var meanAdvance: Double {
            var places = 0
            var count = 0
            for (before, after) in zip(self.places, self.places.dropFirst()) {
                guard case .music(let from, _) = before, case .music(let to, false) = after else { continue }
                places += to - from
                count += 1
            }
            return count > 0 ? Double(places) / Double(count) : 1
        }
    }

    private typealias Step = OfflineLeapSweep.Step

    let rows: ReferenceFeatureFrames
    let columns: TiledReferenceFrames
    let rowsPerSecond: Float
    /// The column in which each played measure begins, and the column in which it ends.
    let startColumns: [Int]
    let endColumns: [Int]
    /// For each measure the measures from which performers leap to it when they leave out a repeat.
    let leapSources: [Int: [Int]]
    let mayEndAfter: [Bool]
    /// False if the way must go through all measures in order.
    let mayLeap: Bool
    var costs = Costs()

    /// Searches the whole recording.
    /// - Parameter progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Returns: nil if `progress` returned false.
    /// - Complexity: O(rows × columns × dimensions); one byte of memory for each row and column.
    func cheapestWay(progress: ((Double) -> Bool)? = nil) -> Way? {
        var sweep = OfflineLeapSweep(self)
        for row in 0..<rows.frameCount {
            if let progress, row % 256 == 0, !progress(Double(row) / Double(rows.frameCount)) { return nil }
            sweep.advance(to: row)
        }
        return trace(sweep)
    }

    /// Follows the steps back from the last row.
    private func trace(_ sweep: OfflineLeapSweep) -> Way {
        let (lastMeasure, cost) = sweep.cheapestEnd
        var places = [RowPlace](repeating: .beforeMusic, count: rows.frameCount)
        var state: RowPlace =
            lastMeasure.map { .music(column: endColumns[$0], isLeap: false) } ?? .afterMusic
        var musicCosts: [Float] = []
        for row in stride(from: rows.frameCount - 1, through: 0, by: -1) {
            places[row] = state
            switch state {
            case .beforeMusic: break
            case .afterMusic:
                if sweep.endSources[row] >= 0 {
                    state = .music(column: endColumns[Int(sweep.endSources[row])], isLeap: false)
                }
            case .pause:
                if sweep.pauseSources[row] >= 0 {
                    state = .music(column: endColumns[Int(sweep.pauseSources[row])], isLeap: false)
                }
            case .music(let column, _):
                musicCosts.append(localCost(row, column))
                let step = sweep.steps[row * columns.frameCount + column]
                places[row] = .music(column: column, isLeap: step >= Step.start)
                switch step {
                case Step.start: state = .beforeMusic
                case Step.cut: state = .music(column: endColumns[Int(sweep.cutSources[row])], isLeap: false)
                case Step.afterPause: state = .pause
                case Step.overRepeat:
                    let source = sweep.leapSource(row, column)
                    state = .music(column: endColumns[source], isLeap: false)
                default: state = .music(column: column - Int(step), isLeap: false)
                }
            }
        }
        let sorted = musicCosts.sorted()
        return Way(
            places: places,
            meanMusicCost: sorted.isEmpty ? 1 : sorted.reduce(0, +) / Float(sorted.count),
            medianMusicCost: sorted.isEmpty ? 1 : sorted[sorted.count / 2],
            musicRowCount: sorted.count, cost: cost)
    }

    private func localCost(_ row: Int, _ column: Int) -> Float {
        var tile = [Float](repeating: 0, count: TiledReferenceFrames.framesPerTile)
        let index = column / TiledReferenceFrames.framesPerTile
        rows.featureValues.withUnsafeBufferPointer { values in
            tile.withUnsafeMutableBufferPointer {
                columns.similarities(
                    of: values.baseAddress! + row * rows.dimensions, in: index..<index + 1,
                    into: $0.baseAddress!)
            }
        }
        return 1 - tile[column % TiledReferenceFrames.framesPerTile] / 2
    }
}
