import Testing

@testable import Alignment

@Suite struct FilterStepTests {
    private static let columns = 64
    private static let leave: Float = 0.02

    /// Rows of a filter without a window around it.
    private final class Rows {
        let step: ForwardFilterStep
        let grid: TempoGrid
        private(set) var rows: UnsafeMutablePointer<Float>
        private var nextRows: UnsafeMutablePointer<Float>

        init(_ parameters: ForwardFilterParameters, leave: Float = leave, columns: Int) {
            grid = TempoGrid(
                slowest: parameters.slowestTempoRatio, fastest: parameters.fastestTempoRatio,
                count: parameters.tempoCount, spread: parameters.initialTempoSpread)
            step = ForwardFilterStep(
                tempoChangeProbability: parameters.tempoChangeProbability, leavePathProbability: leave,
                rowLength: columns + 2 * rowMarginZeroCount, tempoCount: parameters.tempoCount)
            rows = zeroedFloats(step.rowLength * parameters.tempoCount)
            nextRows = zeroedFloats(step.rowLength * parameters.tempoCount)
        }

        deinit {
            rows.deallocate()
            nextRows.deallocate()
        }

        subscript(tempo: Int, column: Int) -> Float {
            get { rows[tempo * step.rowLength + rowMarginZeroCount + column] }
            set { rows[tempo * step.rowLength + rowMarginZeroCount + column] = newValue }
        }

        /// - Returns: sums over the tempi, before weighing and after, by column.
        func advance(arriving: [Float], weight: [Float]) -> (moved: [Float], weighed: [Float]) {
            var moved: [Float] = []
            var weighed: [Float] = []
            grid.tempoRatios.withUnsafeBufferPointer { ratios in
                grid.priorProbabilities.withUnsafeBufferPointer { prior in
                    for column in stride(from: 0, to: weight.count, by: 8) {
                        let sums = step.computeEightColumns(
                            from: rows, to: nextRows, ratios: ratios.baseAddress!, prior: prior.baseAddress!,
                            column: column, arriving: SIMD8(arriving[column..<column + 8]),
                            weight: SIMD8(weight[column..<column + 8]))
                        moved += (0..<8).map { sums.moved[$0] }
                        weighed += (0..<8).map { sums.weighed[$0] }
                    }
                }
            }
            swap(&rows, &nextRows)
            return (moved, weighed)
        }
    }

    private static var parameters: ForwardFilterParameters {
        var parameters = ForwardFilterParameters()
        parameters.tempoCount = 9
        parameters.tempoChangeProbability = 0.04
        return parameters
    }

    private let still = [Float](repeating: 0, count: columns)
    private let even = [Float](repeating: 1, count: columns)

    @Test(arguments: [UInt64(1), 2, 3])
    func aSlowImplementationMovesAsMuch(seed: UInt64) {
        var dice = Dice(seed: seed)
        let rows = Rows(Self.parameters, columns: Self.columns)
        var slow = SlowForward(
            grid: rows.grid, frameCount: Self.columns, drift: Self.parameters.tempoChangeProbability,
            rests: [SlowForward.Rest(chance: Self.leave, goingOn: 0)])
        for tempo in 0..<9 {
            for column in 0..<Self.columns {
                let mass = dice.next() / Double(9 * Self.columns)
                rows[tempo, column] = Float(mass)
                slow.moving[tempo][column] = mass
            }
        }
        let weight = dice.values(Self.columns)
        let sums = rows.advance(arriving: still, weight: weight)
        slow.advance(
            weight: weight.map(Double.init), restingWeights: [[Double](repeating: 1, count: Self.columns)])
        for column in 0..<Self.columns {
            // One step in single precision of values below 1e-2.
            let wanted = slow.moving.reduce(0) { $0 + $1[column] } * slow.likelihood
            #expect(abs(Double(sums.weighed[column]) - wanted) < 1e-8)
            for tempo in 0..<9 {
                let wanted = slow.moving[tempo][column] * slow.likelihood
                #expect(abs(Double(rows[tempo, column]) - wanted) < 1e-8)
            }
        }
    }

    @Test func withoutEvidenceOnlyWhatStandsStillIsLost() {
        let rows = Rows(Self.parameters, columns: Self.columns)
        for tempo in 0..<9 { rows[tempo, 2] = 1.0 / 9 }
        // The fastest moves by three columns at most: after 20 steps none has reached the end.
        var kept: Float = 1
        for _ in 0..<20 {
            let sums = rows.advance(arriving: still, weight: even)
            #expect(abs(sums.moved.reduce(0, +) - kept) < 1e-5)
            kept *= 1 - Self.leave
            #expect(abs(sums.weighed.reduce(0, +) - kept) < 1e-5)
        }
    }

    @Test func aTempoMovesByItsRatioOnAverage() {
        var parameters = Self.parameters
        parameters.tempoChangeProbability = 0
        for tempo in 0..<9 {
            let rows = Rows(parameters, leave: 0, columns: Self.columns)
            rows[tempo, 4] = 1
            for _ in 0..<10 { _ = rows.advance(arriving: still, weight: even) }
            let mean = (0..<Self.columns).reduce(Float(0)) { $0 + Float($1) * rows[tempo, $1] }
            #expect(abs(mean - 4 - 10 * rows.grid.tempoRatios[tempo]) < 1e-4)
        }
    }

    @Test func whatArrivesIsSpreadOverTheTempiByThePrior() {
        let rows = Rows(Self.parameters, columns: Self.columns)
        var arriving = still
        arriving[20] = 0.5
        _ = rows.advance(arriving: arriving, weight: even)
        for tempo in 0..<9 {
            #expect(abs(rows[tempo, 20] - 0.5 * rows.grid.priorProbabilities[tempo]) < 1e-7)
        }
        #expect((0..<9).allSatisfy { rows[$0, 19] == 0 && rows[$0, 21] == 0 })
    }

    @Test func nothingEntersFromBeforeTheFirstColumn() {
        let rows = Rows(Self.parameters, columns: Self.columns)
        for tempo in 0..<9 { rows[tempo, 0] = 1 }
        for _ in 0..<30 { _ = rows.advance(arriving: still, weight: even) }
        // All have moved on, even the slowest in most of its mass; nothing follows from the margin.
        let early = (0..<9).reduce(Float(0)) { $0 + rows[$1, 0] }
        #expect(early >= 0 && early < 1e-3)
    }
}
