import RealModule

/// Judges by the spacing of taps alone where one is missing.
///
/// The time from one tap to the next is one unit of a tempo that changes a little from tap to tap and seldom much; two
/// or three units if taps are missing. The probability of that is computed by the forward-backward algorithm over a
/// grid of tempi, so that a tempo that is not steady is followed, and what comes later counts as well.
/// - Source: L. Rabiner, "A tutorial on hidden Markov models", 1989. The parameters were chosen on taps made from the
///   benchmark's pieces (docs/own-piece.md).
struct TapSpacing {
    /// The probability of a person's missing one tap; two in a row are a tenth as likely.
    private static let probabilityOfMissingTap = 0.02
    /// The usual change of the logarithm of the unit from tap to tap, a standard deviation; a larger one, and its
    /// share.
    private static let smallChange = 0.06
    private static let largeChange = 0.3
    private static let shareOfLargeChanges = 0.1
    /// The distance of neighbouring units of the grid, as a difference of logarithms.
    private static let gridStep = 0.06
    private static let mostUnits = 120
    /// A time between taps is as unlikely as this many standard deviations at most.
    private static let farthestDeviation = 4.5
    private static let leastIntervals = 4
    private static let shortestInterval = 0.02

    private let intervals: [Double]
    /// The times from tap to tap that are possible, in seconds, and their logarithms.
    private let units: [Double]
    private let logarithms: [Double]

    /// - Parameter seconds: the times of the taps, rising.
    init(_ seconds: [Double]) {
        intervals = zip(seconds, seconds.dropFirst()).map { max($1 - $0, Self.shortestInterval) }
        let sorted = intervals.sorted()
        guard sorted.count >= Self.leastIntervals else {
            (units, logarithms) = ([], [])
            return
        }
        // The longest times may hold missing taps, and the shortest may be double taps.
        let few = sorted.count / 50
        let lowest = Double.log(sorted[few] / 1.6)
        let highest = Double.log(sorted[sorted.count - 1 - few] * 1.6)
        let count = min(Int((highest - lowest) / Self.gridStep) + 2, Self.mostUnits)
        let step = (highest - lowest) / Double(count - 1)
        logarithms = (0..<count).map { lowest + Double($0) * step }
        units = logarithms.map { Double.exp($0) }
    }

    /// The probability that one tap or more are missing, for each time from one tap to the next; zeros for fewer than
    /// five taps.
    /// - Complexity: O(taps × units²).
    var probabilitiesOfMissingTap: [Double] {
        let count = units.count
        guard count > 0 else { return [Double](repeating: 0, count: intervals.count) }
        let changes = changeProbabilities
        let likelihoods = intervals.map(likelihoods)
        var predictions: [[Double]] = []
        var state = [Double](repeating: 1, count: count)
        for likelihood in likelihoods {
            predictions.append(state)
            let heard = (0..<count).map { state[$0] * (likelihood.one[$0] + likelihood.more[$0]) }
            state = Self.scaled(Self.product(changes, heard))
        }
        var probabilities = [Double](repeating: 0, count: intervals.count)
        var later = [Double](repeating: 1, count: count)
        for index in intervals.indices.reversed() {
            let likelihood = likelihoods[index]
            var (one, more) = (0.0, 0.0)
            for unit in 0..<count {
                let rest = predictions[index][unit] * later[unit]
                one += rest * likelihood.one[unit]
                more += rest * likelihood.more[unit]
            }
            probabilities[index] = one + more > 0 ? more / (one + more) : 0
            let heard = (0..<count).map { later[$0] * (likelihood.one[$0] + likelihood.more[$0]) }
            // The changes are as likely in both directions.
            later = Self.scaled(Self.product(changes, heard))
        }
        return probabilities
    }

    /// The likelihoods of each unit if no tap is missing in an interval, and if some are.
    private func likelihoods(of interval: Double) -> (one: [Double], more: [Double]) {
        func likelihood(_ unit: Double) -> Double {
            let spread = TappedBarSearch.tapErrorSeconds * 2.0.squareRoot()
            let deviation = min(abs(interval - unit) / spread, Self.farthestDeviation)
            return Double.exp(-deviation * deviation / 2)
        }
        let missing = Self.probabilityOfMissingTap
        return (
            units.map { (1 - 1.1 * missing) * likelihood($0) },
            units.map { missing * likelihood(2 * $0) + 0.1 * missing * likelihood(3 * $0) }
        )
    }

    /// The probability of each change of the unit by a number of places in the grid.
    private var changeProbabilities: [Double] {
        let step = units.count > 1 ? logarithms[1] - logarithms[0] : 1
        let weights = (0..<units.count).map { places in
            func density(_ spread: Double) -> Double {
                let deviation = Double(places) * step / spread
                return Double.exp(-deviation * deviation / 2) / spread
            }
            return (1 - Self.shareOfLargeChanges) * density(Self.smallChange)
                + Self.shareOfLargeChanges * density(Self.largeChange)
        }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        return weights.map { $0 / sum }
    }

    private static func product(_ changes: [Double], _ state: [Double]) -> [Double] {
        state.indices.map { target in
            var sum = 0.0
            for source in state.indices { sum += changes[abs(target - source)] * state[source] }
            return sum
        }
    }

    private static func scaled(_ values: [Double]) -> [Double] {
        let sum = values.reduce(0, +)
        return sum > 0 ? values.map { $0 / sum } : [Double](repeating: 1, count: values.count)
    }
}
