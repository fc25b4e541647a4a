import Chance

/// Compares two followers on the same cases: which one is better, and whether chance could explain it.
public struct FollowerComparison: Sendable {
    /// The results of both followers for one case.
    public struct Pair: Sendable {
        public var id: String
        /// The piece to which the case belongs. Cases of one piece are not independent, so significance is tested over
        /// pieces.
        public var piece: String
        /// The weight of the case in pooled shares of onset metrics; `samples` is its weight for position metrics.
        public var onsets: Int
        public var samples: Int
        public var ours: [Metric: Double]
        public var theirs: [Metric: Double]

        public init(
            id: String, piece: String, onsets: Int, samples: Int, ours: [Metric: Double],
            theirs: [Metric: Double]
        ) {
            self.id = id
            self.piece = piece
            self.onsets = onsets
            self.samples = samples
            self.ours = ours
            self.theirs = theirs
        }
    }

    /// The comparison of one metric over all cases. Differences are `ours` minus `theirs`; 0.01 is one percentage
    /// point.
    public struct MetricComparison: Hashable, Sendable {
        public var metric: Metric
        public var better: Int
        public var worse: Int
        public var equal: Int
        public var ours: Double
        public var theirs: Double
        public var difference: Double
        /// The lower end of the interval that contains 95 % of the resampled differences; `high` is the upper end.
        public var low: Double
        public var high: Double
        /// The p-value: twice the share of resampled differences on the other side of zero, at most 1 and at least
        /// 2/(resamples + 1).
        public var pValue: Double
    }

    public let pairs: [Pair]
    public let rows: [MetricComparison]

    public static let metrics: [Metric] = [
        .onsetWithin100ms, .onsetWithin250ms, .onsetWithin500ms, .onsetWithin1s, .positionWithin250ms,
        .positionWithin500ms, .measureHit, .measureWithinOne,
    ]

    /// Compares two followers and tests each difference by resampling the pieces.
    /// - Parameters:
    ///   - resamples: how many times the pieces are drawn again, with replacement.
    ///   - seed: the same seed gives the same table.
    public init(_ pairs: [Pair], resamples: Int = 4_000, seed: UInt64 = 1) {
        self.pairs = pairs
        rows = Self.metrics.compactMap { Self.row($0, pairs, resamples: resamples, seed: seed) }
    }

    /// Sums over the cases of a piece: their weights, and the weighted figures of both followers.
    private struct Sums {
        var weight = 0.0
        var ours = 0.0
        var theirs = 0.0

        static func + (lhs: Sums, rhs: Sums) -> Sums {
            Sums(weight: lhs.weight + rhs.weight, ours: lhs.ours + rhs.ours, theirs: lhs.theirs + rhs.theirs)
        }

        var difference: Double { weight > 0 ? (ours - theirs) / weight : 0 }
    }

    private static func row(_ metric: Metric, _ pairs: [Pair], resamples: Int, seed: UInt64)
        -> MetricComparison?
    {
        var pieces: [String] = []
        var sums: [String: Sums] = [:]
        var signs: [Double] = []
        for pair in pairs {
            guard let ours = pair.ours[metric], let theirs = pair.theirs[metric] else { continue }
            let isOnset = metric.rawValue.utf8.starts(with: "onset".utf8)
            let weight = Double(isOnset ? pair.onsets : pair.samples)
            if sums[pair.piece] == nil { pieces.append(pair.piece) }
            let added = Sums(weight: weight, ours: weight * ours, theirs: weight * theirs)
            sums[pair.piece] = (sums[pair.piece] ?? Sums()) + added
            signs.append(ours - theirs)
        }
        let perPiece = pieces.compactMap { sums[$0] }
        let all = perPiece.reduce(Sums(), +)
        guard all.weight > 0 else { return nil }
        var dice = Dice(seed: seed)
        let differences = (0..<max(1, resamples)).map { _ in
            perPiece.indices.reduce(Sums()) { sum, _ in sum + perPiece[dice.roll(perPiece.count)] }.difference
        }.sorted()
        let below = Double(differences.count { $0 <= 0 } + 1) / Double(differences.count + 1)
        let above = Double(differences.count { $0 >= 0 } + 1) / Double(differences.count + 1)
        return MetricComparison(
            metric: metric, better: signs.count { $0 > 0 }, worse: signs.count { $0 < 0 },
            equal: signs.count { $0 == 0 }, ours: all.ours / all.weight, theirs: all.theirs / all.weight,
            difference: all.difference, low: Statistics.quantile(ofSorted: differences, 0.025),
            high: Statistics.quantile(ofSorted: differences, 0.975), pValue: min(1, 2 * min(below, above)))
    }
}

/// A random number generator that gives the same numbers on every machine for the same seed.
private struct Dice {
    private var chance: SplitMix

    init(seed: UInt64) { chance = SplitMix(seed: seed) }

    /// Returns a random number in 0..<sides: the high half of a product. Its bias of 2⁻⁵⁰ does not matter.
    mutating func roll(_ sides: Int) -> Int {
        Int(chance.next().multipliedFullWidth(by: UInt64(sides)).high)
    }
}
