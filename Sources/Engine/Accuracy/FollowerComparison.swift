import Basics

/// Compares two followers on the same cases: which one is better, and whether chance could explain it.
public struct FollowerComparison: Sendable {
    /// The results of both followers for one case.
    public struct PairedCaseFigures: Sendable {
        public var id: String
        /// The piece to which the case belongs. Cases of one piece are not independent, so significance is tested over
        /// pieces.
        public var piece: String
        /// The weight of the case in pooled shares of onset metrics; `sampleCount` is its weight for position metrics.
        public var onsetCount: Int
        public var sampleCount: Int
        public var ourFigures: [AccuracyMetric: Double]
        public var theirFigures: [AccuracyMetric: Double]

        public init(
            id: String, piece: String, onsetCount: Int, sampleCount: Int,
            ourFigures: [AccuracyMetric: Double],
            theirFigures: [AccuracyMetric: Double]
        ) {
            self.id = id
            self.piece = piece
            self.onsetCount = onsetCount
            self.sampleCount = sampleCount
            self.ourFigures = ourFigures
            self.theirFigures = theirFigures
        }
    }

    /// The comparison of one metric over all cases. Differences are `ourFigures` minus `theirFigures`; 0.01 is one
    /// percentage point.
    public struct MetricComparison: Hashable, Sendable {
        public var metric: AccuracyMetric
        public var betterCaseCount: Int
        public var worseCaseCount: Int
        public var equalCaseCount: Int
        public var ourPooledFigure: Double
        public var theirPooledFigure: Double
        public var difference: Double
        /// The interval and the probability of the difference by chance; nil with fewer than ``leastPieces`` pieces.
        public var significance: Significance?
    }

    /// The significance of a difference, computed by resampling the pieces.
    public struct Significance: Hashable, Sendable {
        /// The lower end of the interval that contains 95 % of the resampled differences; `upperBound` is the upper end.
        public var lowerBound: Double
        public var upperBound: Double
        /// The p-value: twice the share of resampled differences on the other side of zero, at most 1 and at least
        /// 2/(resamples + 1).
        public var pValue: Double
    }

    /// With fewer independent pieces no difference can be told from chance at 5 %, even if all agree: the two-sided
    /// sign test of five gives 2/2⁵ = 0.0625. The spread of so few resampled pieces is no interval.
    public static let leastPieces = 6

    public let pairedCases: [PairedCaseFigures]
    public let metricComparisons: [MetricComparison]

    public static let comparedMetrics: [AccuracyMetric] = [
        .onsetShareWithin100ms, .onsetShareWithin250ms, .onsetShareWithin500ms, .onsetShareWithin1s,
        .positionShareWithin250ms,
        .positionShareWithin500ms, .rightMeasureShare, .withinOneMeasureShare,
    ]

    /// Compares two followers and tests each difference by resampling the pieces.
    /// - Parameters:
    ///   - resamples: how many times the pieces are drawn again, with replacement.
    ///   - seed: the same seed gives the same table.
    public init(_ pairs: [PairedCaseFigures], resamples: Int = 4_000, seed: UInt64 = 1) {
        self.pairedCases = pairs
        metricComparisons = Self.comparedMetrics.compactMap {
            Self.compareMetric($0, pairs, resamples: resamples, seed: seed)
        }
    }

    /// Sums over the cases of a piece: their weights, and the weighted figures of both followers.
    private struct PieceSums {
        var pieceWeight = 0.0
        var ourWeightedSum = 0.0
        var theirWeightedSum = 0.0

        static func + (lhs: PieceSums, rhs: PieceSums) -> PieceSums {
            PieceSums(
                pieceWeight: lhs.pieceWeight + rhs.pieceWeight,
                ourWeightedSum: lhs.ourWeightedSum + rhs.ourWeightedSum,
                theirWeightedSum: lhs.theirWeightedSum + rhs.theirWeightedSum)
        }

        var difference: Double { pieceWeight > 0 ? (ourWeightedSum - theirWeightedSum) / pieceWeight : 0 }
    }

    private static func compareMetric(
        _ metric: AccuracyMetric, _ pairs: [PairedCaseFigures], resamples: Int, seed: UInt64
    )
        -> MetricComparison?
    {
        var pieces: [String] = []
        var sums: [String: PieceSums] = [:]
        var signs: [Double] = []
        for pair in pairs {
            guard let ours = pair.ourFigures[metric], let theirs = pair.theirFigures[metric] else { continue }
            let isOnset = metric.rawValue.utf8.starts(with: "onset".utf8)
            let weight = Double(isOnset ? pair.onsetCount : pair.sampleCount)
            if sums[pair.piece] == nil { pieces.append(pair.piece) }
            let added = PieceSums(
                pieceWeight: weight, ourWeightedSum: weight * ours, theirWeightedSum: weight * theirs)
            sums[pair.piece] = (sums[pair.piece] ?? PieceSums()) + added
            signs.append(ours - theirs)
        }
        let perPiece = pieces.compactMap { sums[$0] }
        let all = perPiece.reduce(PieceSums(), +)
        guard all.pieceWeight > 0 else { return nil }
        return MetricComparison(
            metric: metric, betterCaseCount: signs.count { $0 > 0 }, worseCaseCount: signs.count { $0 < 0 },
            equalCaseCount: signs.count { $0 == 0 }, ourPooledFigure: all.ourWeightedSum / all.pieceWeight,
            theirPooledFigure: all.theirWeightedSum / all.pieceWeight,
            difference: all.difference,
            significance: significance(of: perPiece, resamples: resamples, seed: seed))
    }

    private static func significance(of pieces: [PieceSums], resamples: Int, seed: UInt64) -> Significance? {
        guard pieces.count >= leastPieces else { return nil }
        var dice = ResamplingDice(seed: seed)
        let differences = (0..<max(1, resamples)).map { _ in
            pieces.indices.reduce(PieceSums()) { sum, _ in sum + pieces[dice.roll(pieces.count)] }.difference
        }.sorted()
        let below = Double(differences.count { $0 <= 0 } + 1) / Double(differences.count + 1)
        let above = Double(differences.count { $0 >= 0 } + 1) / Double(differences.count + 1)
        return Significance(
            lowerBound: Statistics.quantile(ofSorted: differences, 0.025),
            upperBound: Statistics.quantile(ofSorted: differences, 0.975),
            pValue: min(1, 2 * min(below, above)))
    }
}

/// A random number generator that gives the same numbers on every machine for the same seed.
private struct ResamplingDice {
    private var generator: SeededRandomGenerator

    init(seed: UInt64) { generator = SeededRandomGenerator(seed: seed) }

    /// Returns a random number in 0..<sides: the high half of a product. Its bias of 2⁻⁵⁰ does not matter.
    mutating func roll(_ sides: Int) -> Int {
        Int(generator.next().multipliedFullWidth(by: UInt64(sides)).high)
    }
}
