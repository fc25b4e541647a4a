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

    private enum Step {
        static let start: UInt8 = 5
        static let cut: UInt8 = 6
        static let overRepeat: UInt8 = 7
        static let afterPause: UInt8 = 8
    }

    private static let infinity: Float = 1e30
    private static let widestAdvance = 4
    /// The cost that a silent row saves with a silent column, compared with any other column.
    private static let costOfSilenceSaved: Float = 0.7

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
        let rowCount = rows.frameCount
        let columnCount = columns.frameCount
        let measures = startColumns.count
        let entries = leapEntries()
        let cut = costs.cutSeconds * rowsPerSecond
        let overRepeat = costs.leapOverRepeatSeconds * rowsPerSecond
        let pauseCost = costs.pauseSeconds * rowsPerSecond
        let pad = Self.widestAdvance
        var steps = [UInt8](repeating: 0, count: rowCount * columnCount)
        var cutSources = [Int32](repeating: -1, count: rowCount)
        var leapSourcesByRow = [Int32](repeating: -1, count: rowCount * max(entries.count, 1))
        var pauseSources = [Int32](repeating: -1, count: rowCount)
        var endSources = [Int32](repeating: -1, count: rowCount)
        let quietColumns = quietOfColumns()
        var local = [Float](
            repeating: 0, count: columns.tileCount * TiledReferenceFrames.framesPerTile)
        var previous = [Float](repeating: Self.infinity, count: columnCount + pad)
        var current = previous
        var before: Float = 0
        let edge = costs.edgeSeconds.map { $0 * rowsPerSecond }
        var pause = Self.infinity
        var after = Self.infinity

        for row in 0..<rowCount {
            if let progress, row % 256 == 0, !progress(Double(row) / Double(rowCount)) { return nil }
            computeLocalCosts(row, quietColumns: quietColumns, into: &local)
            advance(
                previous: previous, into: &current, steps: &steps, at: row * columnCount, count: columnCount)
            var bestExit = 0
            var exitCost = Self.infinity
            var endCost = Self.infinity
            var endExit = 0
            for measure in 0..<measures {
                let cost = previous[endColumns[measure] + pad]
                if cost < exitCost { (exitCost, bestExit) = (cost, measure) }
                let ending = cost + endingCost(measure, cut: cut, overRepeat: overRepeat)
                if ending < endCost { (endCost, endExit) = (ending, measure) }
            }
            func enter(at column: Int, _ cost: Float, _ step: UInt8) -> Bool {
                guard cost < current[column + pad] else { return false }
                current[column + pad] = cost
                steps[row * columnCount + column] = step
                return true
            }
            if mayLeap {
                cutSources[row] = Int32(bestExit)
                for measure in 0..<measures {
                    _ = enter(at: startColumns[measure], exitCost + cut, Step.cut)
                    _ = enter(at: startColumns[measure], pause + pauseCost, Step.afterPause)
                    let startCost = edge ?? (leapSources[measure] == nil ? cut : cut / 2)
                    _ = enter(at: startColumns[measure], before + (measure == 0 ? 0 : startCost), Step.start)
                }
                for (slot, entry) in entries.enumerated() {
                    for source in entry.sources {
                        let cost = previous[endColumns[source] + pad] + overRepeat
                        if enter(at: entry.column, cost, Step.overRepeat) {
                            leapSourcesByRow[row * entries.count + slot] = Int32(source)
                        }
                    }
                }
            } else {
                _ = enter(at: startColumns[0], before, Step.start)
            }
            // Something else than the music: before it, in a pause, and after it.
            let pauseEntry = exitCost + pauseCost
            if mayLeap, pauseEntry < pause {
                pause = pauseEntry
                pauseSources[row] = Int32(bestExit)
            }
            if endCost < after {
                after = endCost
                endSources[row] = Int32(endExit)
            }
            before += costs.otherSound
            pause += costs.otherSound
            after += costs.otherSound
            for column in 0..<columnCount { current[column + pad] += local[column] }
            swap(&previous, &current)
        }
        var lastMeasure = -1
        var least = after
        for measure in 0..<measures {
            let cost =
                previous[endColumns[measure] + pad] + endingCost(measure, cut: cut, overRepeat: overRepeat)
            if cost < least { (least, lastMeasure) = (cost, measure) }
        }
        return trace(
            from: lastMeasure, cost: least, steps: steps, cutSources: cutSources, entries: entries,
            leapSourcesByRow: leapSourcesByRow, pauseSources: pauseSources, endSources: endSources)
    }

    /// The columns at which leaps over repeats arrive, each with the measures from which they come. Short measures may
    /// begin in the same column.
    private func leapEntries() -> [(column: Int, sources: [Int])] {
        var sources: [Int: [Int]] = [:]
        for (measure, from) in leapSources { sources[startColumns[measure], default: []] += from }
        return sources.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
    }

    private func endingCost(_ measure: Int, cut: Float, overRepeat: Float) -> Float {
        if measure == startColumns.count - 1 { return 0 }
        guard mayLeap else { return Self.infinity }
        if let edge = costs.edgeSeconds { return edge * rowsPerSecond }
        return mayEndAfter[measure] ? overRepeat : cut
    }

    /// The quietness of a frame: 1 in silence, 0 if its two parts have at least half of their full energy.
    private static func quiet(_ energy: Float) -> Float { max(1 - energy, 0) }

    private func quietOfColumns() -> [Float] {
        var frame = [Float](repeating: 0, count: columns.dimensions)
        return (0..<columns.frameCount).map { column in
            frame.withUnsafeMutableBufferPointer { columns.copyFrame(column, into: $0.baseAddress!) }
            return Self.quiet(frame.reduce(0) { $0 + $1 * $1 })
        }
    }

    /// Computes the costs of a row with each column. Silence resembles nothing in the frames; here a silent row is also
    /// like a silent column, so that a general pause belongs to the music.
    private func computeLocalCosts(_ row: Int, quietColumns: [Float], into local: inout [Float]) {
        let values = rows.featureValues[row * rows.dimensions..<(row + 1) * rows.dimensions]
        let quiet = Self.costOfSilenceSaved * Self.quiet(values.reduce(0) { $0 + $1 * $1 })
        rows.featureValues.withUnsafeBufferPointer { values in
            local.withUnsafeMutableBufferPointer { local in
                columns.similarities(
                    of: values.baseAddress! + row * rows.dimensions, in: 0..<columns.tileCount,
                    into: local.baseAddress!)
                for column in 0..<columns.frameCount { local[column] = 1 - local[column] / 2 }
                guard quiet > 0 else { return }
                for column in 0..<columns.frameCount { local[column] -= quiet * quietColumns[column] }
            }
        }
    }

    private func advance(
        previous: [Float], into current: inout [Float], steps: inout [UInt8], at base: Int, count: Int
    ) {
        let (stay, one, two) = (costs.advance[0], costs.advance[1], costs.advance[2])
        let (three, four) = (costs.advance[3], costs.advance[4])
        previous.withUnsafeBufferPointer { previous in
            current.withUnsafeMutableBufferPointer { current in
                steps.withUnsafeMutableBufferPointer { steps in
                    for column in 0..<count {
                        var best = previous[column + 4] + stay
                        var step: UInt8 = 0
                        let byOne = previous[column + 3] + one
                        if byOne < best { (best, step) = (byOne, 1) }
                        let byTwo = previous[column + 2] + two
                        if byTwo < best { (best, step) = (byTwo, 2) }
                        let byThree = previous[column + 1] + three
                        if byThree < best { (best, step) = (byThree, 3) }
                        let byFour = previous[column] + four
                        if byFour < best { (best, step) = (byFour, 4) }
                        current[column + 4] = best
                        steps[base + column] = step
                    }
                }
            }
        }
    }

    /// Follows the steps back from the last row.
    /// - Parameter lastMeasure: the measure with whose end the recording ends, or -1 if something else follows.
    private func trace(
        from lastMeasure: Int, cost: Float, steps: [UInt8], cutSources: [Int32],
        entries: [(column: Int, sources: [Int])], leapSourcesByRow: [Int32], pauseSources: [Int32],
        endSources: [Int32]
    ) -> Way {
        var places = [RowPlace](repeating: .beforeMusic, count: rows.frameCount)
        var state: RowPlace =
            lastMeasure < 0 ? .afterMusic : .music(column: endColumns[lastMeasure], isLeap: false)
        var musicCosts: [Float] = []
        for row in stride(from: rows.frameCount - 1, through: 0, by: -1) {
            places[row] = state
            switch state {
            case .beforeMusic: break
            case .afterMusic:
                if endSources[row] >= 0 {
                    state = .music(column: endColumns[Int(endSources[row])], isLeap: false)
                }
            case .pause:
                if pauseSources[row] >= 0 {
                    state = .music(column: endColumns[Int(pauseSources[row])], isLeap: false)
                }
            case .music(let column, _):
                musicCosts.append(localCost(row, column))
                let step = steps[row * columns.frameCount + column]
                places[row] = .music(column: column, isLeap: step >= Step.start)
                switch step {
                case Step.start: state = .beforeMusic
                case Step.cut: state = .music(column: endColumns[Int(cutSources[row])], isLeap: false)
                case Step.afterPause: state = .pause
                case Step.overRepeat:
                    let slot = entries.firstIndex { $0.column == column }!
                    let source = leapSourcesByRow[row * entries.count + slot]
                    state = .music(column: endColumns[Int(source)], isLeap: false)
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
