import Alignment
import Basics
import Score

/// Turns estimates into what audience and staff see: a steady position, a state and a confidence.
///
/// The displayed position goes back only if the alignment has jumped to another place, or has stayed behind the
/// displayed position for a while with confidence. While the follower is lost, the last trusted position stays.
struct DisplayedPosition {
    private let model: ReferenceModel
    private let framesPerSecond: Int
    private var confidenceModel: ConfidenceModel
    private var shownReferenceTime = ReferenceTime(seconds: 0)
    private var isStartKnown = true
    /// True while the music is awaited.
    private var isAwaited = true
    /// True if the music was awaited at one place and has been found at another, which is not proven yet.
    private var isElsewhere = false
    private var isLost = false
    private var isFinished = false
    /// True if the alignment has jumped to another place that is not displayed yet.
    private var isJumpNotYetShown = false
    private var isDoubted = false
    private var lowConfidence = FrameStreak()
    private var longDoubt = FrameStreak()
    private var foundConfidence = FrameStreak()
    private var slowlyFoundConfidence = FrameStreak()
    private var sameWayConfidence = FrameStreak()
    private var certainConfidence = FrameStreak()
    private var doubtedConfidence = FrameStreak()
    private var believedConfidence = FrameStreak()
    private var halfSureConfidence = FrameStreak()
    /// True if the position was half sure for so long that this must do.
    private var isHalfSureEnough = false
    private var lostFrameCount = 0
    /// True if the alignment has jumped since the follower was lost.
    private var hasJumpedWhileLost = false
    private var frameCountFarBehind = 0
    private var frameCountAtEnd = 0

    init(model: ReferenceModel) {
        self.model = model
        framesPerSecond = model.framesPerSecond
        confidenceModel = ConfidenceModel(framesPerSecond: model.framesPerSecond)
    }

    mutating func begin(at start: ReferenceTime?) {
        shownReferenceTime = start ?? model.measures.marks[0].onset
        isStartKnown = start != nil
        isLost = start == nil
        isAwaited = start != nil
        isElsewhere = false
        isFinished = false
        isJumpNotYetShown = false
        isDoubted = false
        lostFrameCount = 0
        hasJumpedWhileLost = false
        forgetStreaks()
        doubtedConfidence = FrameStreak()
        believedConfidence = FrameStreak()
        halfSureConfidence = FrameStreak()
        isHalfSureEnough = false
        frameCountFarBehind = 0
        frameCountAtEnd = 0
        confidenceModel.reset(isStartKnown: start != nil)
    }

    /// Shows the music from its second beginning, and believes as much as at the first.
    private mutating func forgetFirstBeginning() {
        begin(at: shownReferenceTime)
        isJumpNotYetShown = true
    }

    /// Goes to the position that an operator has given.
    mutating func takeOperatorPosition(at place: ReferenceTime) {
        begin(at: place)
        confidenceModel.startTrusted()
    }

    mutating func makeReport(
        _ estimate: MusicAlignmentEstimate, live: LiveTime, isQuiet: Bool, isDropout: Bool
    ) -> PositionReport {
        if estimate.hasBegunAgain { forgetFirstBeginning() }
        let probability =
            estimate.supportsCalibratedConfidence
            ? confidenceModel.updateConfidence(estimate, isDropout: isDropout)
            : min(max(estimate.probability, 0), 1)
        let heard = model.time(ofFrame: estimate.referenceFrame)
        if estimate.hasJumped {
            isStartKnown = true
            if isAwaited, estimate.hasBegun, isFarFromBeginning(heard) {
                (isElsewhere, isLost) = (true, true)
            }
        }
        isAwaited = !estimate.hasBegun
        if !estimate.supportsCalibratedConfidence {
            isLost = false
        } else if estimate.hasBegun {
            updateLostState(probability, jumped: estimate.hasJumped, heard: heard)
            updateDoubt(probability)
        }
        if estimate.hasJumped { isJumpNotYetShown = true }
        if estimate.hasBegun && !isLost { updateShownTime(heard, probability: probability) }
        finishPieceAfterEnd(estimate)
        let position = model.measures.position(at: shownReferenceTime)
        var report = PositionReport(
            liveTime: live, referenceTime: shownReferenceTime, position: position,
            printedMeasure: model.measures.marks[position.played].printed, tempo: estimate.tempo,
            confidence: probability, state: followerState(estimate, isDropout: isDropout),
            likelyMeasures: LikelyMeasures(estimate.likelyPlaces, of: model))
        if report.state == .following || report.state == .coasting { offerCopies(estimate, in: &report) }
        return report
    }

    /// Says between which copies of the passage the sound cannot decide. Those within a measure count as the same.
    private func offerCopies(_ estimate: MusicAlignmentEstimate, in report: inout PositionReport) {
        let found = LikelyMeasures(estimate.copies, of: model)
        guard let own = found.first, let time = report.referenceTime, let position = report.position,
            let printed = report.printedMeasure
        else { return }
        let others = found.dropFirst().filter { abs($0.position.played - position.played) > 1 }
        guard !others.isEmpty else { return }
        report.copies.append(
            LikelyMeasure(
                referenceTime: time, position: position, printedMeasure: printed, probability: own.probability
            ))
        for other in others { report.copies.append(other) }
        report.confidence *= own.probability
    }

    /// The confidence below which, after half a second, the follower is lost.
    private static let lostBelowConfidence = 0.3
    /// The confidence above which, after three tenths of a second, the follower is found again.
    private static let foundAboveConfidence = 0.85
    /// The confidence below which a place is not displayed directly after a jump to it.
    private static let shownAboveConfidence = 0.85
    /// The confidence below which, after a fifth of a second, the position is doubted; above `believedAboveConfidence`
    /// it is believed again after three tenths of a second. docs/accuracy.md has the shares of right and wrong time that
    /// are doubted.
    private static let doubtedBelowConfidence = 0.8
    private static let believedAboveConfidence = 0.85
    /// In some halls the confidence stays between the two for long. A position that stays above `halfSureConfidence` for
    /// `longestDoubtSeconds` is believed too, and doubted only below that until it has been sure again.
    private static let halfSureConfidence = 0.6
    /// The number of seconds after which a follower whose position is doubted is lost, if it is below
    /// `halfSureConfidence` all the time.
    private static let longestDoubtSeconds = 3
    /// The confidence above which, after three seconds, a position is trusted although the start was unknown.
    private static let certainAboveConfidence = 0.9

    /// In some halls the confidence never gets higher; above this, the follower is found after so many seconds.
    private static let slowlyFoundAboveConfidence = 0.7
    private static let slowProofSeconds = 8
    /// Above this confidence, the follower is found after `sameWayProofSeconds` if the alignment has gone on all the
    /// time without a jump, and as fast as before, give or take `sameWayTempoFactor` and `sameWaySlackSeconds`.
    private static let foundOnSameWayAboveConfidence = 0.6
    private static let sameWayProofSeconds = 2
    private static let sameWayTempoFactor = 1.3
    private static let sameWaySlackSeconds = 1.0
    /// After so many seconds of being lost, the sound is probably not this piece. A place that the music cannot have
    /// reached meanwhile, give or take `farPlaceSeconds`, must then be sure for `farPlaceProofSeconds` before it is
    /// displayed. Musicians who stop often begin again up to `repeatedSeconds` before.
    private static let longestLossOfThePieceSeconds = 5.0
    private static let farPlaceSeconds = 10.0
    private static let repeatedSeconds = 60.0
    private static let farPlaceProofSeconds = 2

    private var lostSeconds: Double { Double(lostFrameCount) / Double(framesPerSecond) }

    /// The distance in seconds within which the music can have come since a beginning that was not heard.
    private static let unheardSeconds = 20.0

    private func isFarFromBeginning(_ heard: ReferenceTime) -> Bool {
        !(0...Self.unheardSeconds).contains(heard.seconds - shownReferenceTime.seconds)
    }

    /// True if a place is where the music is now, had it gone on from the last trusted place at its usual tempo.
    private func isOnSameWay(_ heard: ReferenceTime) -> Bool {
        let gone = heard.seconds - shownReferenceTime.seconds
        let expected = lostSeconds * confidenceModel.usualTempo
        let slack = Self.sameWaySlackSeconds
        return gone > expected / Self.sameWayTempoFactor - slack
            && gone < expected * Self.sameWayTempoFactor + slack
    }

    /// The number of frames for which a place must be believed before it is displayed again.
    private func proofFrameCount(ofPlaceAt heard: ReferenceTime) -> Int {
        let reached =
            shownReferenceTime.seconds - Self.repeatedSeconds...shownReferenceTime.seconds
            + Self.farPlaceSeconds + 1.5 * lostSeconds
        return lostSeconds > Self.longestLossOfThePieceSeconds && !reached.contains(heard.seconds)
            ? Self.farPlaceProofSeconds * framesPerSecond : framesPerSecond * 3 / 10
    }

    private mutating func updateLostState(_ probability: Double, jumped: Bool, heard: ReferenceTime) {
        // An unlikely place is not displayed; the last trusted one stays.
        let isUnlikelyJump = jumped && probability < Self.shownAboveConfidence
        if !isLost {
            let isUnlikely = lowConfidence.lasts(
                probability < Self.lostBelowConfidence, for: framesPerSecond / 2)
            let isDoubtedTooLong = longDoubt.lasts(
                isDoubted && probability < Self.halfSureConfidence,
                for: Self.longestDoubtSeconds * framesPerSecond)
            isLost = isUnlikely || isDoubtedTooLong
        }
        if isUnlikelyJump { isLost = true }
        hasJumpedWhileLost = isLost && (hasJumpedWhileLost || jumped)
        lostFrameCount = isLost ? lostFrameCount + 1 : 0
        guard isLost else { return }
        // If the start is unknown, the search of the whole reference must find the music; if it began at the first
        // measure after all, that shows after a while.
        let isFound = foundConfidence.lasts(
            probability > Self.foundAboveConfidence && !isUnlikelyJump, for: proofFrameCount(ofPlaceAt: heard)
        )
        let isSlowlyFound = slowlyFoundConfidence.lasts(
            probability > Self.slowlyFoundAboveConfidence && !isUnlikelyJump,
            for: Self.slowProofSeconds * framesPerSecond)
        let isFoundOnSameWay = sameWayConfidence.lasts(
            probability > Self.foundOnSameWayAboveConfidence && !hasJumpedWhileLost && isOnSameWay(heard),
            for: Self.sameWayProofSeconds * framesPerSecond)
        let isCertain = certainConfidence.lasts(
            probability > Self.certainAboveConfidence, for: 3 * framesPerSecond)
        let isBelieved = isFound || isFoundOnSameWay
        if isCertain || (isStartKnown && (isSlowlyFound || isBelieved && !isElsewhere)) {
            isStartKnown = true
            isElsewhere = false
            isLost = false
            isDoubted = false
            forgetStreaks()
        }
    }

    /// Decides whether the position is doubted: it is still displayed, but as one that goes on by itself.
    private mutating func updateDoubt(_ probability: Double) {
        if probability > Self.believedAboveConfidence { isHalfSureEnough = false }
        if isDoubted {
            let isSure = believedConfidence.lasts(
                probability > Self.believedAboveConfidence, for: framesPerSecond * 3 / 10)
            let isHalfSure = halfSureConfidence.lasts(
                probability > Self.halfSureConfidence, for: Self.longestDoubtSeconds * framesPerSecond)
            isDoubted = !isSure && !isHalfSure
            isHalfSureEnough = isHalfSure && !isSure
        } else {
            let limit = isHalfSureEnough ? Self.halfSureConfidence : Self.doubtedBelowConfidence
            isDoubted = doubtedConfidence.lasts(probability < limit, for: framesPerSecond / 5)
            if isDoubted {
                believedConfidence = FrameStreak()
                halfSureConfidence = FrameStreak()
            }
        }
    }

    private mutating func forgetStreaks() {
        lowConfidence = FrameStreak()
        longDoubt = FrameStreak()
        foundConfidence = FrameStreak()
        slowlyFoundConfidence = FrameStreak()
        sameWayConfidence = FrameStreak()
        certainConfidence = FrameStreak()
    }

    private mutating func updateShownTime(_ heard: ReferenceTime, probability: Double) {
        if isJumpNotYetShown { isFinished = false }
        guard !isFinished else { return }
        if isJumpNotYetShown || heard > shownReferenceTime {
            shownReferenceTime = heard
            isJumpNotYetShown = false
            frameCountFarBehind = 0
            return
        }
        // A small step back waits for the music to catch up; a large one is trusted if it lasts.
        let isFarBehind =
            heard.seconds < shownReferenceTime.seconds - 3 && probability > Self.foundAboveConfidence
        frameCountFarBehind = isFarBehind ? frameCountFarBehind + 1 : 0
        if frameCountFarBehind > framesPerSecond {
            shownReferenceTime = heard
            frameCountFarBehind = 0
        }
    }

    /// Ends the piece one and a half seconds after its last moments were reached.
    private mutating func finishPieceAfterEnd(_ estimate: MusicAlignmentEstimate) {
        let isAtEnd = shownReferenceTime.seconds > model.measures.end.seconds - 0.7
        frameCountAtEnd = isAtEnd && estimate.hasBegun ? frameCountAtEnd + 1 : 0
        if frameCountAtEnd > framesPerSecond * 3 / 2 {
            isFinished = true
            shownReferenceTime = max(shownReferenceTime, model.measures.end)
        }
    }

    private func followerState(_ estimate: MusicAlignmentEstimate, isDropout: Bool) -> FollowerState {
        if isFinished { return .finished }
        if isLost { return .lost }
        if !estimate.hasBegun { return .waiting }
        let isStandingStill = isDropout || estimate.standstillProbability > 0.5
        return isStandingStill || isDoubted ? .coasting : .following
    }
}
