@testable import Alignment

/// On-line time warping by its definition, with all cells of the matrix.
struct SlowOnlineWarping {
    /// The reference frame after each live frame.
    private(set) var positions: [Int] = []
    private var costs: [[Double]] = []

    init(
        _ reference: ReferenceFeatureFrames, _ live: ReferenceFeatureFrames,
        _ settings: OnlineTimeWarpingSettings
    ) {
        costs = (0..<live.frameCount).map { _ in [Double](repeating: .infinity, count: reference.frameCount) }
        for x in 0..<live.frameCount {
            for y in 0..<reference.frameCount {
                var dot: Float = 0
                for value in 0..<live.dimensions {
                    dot +=
                        live.featureValues[x * live.dimensions + value]
                        * reference.featureValues[y * live.dimensions + value]
                }
                let local = Double(1 - dot / 2)
                var best = x == 0 && y == 0 ? 2 * local : Double.infinity
                if x > 0 { best = min(best, costs[x - 1][y] + local) }
                if y > 0 { best = min(best, costs[x][y - 1] + local) }
                if x > 0 && y > 0 { best = min(best, costs[x - 1][y - 1] + 2 * local) }
                costs[x][y] = best
            }
        }
        walk(reference.frameCount, settings)
    }

    private mutating func walk(_ referenceCount: Int, _ settings: OnlineTimeWarpingSettings) {
        var (x, y) = (0, 0)
        var previous = "both"
        var runCount = 0
        while true {
            let increment: String
            if y + 1 == referenceCount {
                increment = "live"
            } else if x < settings.openingFrames {
                increment = "both"
            } else if runCount > settings.maximumStepsOnOneSide {
                increment = previous == "live" ? "reference" : "live"
            } else {
                increment = cheapest(x, y)
            }
            runCount = increment == previous ? runCount + 1 : 1
            if increment != "both" { previous = increment }
            if increment != "reference" {
                positions.append(y)
                x += 1
                if x == costs.count { return }
            }
            if increment != "live" { y += 1 }
        }
    }

    /// Which side goes on from a corner, by the cheapest cell of the row and the column that meet there.
    private func cheapest(_ x: Int, _ y: Int) -> String {
        var best = (x: x, y: y)
        func meanCost(_ x: Int, _ y: Int) -> Double { costs[x][y] / Double(x + y + 2) }
        for earlier in 0..<y where meanCost(x, earlier) < meanCost(best.x, best.y) { best = (x, earlier) }
        for earlier in 0..<x where meanCost(earlier, y) < meanCost(best.x, best.y) { best = (earlier, y) }
        return best.x < x ? "reference" : best.y < y ? "live" : "both"
    }
}
