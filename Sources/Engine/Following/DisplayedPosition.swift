import Alignment
import MusicalTime
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
    private var isLost = false
    private var isFinished = false
    /// True if the alignment has jumped to another place that is not displayed yet.
    private var isJumpNotYetShown = false
    private var doubtfulFrameCount = 0
    private var certainFrameCount = 0
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
        isFinished = false
        isJumpNotYetShown = false
        doubtfulFrameCount = 0
        certainFrameCount = 0
        frameCountFarBehind = 0
        frameCountAtEnd = 0
        confidenceModel.reset()
    }

    /// Goes to the position that an operator has given.
    mutating func takeOperatorPosition(at place: ReferenceTime) {
        begin(at: place)
        confidenceModel.startTrusted()
    }

    mutating func makeReport(
        _ estimate: MusicAlignmentEstimate, live: LiveTime, isQuiet: Bool, isDropout: Bool
    ) -> PositionReport {
        let probability =
            estimate.supportsCalibratedConfidence
            ? confidenceModel.updateConfidence(estimate) : min(max(estimate.probability, 0), 1)
        if estimate.hasJumped { isStartKnown = true }
        if !estimate.supportsCalibratedConfidence {
            isLost = false
        } else if estimate.hasBegun {
            updateLostState(probability, jumped: estimate.hasJumped)
        }
        if estimate.hasJumped { isJumpNotYetShown = true }
        let heard = model.time(ofFrame: estimate.referenceFrame)
        if estimate.hasBegun && !isLost { updateShownTime(heard, probability: probability) }
        finishPieceAfterEnd(estimate)
        let position = model.measures.position(at: shownReferenceTime)
        return PositionReport(
            liveTime: live, referenceTime: shownReferenceTime, position: position,
            printedMeasure: model.measures.marks[position.played].printed, tempo: estimate.tempo,
            confidence: probability, state: followerState(estimate, isDropout: isDropout),
            likelyMeasures: LikelyMeasures(estimate.likelyPlaces, of: model))
    }

    /// The confidence below which, after a second, the follower is lost; above `foundAboveConfidence` it is found
    /// again.
    private static let lostBelowConfidence = 0.2
    private static let foundAboveConfidence = 0.5
    /// The confidence below which a place is not displayed directly after a jump to it.
    private static let shownAboveConfidence = 0.5
    /// The confidence above which, after three seconds, a position is trusted although the start was unknown.
    private static let certainAboveConfidence = 0.9

    private mutating func updateLostState(_ probability: Double, jumped: Bool) {
        // An unlikely place is not displayed; the last trusted one stays.
        if jumped && probability < Self.shownAboveConfidence { isLost = true }
        if isLost {
            // If the start is unknown, the search of the whole reference must find the music; if it began at the
            // first measure after all, that shows after a while.
            certainFrameCount = probability > Self.certainAboveConfidence ? certainFrameCount + 1 : 0
            let isCertain = certainFrameCount > 3 * framesPerSecond
            if isCertain || (isStartKnown && probability > Self.foundAboveConfidence) {
                isStartKnown = true
                isLost = false
                doubtfulFrameCount = 0
            }
            return
        }
        doubtfulFrameCount = probability < Self.lostBelowConfidence ? doubtfulFrameCount + 1 : 0
        if doubtfulFrameCount > framesPerSecond { isLost = true }
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
        return isDropout || estimate.standstillProbability > 0.5 ? .coasting : .following
    }
}
