import RealModule

/// Fits weights of ``TappedBarFeatures`` so that known bar lines stand out from the second before and after them.
///
/// A multinomial logistic model: of the frames around a bar line, the one at which it lies is the likeliest. Weights
/// are held to zero, so that a few bars change them little. The likeliest weights are found by Newton's method; a step
/// is halved until it helps, so that each one is an improvement.
struct TappedBarWeightFit {
    /// The frames around each known bar line whose values are compared.
    private let bars: [Int]
    private let features: TappedBarFeatures
    private let reach: Int
    /// The other evidence for a bar line at each frame, as the logarithm of odds.
    private let offsets: [Float]
    /// The strength with which the weights are held to zero: the precision of their prior.
    private let strength: Double
    private static let mostSteps = 8
    private static let mostHalvings = 6
    /// The gain of log-likelihood a bar below which no further step is made.
    private static let leastGain = 1e-4

    /// - Parameters:
    ///   - bars: the frames of the bar lines; those without a whole second on either side are left out.
    ///   - offsets: the other evidence for a bar line at each frame, as the logarithm of odds.
    ///   - reach: the frames of a second.
    init(
        _ features: TappedBarFeatures, offsets: [Float], bars: [Int], reach: Int, strength: Double
    ) {
        self.features = features
        self.reach = reach
        self.strength = strength
        self.offsets = offsets
        self.bars = bars.filter { $0 >= reach && $0 < features.frameCount - reach }
    }

    /// The likeliest weights.
    /// - Complexity: O(steps × bars × reach × features²).
    func weights() -> [Double] {
        var weights = [Double](repeating: 0, count: TappedBarScale.count)
        var value = objective(weights)
        for _ in 0..<Self.mostSteps {
            guard let step = newtonStep(from: weights) else { break }
            var factor = 1.0
            var gain = 0.0
            for _ in 0..<Self.mostHalvings {
                let tried = weights.indices.map { weights[$0] + factor * step[$0] }
                let reached = objective(tried)
                gain = reached - value
                if gain > 0 {
                    (weights, value) = (tried, reached)
                    break
                }
                factor /= 2
            }
            guard gain > Self.leastGain * Double(max(bars.count, 1)) else { break }
        }
        return weights
    }

    /// The log-likelihood of the bar lines, less what the weights' distance from zero costs.
    func objective(_ weights: [Double]) -> Double {
        var sum = 0.0
        for weight in weights { sum -= strength * weight * weight }
        for bar in bars {
            let sums = sums(around: bar, weights)
            let highest = sums.max() ?? 0
            let total = sums.reduce(0) { $0 + Double.exp($1 - highest) }
            let wanted = 0.25 * sums[reach - 1] + 0.5 * sums[reach] + 0.25 * sums[reach + 1]
            sum += wanted - highest - Double.log(total)
        }
        return sum
    }

    private func sums(around bar: Int, _ weights: [Double]) -> [Double] {
        let count = weights.count
        return features.values.withUnsafeBufferPointer { values in
            weights.withUnsafeBufferPointer { weights in
                (bar - reach...bar + reach).map { frame in
                    var sum = Double(offsets[frame])
                    let row = frame * count
                    for index in 0..<count { sum += Double(values[row + index]) * weights[index] }
                    return sum
                }
            }
        }
    }

    /// One step towards the likeliest weights; nil if the equations cannot be solved.
    private func newtonStep(from weights: [Double]) -> [Double]? {
        let count = weights.count
        var gradient = weights.map { -2 * strength * $0 }
        var curvature = [Double](repeating: 0, count: count * count)
        for index in 0..<count { curvature[index * count + index] = 2 * strength }
        var mean = [Double](repeating: 0, count: count)
        for bar in bars {
            let sums = sums(around: bar, weights)
            let highest = sums.max() ?? 0
            let likelihoods = sums.map { Double.exp($0 - highest) }
            let total = likelihoods.reduce(0, +)
            for index in 0..<count { mean[index] = 0 }
            features.values.withUnsafeBufferPointer { values in
                curvature.withUnsafeMutableBufferPointer { curvature in
                    for (offset, likelihood) in likelihoods.enumerated() where likelihood > 1e-4 * total {
                        let share = likelihood / total
                        let row = (bar - reach + offset) * count
                        for first in 0..<count {
                            let weighted = share * Double(values[row + first])
                            mean[first] += weighted
                            for second in 0...first {
                                curvature[first * count + second] += weighted * Double(values[row + second])
                            }
                        }
                    }
                    for first in 0..<count {
                        for second in 0...first {
                            curvature[first * count + second] -= mean[first] * mean[second]
                        }
                    }
                }
                // The bar line may lie a frame beside its time.
                for index in 0..<count {
                    let before = Double(values[(bar - 1) * count + index])
                    let after = Double(values[(bar + 1) * count + index])
                    gradient[index] +=
                        0.25 * before + 0.5 * Double(values[bar * count + index]) + 0.25 * after - mean[index]
                }
            }
        }
        return Self.solution(of: curvature, gradient)
    }

    /// Solves linear equations by Cholesky's method.
    /// - Parameter matrix: symmetric; only its lower triangle is read.
    /// - Returns: nil if the matrix is not positive definite.
    static func solution(of matrix: [Double], _ right: [Double]) -> [Double]? {
        let count = right.count
        var lower = matrix
        var solution = right
        for row in 0..<count {
            for column in 0...row {
                var sum = lower[row * count + column]
                for index in 0..<column { sum -= lower[row * count + index] * lower[column * count + index] }
                if row == column {
                    guard sum > 0 else { return nil }
                    lower[row * count + row] = sum.squareRoot()
                } else {
                    lower[row * count + column] = sum / lower[column * count + column]
                }
            }
        }
        for row in 0..<count {
            for index in 0..<row { solution[row] -= lower[row * count + index] * solution[index] }
            solution[row] /= lower[row * count + row]
        }
        for row in (0..<count).reversed() {
            for index in row + 1..<count { solution[row] -= lower[index * count + row] * solution[index] }
            solution[row] /= lower[row * count + row]
        }
        return solution
    }
}
