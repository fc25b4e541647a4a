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
/// A state is a reference frame with a tempo, or a reference frame at which the music rests in some way.
struct SlowForward {
    /// A way of standing still.
    struct Rest {
        /// Chance a step to begin it.
        var chance: Double
        /// Chance a step to go on with it.
        var goingOn: Double

        init(chance: Float, goingOn: Float) {
            self.chance = Double(chance)
            self.goingOn = Double(goingOn)
        }
    }

    var moving: [[Double]]
    /// By way of resting, then by frame.
    var resting: [[Double]]
    /// Of what was seen last.
    private(set) var likelihood = 1.0
    let ratios: [Double]
    let prior: [Double]
    let drift: Double
    let rests: [Rest]

    init(grid: TempoGrid, frameCount: Int, drift: Float, rests: [Rest]) {
        moving = grid.tempoRatios.map { _ in [Double](repeating: 0, count: frameCount) }
        resting = rests.map { _ in [Double](repeating: 0, count: frameCount) }
        ratios = grid.tempoRatios.map(Double.init)
        prior = grid.priorProbabilities.map(Double.init)
        self.drift = Double(drift)
        self.rests = rests
    }

    private var frameCount: Int { moving[0].count }

    /// Mass by frame.
    var marginal: [Double] {
        var sums = [Double](repeating: 0, count: frameCount)
        for row in moving + resting { for frame in row.indices { sums[frame] += row[frame] } }
        return sums
    }

    var standingShare: Double { resting.reduce(0) { $0 + $1.reduce(0, +) } }

    /// Sends every state's mass wherever it may go, weighs what arrives, and divides by the sum.
    mutating func advance(weight: [Double], restingWeights: [[Double]]) {
        var arrived = moving.map { [Double](repeating: 0, count: $0.count) }
        var rested = resting.map { [Double](repeating: 0, count: $0.count) }
        for tempo in moving.indices {
            let whole = Int(ratios[tempo])
            let rest = ratios[tempo] - Double(whole)
            // Values below 1e-30 change no digit that is compared.
            for frame in 0..<frameCount where moving[tempo][frame] > 1e-30 {
                for (target, share) in [(frame + whole, 1 - rest), (frame + whole + 1, rest)] {
                    guard target < frameCount else { continue }
                    let mass = moving[tempo][frame] * share
                    var kept = 1.0
                    for (kind, rest) in rests.enumerated() {
                        rested[kind][target] += mass * rest.chance
                        kept -= rest.chance
                    }
                    for neighbour in [tempo - 1, tempo + 1] where moving.indices.contains(neighbour) {
                        arrived[neighbour][target] += mass * drift
                        kept -= drift
                    }
                    arrived[tempo][target] += mass * kept
                }
            }
        }
        for (kind, rest) in rests.enumerated() {
            for frame in 0..<frameCount where resting[kind][frame] > 1e-30 {
                rested[kind][frame] += resting[kind][frame] * rest.goingOn
                for tempo in moving.indices {
                    arrived[tempo][frame] += resting[kind][frame] * (1 - rest.goingOn) * prior[tempo]
                }
            }
        }
        weigh(&arrived, by: moving.map { _ in weight })
        weigh(&rested, by: restingWeights)
        let sum = (arrived + rested).reduce(0) { $0 + $1.reduce(0, +) }
        moving = arrived.map { $0.map { $0 / sum } }
        resting = rested.map { $0.map { $0 / sum } }
        likelihood = sum
    }

    private func weigh(_ rows: inout [[Double]], by weights: [[Double]]) {
        for row in rows.indices { for frame in 0..<frameCount { rows[row][frame] *= weights[row][frame] } }
    }
}
