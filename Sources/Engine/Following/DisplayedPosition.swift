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
    private var confidence: ConfidenceModel
    private var shownTime = ReferenceTime(seconds: 0)
    private var isStartKnown = true
    private var isLost = false
    private var isFinished = false
    /// True if the alignment has jumped to another place that is not displayed yet.
    private var hasLeapt = false
    private var doubtfulFrames = 0
    private var certainFrames = 0
    private var framesBehind = 0
    private var framesAtEnd = 0

    init(model: ReferenceModel) {
        self.model = model
        framesPerSecond = model.framesPerSecond
        confidence = ConfidenceModel(framesPerSecond: model.framesPerSecond)
    }

    mutating func begin(at start: ReferenceTime?) {
        shownTime = start ?? model.measures.marks[0].onset
        isStartKnown = start != nil
        isLost = start == nil
        isFinished = false
        hasLeapt = false
        doubtfulFrames = 0
        certainFrames = 0
        framesBehind = 0
        framesAtEnd = 0
        confidence.reset()
    }

    /// Goes to the position that an operator has given.
    mutating func anchor(at place: ReferenceTime) {
        begin(at: place)
        confidence.startTrusted()
    }

    mutating func report(
        _ estimate: AlignmentEstimate, live: LiveTime, isQuiet: Bool, isDropout: Bool
    ) -> PositionReport {
        let probability =
            estimate.isCalibrated ? confidence.update(estimate) : min(max(estimate.probability, 0), 1)
        if estimate.jumped { isStartKnown = true }
        if !estimate.isCalibrated {
            isLost = false
        } else if estimate.hasBegun {
            updateLostState(probability, jumped: estimate.jumped)
        }
        if estimate.jumped { hasLeapt = true }
        let heard = model.time(ofFrame: estimate.frame)
        if estimate.hasBegun && !isLost { updateShownTime(heard, probability: probability) }
        watchEnd(estimate)
        let position = model.measures.position(at: shownTime)
        return PositionReport(
            liveTime: live, referenceTime: shownTime, position: position,
            printedMeasure: model.measures.marks[position.played].printed, tempo: estimate.tempo,
            confidence: probability, state: state(estimate, isDropout: isDropout),
            likelyMeasures: LikelyMeasures(estimate.likelyPlaces, of: model))
    }

    /// The confidence below which, after a second, the follower is lost; above `foundAbove` it is found again.
    private static let lostBelow = 0.2
    private static let foundAbove = 0.5
    /// The confidence below which a place is not displayed directly after a jump to it.
    private static let shownAbove = 0.5
    /// The confidence above which, after three seconds, a position is trusted although the start was unknown.
    private static let certainAbove = 0.9

    private mutating func updateLostState(_ probability: Double, jumped: Bool) {
        // An unlikely place is not displayed; the last trusted one stays.
        if jumped && probability < Self.shownAbove { isLost = true }
        if isLost {
            // If the start is unknown, the search of the whole reference must find the music; if it began at the
            // first measure after all, that shows after a while.
            certainFrames = probability > Self.certainAbove ? certainFrames + 1 : 0
            let isCertain = certainFrames > 3 * framesPerSecond
            if isCertain || (isStartKnown && probability > Self.foundAbove) {
                isStartKnown = true
                isLost = false
                doubtfulFrames = 0
            }
            return
        }
        doubtfulFrames = probability < Self.lostBelow ? doubtfulFrames + 1 : 0
        if doubtfulFrames > framesPerSecond { isLost = true }
    }

    private mutating func updateShownTime(_ heard: ReferenceTime, probability: Double) {
        if hasLeapt { isFinished = false }
        guard !isFinished else { return }
        if hasLeapt || heard > shownTime {
            shownTime = heard
            hasLeapt = false
            framesBehind = 0
            return
        }
        // A small step back waits for the music to catch up; a large one is trusted if it lasts.
        let isFarBehind = heard.seconds < shownTime.seconds - 3 && probability > Self.foundAbove
        framesBehind = isFarBehind ? framesBehind + 1 : 0
        if framesBehind > framesPerSecond {
            shownTime = heard
            framesBehind = 0
        }
    }

    /// Ends the piece one and a half seconds after its last moments were reached.
    private mutating func watchEnd(_ estimate: AlignmentEstimate) {
        let isAtEnd = shownTime.seconds > model.measures.end.seconds - 0.7
        framesAtEnd = isAtEnd && estimate.hasBegun ? framesAtEnd + 1 : 0
        if framesAtEnd > framesPerSecond * 3 / 2 {
            isFinished = true
            shownTime = max(shownTime, model.measures.end)
        }
    }

    private func state(_ estimate: AlignmentEstimate, isDropout: Bool) -> FollowerState {
        if isFinished { return .finished }
        if isLost { return .lost }
        if !estimate.hasBegun { return .waiting }
        return isDropout || estimate.standingShare > 0.5 ? .coasting : .following
    }
}
