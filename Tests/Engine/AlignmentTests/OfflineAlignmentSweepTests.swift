import Testing

@testable import Alignment

@Suite struct OfflineAlignmentSweepTests {
    private typealias Weights = OfflineAlignmentSweep.StepWeights

    private func sweep(
        _ rows: ReferenceFeatureFrames, _ columns: ReferenceFeatureFrames,
        weights: OfflineAlignmentSweep.StepWeights,
        band: OfflineAlignmentBand? = nil
    ) -> OfflineAlignmentSweep {
        OfflineAlignmentSweep(
            rows: rows,
            columns: TiledReferenceFrames(frames: columns.featureValues, dimensions: columns.dimensions),
            band: band ?? OfflineAlignmentBand(rowCount: rows.frameCount, columnCount: columns.frameCount),
            weights: weights, keepsSteps: true)
    }

    /// The sequences 1 3 9 2 1 and 2 0 0 8 7 2 with the distance of the numbers, as found in textbooks.
    @Test func theTextbookMatrixIsReproduced() {
        let costs = [1, 3, 9, 2, 1].map { x in [2, 0, 0, 8, 7, 2].map { abs(Float(x) - $0) / 10 } }
        let accumulated: [[Float]] = [
            [1, 2, 3, 10, 16, 17], [2, 4, 5, 8, 12, 13], [9, 11, 13, 6, 8, 15], [9, 11, 13, 12, 11, 8],
            [10, 10, 11, 18, 17, 9],
        ]
        let (rows, columns) = ReferenceFeatureFrames.pair(costs: costs)
        let sweep = sweep(rows, columns, weights: Weights(diagonal: 1, firstOnly: 1, secondOnly: 1))
        for row in accumulated {
            #expect(sweep.computeNextRow())
            // Sums of up to ten values near 1 in single precision; each row is less its own minimum but the first.
            let base = sweep.newestRow == 0 ? row[0] : row.min()!
            for (column, value) in row.enumerated() {
                #expect(abs(sweep.pathCost(column: column) - (value - base) / 10) < 2e-6)
            }
        }
        #expect(!sweep.computeNextRow())
        let pairs = [(0, 0), (0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5)]
        #expect(
            sweep.cheapestPath().framePairs
                == pairs.map { WarpingPath.FramePair(firstRecordingFrame: $0.0, secondRecordingFrame: $0.1) })
    }

    /// The definition, cell by cell, without band, tiles or rebasing.
    @Test(arguments: [UInt64(1), 2, 3])
    func aSlowImplementationFindsAPathOfTheSameCost(seed: UInt64) {
        let first = Melody(noteCount: 6, frames: 3...9, seed: seed).frames()
        let second = Melody(noteCount: 7, frames: 2...8, seed: seed + 10).frames()
        let weights = Weights()
        let sweep = sweep(first, second, weights: weights)
        while sweep.computeNextRow() {}
        let path = sweep.cheapestPath()

        func local(_ row: Int, _ column: Int) -> Double {
            let a = first.part(row..<row + 1).featureValues
            let b = second.part(column..<column + 1).featureValues
            return 1 - zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) } / 2
        }
        var costs = [[Double]](
            repeating: [Double](repeating: .infinity, count: second.frameCount), count: first.frameCount)
        for row in 0..<first.frameCount {
            for column in 0..<second.frameCount {
                let cost = local(row, column)
                var ways: [Double] = row == 0 && column == 0 ? [2 * cost] : []
                if row > 0 { ways.append(costs[row - 1][column] + Double(weights.firstOnly) * cost) }
                if column > 0 { ways.append(costs[row][column - 1] + Double(weights.secondOnly) * cost) }
                if row > 0 && column > 0 { ways.append(costs[row - 1][column - 1] + 2 * cost) }
                costs[row][column] = ways.min()!
            }
        }
        var cost = 2 * local(0, 0)
        for (before, after) in zip(path.framePairs, path.framePairs.dropFirst()) {
            let isDiagonal =
                after.firstRecordingFrame > before.firstRecordingFrame
                && after.secondRecordingFrame > before.secondRecordingFrame
            cost += (isDiagonal ? 2 : 1.5) * local(after.firstRecordingFrame, after.secondRecordingFrame)
        }
        // A hundred single-precision sums of values near 1.
        #expect(abs(cost - costs[first.frameCount - 1][second.frameCount - 1]) < 1e-3)
    }

    @Test func thePathStaysInItsBand() {
        let melody = Melody(noteCount: 12)
        let (first, second) = (melody.frames(), melody.frames(tempo: 1.3))
        let coarse = WarpingPath([
            .init(firstRecordingFrame: 0, secondRecordingFrame: 0),
            .init(firstRecordingFrame: first.frameCount / 10, secondRecordingFrame: second.frameCount / 10),
        ])
        let diagonal = WarpingPath(
            (0...first.frameCount / 10).map {
                .init(
                    firstRecordingFrame: $0,
                    secondRecordingFrame: Int(coarse.secondFrame(forFirst: Double($0))))
            })
        let band = OfflineAlignmentBand(
            around: diagonal, pool: 10, reach: 8, rowCount: first.frameCount, columnCount: second.frameCount)
        let sweep = sweep(first, second, weights: Weights(), band: band)
        while sweep.computeNextRow() {}
        let path = sweep.cheapestPath()
        #expect(
            path.framePairs.allSatisfy {
                band.columnRangesByRow[$0.firstRecordingFrame].contains($0.secondRecordingFrame)
            })
        #expect(path.framePairs.first == .init(firstRecordingFrame: 0, secondRecordingFrame: 0))
        #expect(
            path.framePairs.last
                == .init(
                    firstRecordingFrame: first.frameCount - 1, secondRecordingFrame: second.frameCount - 1))
        #expect(
            zip(path.framePairs, path.framePairs.dropFirst()).allSatisfy {
                $1.firstRecordingFrame - $0.firstRecordingFrame <= 1
                    && $1.secondRecordingFrame - $0.secondRecordingFrame <= 1
            })
    }

    @Test func aBandTurnedTwiceIsTheSame() {
        let path = WarpingPath(
            [(0, 0), (1, 0), (2, 1), (2, 2), (2, 3)].map {
                .init(firstRecordingFrame: $0.0, secondRecordingFrame: $0.1)
            })
        let band = OfflineAlignmentBand(around: path, pool: 10, reach: 4, rowCount: 27, columnCount: 33)
        #expect(band.reversed != band)
        #expect(band.reversed.reversed == band)
        #expect(
            zip(band.columnRangesByRow, band.columnRangesByRow.dropFirst()).allSatisfy {
                $0.lowerBound <= $1.lowerBound && $0.upperBound <= $1.upperBound
                    && $1.lowerBound < $0.upperBound
            })
        #expect(band.columnRangesByRow.first?.lowerBound == 0)
        #expect(band.columnRangesByRow.last?.upperBound == 33)
    }

    @Test func aPooledFrameKeepsTheNormOfWhatItIsMadeOf() {
        let frames = Melody(noteCount: 4).frames() + .silence(20)
        let pooled = frames.pooled(10)
        #expect(pooled.frameCount == (frames.frameCount + 9) / 10)
        for frame in 0..<4 {
            let pitch = pooled.part(frame..<frame + 1).featureValues.prefix(Melody.partCount)
            // Twelve squares in single precision.
            #expect(abs(pitch.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        }
        #expect(pooled.part(pooled.frameCount - 1..<pooled.frameCount).featureValues.allSatisfy { $0 == 0 })
        #expect(frames.reversed.reversed == frames)
    }
}
