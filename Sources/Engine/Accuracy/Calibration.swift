/// Whether a claimed confidence of 0.8 is right eight times in ten.
///
/// A sample is right where the shown measure is within one of the true measure; samples in holds and samples
/// without an estimate show nothing and do not count.
public struct Calibration: Sendable {
    /// One bar of the reliability diagram.
    public struct Bin: Hashable, Sendable {
        public var lower: Double
        public var upper: Double
        public var count: Int
        /// Not a number in an empty bin.
        public var meanConfidence: Double
        public var shareRight: Double
    }

    /// Claimed confidence and whether the shown measure was right within one, per sample.
    public private(set) var claims: [(confidence: Double, isRight: Bool)]

    public init(samples: SampledPositions, trace: FollowTrace) {
        claims = samples.times.indices
            .filter { samples.counts[$0] && !samples.estimate[$0].isNaN }
            .map { (trace.points[samples.report[$0]].confidence, samples.isWithinOne(at: $0)) }
    }

    public init(pooling parts: [Calibration]) { claims = parts.flatMap(\.claims) }

    /// Bins of equal width over 0…1; a confidence of 1 belongs to the last.
    public func bins(_ count: Int) -> [Bin] {
        precondition(count > 0, "a reliability diagram has bins, not \(count)")
        var inBins = Array(repeating: [(confidence: Double, isRight: Bool)](), count: count)
        for claim in claims {
            let bounded = min(max(claim.confidence, 0), 1)
            inBins[min(Int(bounded * Double(count)), count - 1)].append(claim)
        }
        return inBins.enumerated().map { index, claims in
            Bin(
                lower: Double(index) / Double(count), upper: Double(index + 1) / Double(count),
                count: claims.count, meanConfidence: Statistics.mean(claims.map(\.confidence)),
                shareRight: Statistics.share(claims.map(\.isRight)))
        }
    }

    /// Mean distance of confidence and share right over the bins, weighted by their counts; nil without samples.
    ///
    /// Source: M. P. Naeini, G. Cooper, M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian
    /// binning", AAAI 2015.
    public func expectedError(bins count: Int) -> Double? {
        guard !claims.isEmpty else { return nil }
        let terms = bins(count).filter { $0.count > 0 }
            .map { Double($0.count) * ($0.meanConfidence - $0.shareRight).magnitude }
        return Statistics.sum(terms) / Double(claims.count)
    }
}
