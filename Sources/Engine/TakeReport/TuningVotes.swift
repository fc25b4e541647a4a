import RealModule

/// The distances of heard partials from the nearest semitone of equal temperament at A = 440 Hz, as a histogram of one
/// semitone. Votes of several playings of a bar can be added.
public struct TuningVotes: Equatable, Sendable {
    /// The width of a bin in cents.
    static let binCents = 0.5
    static let binCount = 200

    private var weights = [Float](repeating: 0, count: binCount)
    public private(set) var totalWeight = 0.0
    /// The windows that had a clear sound.
    public internal(set) var windowCount = 0

    public init() {}

    /// - Parameter cents: the distance; whole semitones do not matter.
    mutating func add(cents: Double, weight: Double) {
        let wrapped = cents - 100 * (cents / 100).rounded(.down)
        let bin = min(Int(wrapped / Self.binCents), Self.binCount - 1)
        weights[bin] += Float(weight)
        totalWeight += weight
    }

    public static func += (sum: inout TuningVotes, other: TuningVotes) {
        for index in sum.weights.indices { sum.weights[index] += other.weights[index] }
        sum.totalWeight += other.totalWeight
        sum.windowCount += other.windowCount
    }

    /// The agreement from which on there is a tuning. Noise and speech have less than 0.25.
    static let leastAgreement = 0.4
    /// Votes farther from the mean than this are other notes, not the tuning.
    private static let reachCents = 30.0

    /// The agreement of the votes, 0…1.
    public var agreement: Double {
        let (x, y) = direction
        return totalWeight > 0 ? (x * x + y * y).squareRoot() / totalWeight : 0
    }

    private var direction: (x: Double, y: Double) {
        weights.indices.reduce((0, 0)) { sum, index in
            let angle = 2 * Double.pi * (Double(index) + 0.5) / Double(Self.binCount)
            let weight = Double(weights[index])
            return (sum.0 + weight * Double.cos(angle), sum.1 + weight * Double.sin(angle))
        }
    }

    /// The tuning in cents, -50…50, and the middle half of the votes on either side of it; nil if they do not agree.
    ///
    /// It is the median of the votes near their mean, so that a few wrong notes do not move it.
    public var tuning: (cents: Double, spread: Double)? {
        guard totalWeight > 0, agreement >= Self.leastAgreement else { return nil }
        let (x, y) = direction
        let mean = 100 * Double.atan2(y: y, x: x) / (2 * .pi)
        let reach = Int(Self.reachCents / Self.binCents)
        let middle = Int((mean / Self.binCents).rounded())
        let near = (-reach...reach).map { offset in
            Double(weights[((middle + offset) % Self.binCount + Self.binCount) % Self.binCount])
        }
        let sum = near.reduce(0, +)
        guard sum > 0 else { return nil }
        func quantile(_ share: Double) -> Double {
            var passed = 0.0
            for (index, weight) in near.enumerated() {
                if weight > 0, passed + weight >= share * sum {
                    let part = (share * sum - passed) / weight
                    return (Double(middle - reach + index) + part) * Self.binCents
                }
                passed += weight
            }
            return Double(middle + reach) * Self.binCents
        }
        let cents = quantile(0.5)
        return (cents - 100 * (cents / 100).rounded(), (quantile(0.75) - quantile(0.25)) / 2)
    }
}
