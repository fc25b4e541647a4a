import RealModule

/// The bars on which the ways of finding them agree best.
///
/// Each way's onset of a bar is supported by all ways that put the bar near it. A way's support weighs more the better
/// the way predicts left-out taps. A Viterbi search takes the onsets with the most support, and changes from one way to
/// another where the two agree.
struct TappedBarAgreement {
    /// The onset of each bar, in seconds.
    private(set) var onsets: [Double] = []
    /// The share of the ways, by weight, that put each bar elsewhere, 0…1.
    private(set) var disagreements: [Double] = []

    /// The difference of onsets at which two ways support each other by `exp(-1/2)`, in seconds.
    private static let tolerance = 0.07
    /// The weight that ways lose for each unit of log-likelihood by which they predict a left-out tap less well.
    private static let weightOfPrediction = 4.0
    /// The cost, in units of support, of a change of the way at a bar where the two ways differ by more than
    /// ``sameSeconds``.
    private static let changeCost = 0.3
    private static let sameSeconds = 0.03
    /// The cost of a bar that is shorter than ``shortestBarSeconds``, which two ways may leave between them.
    private static let shortBarCost = 10.0
    private static let shortestBarSeconds = 0.02

    /// - Parameter ways: at least one; all have the same bars.
    /// - Complexity: O(bars × ways²).
    init(_ ways: [TappedBarRefinement.Way]) {
        let mostLikely = ways.map { $0.prediction }.max() ?? 0
        let weights = ways.map { Double.exp(Self.weightOfPrediction * ($0.prediction - mostLikely)) }
        let sum = weights.reduce(0, +)
        let shares = weights.map { $0 / sum }
        let chosen = Self.bestPath(ways, Self.supports(ways, shares))
        onsets = chosen.enumerated().map { ways[$1].onsets[$0] }
        disagreements = onsets.indices.map { bar in
            zip(ways, shares).reduce(0) { sum, way in
                sum + (abs(way.0.onsets[bar] - onsets[bar]) > Self.tolerance ? way.1 : 0)
            }
        }
    }

    /// The support of each way's onset, for each bar.
    private static func supports(_ ways: [TappedBarRefinement.Way], _ shares: [Double]) -> [[Double]] {
        ways[0].onsets.indices.map { bar in
            ways.map { way in
                zip(ways, shares).reduce(0) { sum, other in
                    let distance = (other.0.onsets[bar] - way.onsets[bar]) / tolerance
                    return sum + other.1 * Double.exp(-distance * distance / 2)
                }
            }
        }
    }

    /// The way to take at each bar.
    private static func bestPath(_ ways: [TappedBarRefinement.Way], _ supports: [[Double]]) -> [Int] {
        guard var scores = supports.first else { return [] }
        var steps: [[Int]] = []
        for bar in supports.indices.dropFirst() {
            var next: [Double] = []
            var sources: [Int] = []
            for way in ways.indices {
                var (best, source) = (-Double.infinity, way)
                for before in ways.indices {
                    let from = ways[before].onsets[bar - 1]
                    var score = scores[before]
                    if before != way, abs(from - ways[way].onsets[bar - 1]) > sameSeconds {
                        score -= changeCost
                    }
                    if ways[way].onsets[bar] - from < shortestBarSeconds { score -= shortBarCost }
                    if score > best { (best, source) = (score, before) }
                }
                next.append(best + supports[bar][way])
                sources.append(source)
            }
            scores = next
            steps.append(sources)
        }
        var path = [scores.indices.max { scores[$0] < scores[$1] } ?? 0]
        for sources in steps.reversed() { path.append(sources[path[path.count - 1]]) }
        return path.reversed()
    }
}
