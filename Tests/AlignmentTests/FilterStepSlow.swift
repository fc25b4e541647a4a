@testable import Alignment

/// Numbers that are the same in every run.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Between 0 and 1.
    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }

    mutating func values(_ count: Int) -> [Float] { (0..<count).map { _ in Float(next()) } }
}

/// The forward algorithm by definition: one transition after another, in doubles, with no window and no scaling.
///
/// A state is a reference frame with a tempo, or a reference frame at which the music stands.
struct SlowForward {
    var moving: [[Double]]
    var standing: [Double]
    /// Of what was seen last.
    private(set) var likelihood = 1.0
    let ratios: [Double]
    let prior: [Double]
    let drift: Double
    let standChance: Double
    let standOnChance: Double

    init(grid: TempoGrid, frameCount: Int, parameters: FilterParameters) {
        moving = grid.ratios.map { _ in [Double](repeating: 0, count: frameCount) }
        standing = [Double](repeating: 0, count: frameCount)
        ratios = grid.ratios.map(Double.init)
        prior = grid.prior.map(Double.init)
        drift = Double(parameters.tempoDrift)
        standChance = Double(parameters.standChance)
        standOnChance = Double(parameters.standOnChance)
    }

    var frameCount: Int { standing.count }

    var marginal: [Double] {
        var sums = standing
        for row in moving { for frame in row.indices { sums[frame] += row[frame] } }
        return sums
    }

    var mean: Double { marginal.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element } }

    /// Sends every state's mass wherever it may go, weighs what arrives, and divides by the sum.
    mutating func advance(weight: [Double], standingWeight: [Double]) {
        var arrived = moving.map { [Double](repeating: 0, count: $0.count) }
        var stands = [Double](repeating: 0, count: frameCount)
        for tempo in moving.indices {
            let whole = Int(ratios[tempo])
            let rest = ratios[tempo] - Double(whole)
            for frame in 0..<frameCount where moving[tempo][frame] > 1e-30 {
                for (target, share) in [(frame + whole, 1 - rest), (frame + whole + 1, rest)] {
                    guard target < frameCount else { continue }
                    let mass = moving[tempo][frame] * share
                    stands[target] += mass * standChance
                    var kept = 1 - standChance
                    for neighbour in [tempo - 1, tempo + 1] where moving.indices.contains(neighbour) {
                        arrived[neighbour][target] += mass * drift
                        kept -= drift
                    }
                    arrived[tempo][target] += mass * kept
                }
            }
        }
        for frame in 0..<frameCount where standing[frame] > 1e-30 {
            stands[frame] += standing[frame] * standOnChance
            for tempo in moving.indices {
                arrived[tempo][frame] += standing[frame] * (1 - standOnChance) * prior[tempo]
            }
        }
        weigh(&arrived, &stands, weight, standingWeight)
    }

    private mutating func weigh(
        _ arrived: inout [[Double]], _ stands: inout [Double], _ weight: [Double], _ standingWeight: [Double]
    ) {
        var sum = 0.0
        for frame in 0..<frameCount {
            stands[frame] *= standingWeight[frame]
            sum += stands[frame]
            for tempo in arrived.indices {
                arrived[tempo][frame] *= weight[frame]
                sum += arrived[tempo][frame]
            }
        }
        moving = arrived.map { $0.map { $0 / sum } }
        standing = stands.map { $0 / sum }
        likelihood = sum
    }
}
