/// Keeps the probability that the music is at another copy of the passage that is followed.
///
/// It is a forward filter over the pooled frames of the whole reference, as ``WholeReferenceSearch``, with three
/// differences. A similarity weighs a quarter as much, because two performances of a passage differ more than its copies
/// do: so the copies keep their shares until the sound has told them apart. It moves at the followed tempo, which all
/// copies share. And music that leaves its path is likelier near the last trusted bar. Where nothing has jumped, the
/// followed copy therefore keeps nearly all of the probability, however often the passage returns.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: a fifth of a search, once every
/// `framesPerPooledFrame` live frames.
final class CopySearch {
    /// The probability per pooled frame that the music continues elsewhere, and the same while the place is not proven
    /// or the music pauses.
    private static let jumpProbability: Float = 1e-5
    private static let unsettledJumpProbability: Float = 1e-3
    /// The share that moves to each neighbouring pooled frame in a step: no two copies have the same tempo throughout.
    private static let spread: Float = 0.1
    /// What remains of the probability of a place that another one has replaced, because it explains the sound better.
    private static let shareAfterDefeat: Float = 1e-3
    /// The pooled frames around a place that count as this place: a second and a half to either side.
    private static let reach = 15
    /// The pooled frames around a place in which there is no other copy.
    private static let leastDistance = 20
    /// The place is undecided while its share is below `undecidedBelow`, until it is above `decidedAbove`; another copy
    /// must have more than `leastCopyShare` of the rest, and all copies together more than `certainPassage`, for so many
    /// steps.
    private static let undecidedBelow: Float = 0.5
    private static let decidedAbove: Float = 0.6
    private static let leastCopyShare: Float = 0.5
    private static let certainPassage: Float = 0.8
    private static let stepsUntilUndecided = 5
    /// The share above which, after so many steps, the place is proven against all copies, until the next jump.
    private static let provenAbove: Float = 0.95
    private static let stepsUntilProven = 10
    /// The least share of a copy that is reported.
    private static let leastShownShare: Float = 0.02
    /// How much likelier the followed copy is than these shares say, because the filter has chosen it with all of the
    /// similarity, and mostly the nearer one: it was right for 85 % of the undecided time of 80 cases, with a share of
    /// 0.43 in the mean (docs/accuracy.md).
    private static let oddsOfChoice: Float = 5

    private let pooledFrameCount: Int
    private let framesPerPooledFrame: Int
    private let rowLength: Int
    /// The probability of each pooled frame; `nextShares` receives the next ones.
    private var shares: UnsafeMutablePointer<Float>
    private var nextShares: UnsafeMutablePointer<Float>
    /// Where music that leaves its path continues; the sum is one.
    private let jumpTargets: UnsafeMutablePointer<Float>
    /// The trusted bar for which ``jumpTargets`` was computed; nil if every place is as likely.
    private var barOfTargets: Int?
    /// True from a jump, or an unknown beginning, on: nothing but the sound tells which copy is played.
    private var isKnownBySoundAlone = false
    private var isUndecided = false
    private var undecidedSteps = 0
    private var provenSteps = 0
    /// The copies between which the sound cannot decide, the followed one first; none if it is the only one.
    private(set) var copies = LikelyReferencePlaces()

    init(pooledFrameCount: Int, parameters: ForwardFilterParameters) {
        self.pooledFrameCount = pooledFrameCount
        framesPerPooledFrame = parameters.framesPerPooledFrame
        let tiles = (pooledFrameCount + CompactTiles.width - 1) / CompactTiles.width
        rowLength = tiles * CompactTiles.width + 2 * rowMarginZeroCount
        shares = zeroedFloats(rowLength)
        nextShares = zeroedFloats(rowLength)
        jumpTargets = zeroedFloats(rowLength)
        makeEveryTargetLikely()
        begin(at: nil)
    }

    deinit {
        for pointer in [shares, nextShares, jumpTargets] { pointer.deallocate() }
    }

    /// Knows that the music is, or will begin, at a reference frame; nil if it may be anywhere.
    func begin(at frame: Int?) {
        let row = shares + rowMarginZeroCount
        row.update(repeating: (frame == nil ? 1 : 1e-3) / Float(pooledFrameCount), count: pooledFrameCount)
        if let frame {
            let middle = pooledFrame(frame)
            let low = max(middle - 5, 0)
            let high = min(middle + 5, pooledFrameCount - 1)
            for column in low...high { row[column] += 1 / Float(high - low + 1) }
        }
        isKnownBySoundAlone = frame == nil
        decide()
    }

    private func decide() {
        (isUndecided, undecidedSteps, provenSteps) = (false, 0, 0)
        copies = LikelyReferencePlaces()
    }

    /// Notes that another place has replaced the followed one, because it explains the sound better.
    func noteJump(from former: Int, to frame: Int) {
        isKnownBySoundAlone = true
        decide()
        let (old, new) = (pooledFrame(former), pooledFrame(frame))
        guard abs(old - new) > Self.leastDistance else { return }
        for column in places(around: old, reach: Self.reach) {
            shares[rowMarginZeroCount + column] *= Self.shareAfterDefeat
        }
    }

    /// Moves by a pooled frame, and weighs the copies by the newest sound.
    /// - Parameters:
    ///   - likelihoods: of all pooled frames, as the search of the whole reference has computed them.
    ///   - moved: the pooled frames by which the music has moved on.
    ///   - isSettled: true if the followed place is proven and the music moves.
    ///   - prior: prefers places near the last trusted bar; nil if none is trusted.
    func advance(
        likelihoods: UnsafeMutablePointer<Float>, followedFrame: Int, moved: Float, isSettled: Bool,
        prior: DistancePrior?
    ) {
        updateTargets(prior)
        let whole = Int(moved)
        let rest = moved - Float(whole)
        let jump = isSettled ? Self.jumpProbability : Self.unsettledJumpProbability
        let spread = Self.spread
        let stay = 1 - jump
        // The weights of the places one ahead of the one that has moved by whole frames, of this one, and of those behind.
        let ahead = stay * spread * (1 - rest)
        let here = stay * ((1 - 2 * spread) * (1 - rest) + spread * rest)
        let behind = stay * ((1 - 2 * spread) * rest + spread * (1 - rest))
        let farBehind = stay * spread * rest
        let source = shares + rowMarginZeroCount - whole
        var total = SIMD8<Float>.zero
        for column in stride(from: 0, to: rowLength - 2 * rowMarginZeroCount, by: 8) {
            let arrived =
                loadEightFloats(source, column + 1) * ahead + loadEightFloats(source, column) * here
                + loadEightFloats(source, column - 1) * behind
                + loadEightFloats(source, column - 2) * farBehind
                + loadEightFloats(jumpTargets, column + rowMarginZeroCount) * jump
            // The fourth root: a quarter of the similarity.
            let weight = loadEightFloats(likelihoods, column + rowMarginZeroCount)
                .squareRoot().squareRoot()
            let value = arrived * weight
            storeEightFloats(value, nextShares + rowMarginZeroCount, column)
            total += value
        }
        swap(&shares, &nextShares)
        let scale = 1 / max(total.sum(), 1e-30)
        for column in stride(from: 0, to: rowLength - 2 * rowMarginZeroCount, by: 8) {
            let row = shares + rowMarginZeroCount
            storeEightFloats(loadEightFloats(row, column) * scale, row, column)
        }
        // Nothing lies behind the last frame.
        (shares + rowMarginZeroCount + pooledFrameCount).update(
            repeating: 0, count: rowLength - 2 * rowMarginZeroCount - pooledFrameCount)
        judge(followedFrame)
    }

    /// Decides whether the sound can tell the followed copy from all others.
    private func judge(_ followedFrame: Int) {
        let own = pooledFrame(followedFrame)
        let share = sum(places(around: own, reach: Self.reach))
        provenSteps = share > Self.provenAbove ? provenSteps + 1 : 0
        if provenSteps >= Self.stepsUntilProven { isKnownBySoundAlone = false }
        guard isKnownBySoundAlone, share < Self.decidedAbove else { return decideKeepingProof() }
        let found = otherCopies(than: own, share: share)
        let together = found.reduce(0) { $0 + $1.probability }
        let isOneOfSeveral =
            share < Self.undecidedBelow && found.count > 1
            && Float(found[1].probability) > Self.leastCopyShare * (1 - Float(found[0].probability))
            && Float(together) > Self.certainPassage
        undecidedSteps = isOneOfSeveral ? undecidedSteps + 1 : 0
        if undecidedSteps > Self.stepsUntilUndecided { isUndecided = true }
        copies = isUndecided && found.count > 1 ? found : LikelyReferencePlaces()
    }

    private func decideKeepingProof() {
        let steps = provenSteps
        decide()
        provenSteps = steps
    }

    /// The followed place and the likeliest other ones, with their shares.
    private func otherCopies(than own: Int, share: Float) -> LikelyReferencePlaces {
        var found = LikelyReferencePlaces()
        let total = 1 + (Self.oddsOfChoice - 1) * share
        found.append(
            LikelyReferencePlace(
                referenceFrame: Double(own * framesPerPooledFrame),
                probability: Double(min(share * Self.oddsOfChoice / total, 1))))
        var taken = UpToThree<Int>()
        taken.append(own)
        while taken.count < UpToThree<Int>.capacity, let copy = likeliestPlace(awayFrom: taken) {
            taken.append(copy.place)
            found.append(
                LikelyReferencePlace(
                    referenceFrame: Double(copy.place * framesPerPooledFrame),
                    probability: Double(min(copy.share / total, 1))))
        }
        return found
    }

    /// Finds the place whose surroundings have the largest share, away from some others.
    /// - Complexity: O(frames / pooling).
    private func likeliestPlace(awayFrom taken: UpToThree<Int>) -> (place: Int, share: Float)? {
        func shareAlone(_ column: Int) -> Float {
            for place in taken where abs(column - place) <= Self.leastDistance { return 0 }
            return shares[rowMarginZeroCount + column]
        }
        let width = 2 * Self.reach + 1
        var running: Float = 0
        var best: (share: Float, end: Int) = (Self.leastShownShare, -1)
        for column in 0..<pooledFrameCount {
            running += shareAlone(column)
            if column >= width { running -= shareAlone(column - width) }
            if running > best.share { best = (running, column) }
        }
        guard best.end >= 0 else { return nil }
        var moment: Float = 0
        let first = max(best.end - width + 1, 0)
        for column in first...best.end { moment += shareAlone(column) * Float(column - first) }
        return (first + Int((moment / best.share).rounded()), best.share)
    }

    private func sum(_ range: ClosedRange<Int>) -> Float {
        var sum: Float = 0
        for column in range { sum += shares[rowMarginZeroCount + column] }
        return sum
    }

    private func places(around place: Int, reach: Int) -> ClosedRange<Int> {
        max(place - reach, 0)...min(place + reach, pooledFrameCount - 1)
    }

    private func pooledFrame(_ frame: Int) -> Int {
        min(max(frame / framesPerPooledFrame, 0), pooledFrameCount - 1)
    }

    private func updateTargets(_ prior: DistancePrior?) {
        let bar = prior?.trustedBar
        guard bar != barOfTargets else { return }
        barOfTargets = bar
        guard let prior, bar != nil else { return makeEveryTargetLikely() }
        var sum: Float = 0
        for column in 0..<pooledFrameCount { sum += prior[column] }
        for column in 0..<pooledFrameCount { jumpTargets[rowMarginZeroCount + column] = prior[column] / sum }
    }

    private func makeEveryTargetLikely() {
        (jumpTargets + rowMarginZeroCount).update(
            repeating: 1 / Float(pooledFrameCount), count: pooledFrameCount)
    }
}
