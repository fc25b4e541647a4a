import Chance

/// Compares two followers on the same cases: which one is better, and whether chance could explain it.
public struct FollowerComparison: Sendable {
    /// The results of both followers for one case.
    public struct Pair: Sendable {
        public var id: String
        /// Cases of one piece are not independent, so significance is tested over pieces.
        public var piece: String
        /// The weight of the case in a pooled share: for onset metrics and for position metrics.
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

    /// One metric over all cases. Differences are `ours` minus `theirs`, as shares of 1.
    public struct Row: Hashable, Sendable {
        public var metric: Metric
        public var better: Int
        public var worse: Int
        public var equal: Int
        public var ours: Double
        public var theirs: Double
        public var difference: Double
        /// The interval that contains 95 % of the resampled differences.
        public var low: Double
        public var high: Double
        /// Two-sided share of resamples on the other side of zero (a p-value), at least 1/(resamples + 1).
        public var chance: Double
    }

    public let pairs: [Pair]
    public let rows: [Row]

    public static let metrics: [Metric] = [
        .onsetWithin100ms, .onsetWithin250ms, .onsetWithin500ms, .onsetWithin1s, .positionWithin250ms,
        .positionWithin500ms, .measureHit, .measureWithinOne,
    ]

    /// - Parameters:
    ///   - resamples: how many times the pieces are drawn anew, with replacement.
    ///   - seed: the same seed gives the same table.
    public init(_ pairs: [Pair], resamples: Int = 4_000, seed: UInt64 = 1) {
        self.pairs = pairs
        rows = Self.metrics.compactMap { Self.row($0, pairs, resamples: resamples, seed: seed) }
    }

    /// The sums over a piece: its weight, and the weighted figures of both followers.
    private struct Sums {
        var weight = 0.0
        var ours = 0.0
        var theirs = 0.0

        static func + (lhs: Sums, rhs: Sums) -> Sums {
            Sums(weight: lhs.weight + rhs.weight, ours: lhs.ours + rhs.ours, theirs: lhs.theirs + rhs.theirs)
        }

        var difference: Double { weight > 0 ? (ours - theirs) / weight : 0 }
    }

    private static func row(_ metric: Metric, _ pairs: [Pair], resamples: Int, seed: UInt64) -> Row? {
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
        return Row(
            metric: metric, better: signs.count { $0 > 0 }, worse: signs.count { $0 < 0 },
            equal: signs.count { $0 == 0 }, ours: all.ours / all.weight, theirs: all.theirs / all.weight,
            difference: all.difference, low: Statistics.quantile(ofSorted: differences, 0.025),
            high: Statistics.quantile(ofSorted: differences, 0.975), chance: min(1, 2 * min(below, above)))
    }
}

/// A die whose throws are the same on every machine.
private struct Dice {
    private var chance: SplitMix

    init(seed: UInt64) { chance = SplitMix(seed: seed) }

    /// A number in 0..<sides: the high half of a product, whose bias of 2⁻⁵⁰ does not matter.
    mutating func roll(_ sides: Int) -> Int {
        Int(chance.next().multipliedFullWidth(by: UInt64(sides)).high)
    }
}
