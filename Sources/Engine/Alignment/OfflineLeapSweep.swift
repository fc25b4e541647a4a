/// The forward pass of ``OfflineLeapSearch``: the least cost of a way to each column, row after row, with the step by
/// which it came there.
struct OfflineLeapSweep {
    /// The steps that are no advance by 0 to 4 columns.
    enum Step {
        static let start: UInt8 = 5
        static let cut: UInt8 = 6
        static let overRepeat: UInt8 = 7
        static let afterPause: UInt8 = 8
    }

    private typealias Exit = (measure: Int, cost: Float)

    private static let infinity: Float = 1e30
    private static let widestAdvance = 4
    /// The cost that a silent row saves with a silent column, compared with any other column.
    private static let costOfSilenceSaved: Float = 0.7

    private let search: OfflineLeapSearch
    private let columnCount: Int
    /// The columns at which leaps over repeats arrive, each with the measures from which they come.
    private let entries: [(column: Int, sources: [Int])]
    private let quietColumns: [Float]
    private let cutCost: Float
    private let overRepeatCost: Float
    private let pauseCost: Float
    private let edgeCost: Float?

    /// The step to each column, row after row.
    private(set) var steps: [UInt8]
    /// For each row the measure from whose end a cut, a pause or the end of the music comes; -1 if none does.
    private(set) var cutSources: [Int32]
    private(set) var pauseSources: [Int32]
    private(set) var endSources: [Int32]
    /// For each row and entry the measure from which a leap over a repeat comes.
    private var leapSources: [Int32]

    /// The cost of the present row with each column.
    private var local: [Float]
    /// The costs of the ways to each column, after ``widestAdvance`` places that no way reaches.
    private var previous: [Float]
    private var current: [Float]
    /// The costs of the ways on which the music has not begun, pauses, or has ended.
    private var before: Float = 0
    private var pause = Self.infinity
    private var after = Self.infinity

    init(_ search: OfflineLeapSearch) {
        let (rowCount, columns) = (search.rows.frameCount, search.columns)
        self.search = search
        columnCount = columns.frameCount
        entries = Self.leapEntries(of: search)
        quietColumns = Self.quietOfColumns(columns)
        cutCost = search.costs.cutSeconds * search.rowsPerSecond
        overRepeatCost = search.costs.leapOverRepeatSeconds * search.rowsPerSecond
        pauseCost = search.costs.pauseSeconds * search.rowsPerSecond
        edgeCost = search.costs.edgeSeconds.map { $0 * search.rowsPerSecond }
        steps = [UInt8](repeating: 0, count: rowCount * columnCount)
        cutSources = [Int32](repeating: -1, count: rowCount)
        pauseSources = cutSources
        endSources = cutSources
        leapSources = [Int32](repeating: -1, count: rowCount * max(entries.count, 1))
        local = [Float](repeating: 0, count: columns.tileCount * TiledReferenceFrames.framesPerTile)
        previous = [Float](repeating: Self.infinity, count: columnCount + Self.widestAdvance)
        current = previous
    }

    /// Adds a row; call it for each row in order.
    mutating func advance(to row: Int) {
        computeLocalCosts(row)
        advanceByColumns(row)
        let (exit, ending) = cheapestExits()
        if search.mayLeap {
            enterByLeaps(row, from: exit)
        } else {
            _ = enter(search.startColumns[0], before, Step.start, row)
        }
        leaveMusic(row, exit: exit, ending: ending)
        spendRow()
    }

    /// The end of the cheapest way after the last row: the measure with whose end the recording ends, or nil if
    /// something else follows.
    var cheapestEnd: (measure: Int?, cost: Float) {
        var best: (measure: Int?, cost: Float) = (nil, after)
        for measure in search.startColumns.indices {
            let cost = exitCost(measure) + endingCost(measure)
            if cost < best.cost { best = (measure, cost) }
        }
        return best
    }

    /// The measure from which the leap over a repeat to a column comes.
    func leapSource(_ row: Int, _ column: Int) -> Int {
        let slot = entries.firstIndex { $0.column == column }!
        return Int(leapSources[row * entries.count + slot])
    }

    /// The measures at whose ends a way leaves its place most cheaply, and ends most cheaply.
    private func cheapestExits() -> (exit: Exit, ending: Exit) {
        var exit: Exit = (0, Self.infinity)
        var ending: Exit = (0, Self.infinity)
        for measure in search.startColumns.indices {
            let cost = exitCost(measure)
            if cost < exit.cost { exit = (measure, cost) }
            let endCost = cost + endingCost(measure)
            if endCost < ending.cost { ending = (measure, endCost) }
        }
        return (exit, ending)
    }

    private func exitCost(_ measure: Int) -> Float {
        previous[search.endColumns[measure] + Self.widestAdvance]
    }

    private func endingCost(_ measure: Int) -> Float {
        if measure == search.startColumns.count - 1 { return 0 }
        guard search.mayLeap else { return Self.infinity }
        if let edgeCost { return edgeCost }
        return search.mayEndAfter[measure] ? overRepeatCost : cutCost
    }

    /// Enters measures by cuts, after pauses, at the beginning of the music, and by leaps over repeats.
    private mutating func enterByLeaps(_ row: Int, from exit: Exit) {
        cutSources[row] = Int32(exit.measure)
        for measure in search.startColumns.indices {
            let column = search.startColumns[measure]
            _ = enter(column, exit.cost + cutCost, Step.cut, row)
            _ = enter(column, pause + pauseCost, Step.afterPause, row)
            let startCost = edgeCost ?? (search.leapSources[measure] == nil ? cutCost : cutCost / 2)
            _ = enter(column, before + (measure == 0 ? 0 : startCost), Step.start, row)
        }
        for (slot, entry) in entries.enumerated() {
            for source in entry.sources
            where enter(entry.column, exitCost(source) + overRepeatCost, Step.overRepeat, row) {
                leapSources[row * entries.count + slot] = Int32(source)
            }
        }
    }

    /// Enters a column if that is cheaper than the way that is there.
    private mutating func enter(_ column: Int, _ cost: Float, _ step: UInt8, _ row: Int) -> Bool {
        guard cost < current[column + Self.widestAdvance] else { return false }
        current[column + Self.widestAdvance] = cost
        steps[row * columnCount + column] = step
        return true
    }

    /// Leaves the music for a pause, or for what follows it.
    private mutating func leaveMusic(_ row: Int, exit: Exit, ending: Exit) {
        if search.mayLeap, exit.cost + pauseCost < pause {
            pause = exit.cost + pauseCost
            pauseSources[row] = Int32(exit.measure)
        }
        if ending.cost < after {
            after = ending.cost
            endSources[row] = Int32(ending.measure)
        }
    }

    /// Adds the costs of the row itself to all ways.
    private mutating func spendRow() {
        before += search.costs.otherSound
        pause += search.costs.otherSound
        after += search.costs.otherSound
        for column in 0..<columnCount { current[column + Self.widestAdvance] += local[column] }
        swap(&previous, &current)
    }

    /// Short measures may begin in the same column.
    private static func leapEntries(of search: OfflineLeapSearch) -> [(column: Int, sources: [Int])] {
        var sources: [Int: [Int]] = [:]
        for (measure, from) in search.leapSources {
            sources[search.startColumns[measure], default: []] += from
        }
        return sources.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
    }

    /// The quietness of a frame: 1 in silence, 0 if its two parts have at least half of their full energy.
    private static func quiet(_ energy: Float) -> Float { max(1 - energy, 0) }

    private static func quietOfColumns(_ columns: TiledReferenceFrames) -> [Float] {
        var frame = [Float](repeating: 0, count: columns.dimensions)
        return (0..<columns.frameCount).map { column in
            frame.withUnsafeMutableBufferPointer { columns.copyFrame(column, into: $0.baseAddress!) }
            return quiet(frame.reduce(0) { $0 + $1 * $1 })
        }
    }

    /// Computes the costs of a row with each column. Silence resembles nothing in the frames; here a silent row is also
    /// like a silent column, so that a general pause belongs to the music.
    private mutating func computeLocalCosts(_ row: Int) {
        let (rows, columns, quietColumns) = (search.rows, search.columns, quietColumns)
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

    /// Advances each way by 0 to 4 columns.
    private mutating func advanceByColumns(_ row: Int) {
        let (advance, base, count) = (search.costs.advance, row * columnCount, columnCount)
        let (stay, one, two, three, four) = (advance[0], advance[1], advance[2], advance[3], advance[4])
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
}
