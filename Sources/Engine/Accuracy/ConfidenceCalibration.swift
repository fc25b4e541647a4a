/// Compares the follower's confidence with how often it was right: of all samples with confidence 0.8, eight in ten
/// should be right.
///
/// A sample is right if the displayed measure is at most one measure away from the true one. Samples in holds
/// (intervals in which nothing is played) and samples without an estimate do not count.
public struct ConfidenceCalibration: Sendable {
    /// One bar of the reliability diagram.
    public struct Bin: Hashable, Sendable {
        public var lowerConfidence: Double
        public var upperConfidence: Double
        public var claimCount: Int
        /// Mean claimed confidence, 0…1; NaN in an empty bin.
        public var meanConfidence: Double
        public var correctShare: Double
    }

    /// One entry for each sample that counts: the follower's confidence, and whether the displayed measure was at most
    /// one measure away from the true one.
    public private(set) var confidenceClaims: [(confidence: Double, isRight: Bool)]

    public init(samples: SampledPositions, trace: FollowTrace) {
        confidenceClaims = samples.sampleSeconds.indices
            .filter { samples.isSampleScored[$0] && !samples.estimatedPositions[$0].isNaN }
            .map { (trace.reports[samples.reportIndices[$0]].confidence, samples.isWithinOneMeasure(at: $0)) }
    }

    public init(pooling parts: [ConfidenceCalibration]) {
        confidenceClaims = parts.flatMap(\.confidenceClaims)
    }

    /// Sorts the claims into bins of equal width over 0…1; a confidence of exactly 1 falls into the last bin.
    public func sortIntoBins(_ count: Int) -> [Bin] {
        precondition(count > 0, "a reliability diagram has bins, not \(count)")
        var inBins = Array(repeating: [(confidence: Double, isRight: Bool)](), count: count)
        for claim in confidenceClaims {
            let bounded = min(max(claim.confidence, 0), 1)
            inBins[min(Int(bounded * Double(count)), count - 1)].append(claim)
        }
        return inBins.enumerated().map { index, claims in
            Bin(
                lowerConfidence: Double(index) / Double(count),
                upperConfidence: Double(index + 1) / Double(count),
                claimCount: claims.count, meanConfidence: Statistics.mean(claims.map(\.confidence)),
                correctShare: Statistics.shareOfTrue(claims.map(\.isRight)))
        }
    }

    /// Expected calibration error: the mean distance between confidence and share of right answers over the bins,
    /// weighted by their counts; nil without samples.
    ///
    /// Source: M. P. Naeini, G. Cooper, M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian
    /// binning", AAAI 2015.
    public func expectedError(bins count: Int) -> Double? {
        guard !confidenceClaims.isEmpty else { return nil }
        let terms = sortIntoBins(count).filter { $0.claimCount > 0 }
            .map { Double($0.claimCount) * ($0.meanConfidence - $0.correctShare).magnitude }
        return Statistics.sum(terms) / Double(confidenceClaims.count)
    }
}
