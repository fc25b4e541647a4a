import Chance
import Testing

@testable import Accuracy

@Suite struct ThoughtMapTests {
    /// A ridge that rises over haze, with what a column lacks to one.
    private static let map = ThoughtMap(
        firstSeconds: 3, stepSeconds: 0.5, referenceSeconds: 70,
        columns: (0..<60).map { column in
            (0..<70).map { $0 == column + 5 ? 0.6 : $0 % 7 == 0 ? 0.03 : 0 }
        })

    @Test(arguments: [(60, 70), (20, 35), (7, 3), (1, 1), (999, 999)])
    func joiningKeepsWhatAColumnSumsTo(columns: Int, rows: Int) {
        let coarse = Self.map.joined(columns: columns, rows: rows)
        let sums = coarse.columns.map { $0.reduce(0, +) }
        #expect(coarse.columns.count == min(columns, 60))
        #expect(coarse.columns.allSatisfy { $0.count == min(rows, 70) })
        #expect(sums.allSatisfy { abs($0 - 0.9) < 0.035 })
        #expect(abs(coarse.stepSeconds * Double(coarse.columns.count) - 30) < 1e-9)
    }

    @Test func aMapWithoutColumnsStaysEmpty() {
        let empty = ThoughtMap(firstSeconds: 0, stepSeconds: 1, referenceSeconds: 1, columns: [])
        #expect(empty.joined(columns: 10, rows: 10).columns.isEmpty)
        #expect(ThoughtLayers(map: empty).path(above: 0).isEmpty)
    }

    @Test func aColumnIsTheMeanOfWhatFellIntoIt() {
        var gathering = ThoughtGathering(liveSeconds: 600, referenceSeconds: 24)
        gathering.note(at: 0.1) { $0[0] += 1 }
        gathering.note(at: 0.6) { $0[239] += 0.5 }
        gathering.note(at: 1.2) { $0[7] += 1 }
        // Behind the end, as rounding may have it.
        gathering.note(at: 600.01) { $0[8] += 1 }
        let map = gathering.map
        #expect(map.columns.count == 600 && map.columns[0].count == 240)
        #expect(abs(map.columns[0][0] - 0.5) < 1e-3 && abs(map.columns[0][239] - 0.25) < 1e-3)
        #expect(abs(map.columns[1][7] - 1) < 1e-3 && abs(map.columns[599][8] - 1) < 1e-3)
        #expect(map.columns[2].allSatisfy { $0 == 0 })
        #expect(map.columns.allSatisfy { $0.reduce(0, +) <= 1 })
    }

    @Test(arguments: [(0.0, 0.0), (0.3, 0.05), (1e6, 1e6), (-1, -1)])
    func anyLengthsFitIntoAMap(live: Double, reference: Double) {
        var gathering = ThoughtGathering(liveSeconds: live, referenceSeconds: reference)
        gathering.note(at: live / 2) { $0[$0.count - 1] += 1 }
        let map = gathering.map
        #expect((1...600).contains(map.columns.count) && (1...240).contains(map.columns[0].count))
        #expect(map.stepSeconds > 0)
    }

    /// Reads a layer's path back.
    private func cells(_ path: String) -> Set<[Int]> {
        var cells: Set<[Int]> = []
        var (column, row) = (0, 0)
        for stroke in path.split(separator: "m") {
            let halves = stroke.split(separator: "v")
            // "5-3" and "5 3": the sign is a separator too.
            let steps = halves[0].replacing("-", with: " -").split(separator: " ").compactMap { Int($0) }
            column += steps[0]
            row += steps[1]
            for _ in 0..<(Int(halves[1]) ?? 0) {
                cells.insert([column, row])
                row += 1
            }
        }
        return cells
    }

    @Test func aLayerIsAllThatIsAboveItsFloorAndNothingElse() {
        var random = SplitMix(seed: 11)
        var map = Self.map
        for column in map.columns.indices {
            for row in map.columns[column].indices {
                map.columns[column][row] = .random(in: 0...0.6, using: &random)
            }
        }
        for map in [map, Self.map] {
            for floor in ThoughtLayers.floors {
                var expected: Set<[Int]> = []
                for (column, thought) in map.columns.enumerated() {
                    for (row, value) in thought.enumerated() where value >= floor {
                        expected.insert([column, row])
                    }
                }
                #expect(cells(ThoughtLayers(map: map).path(above: floor)) == expected)
            }
        }
    }
}
