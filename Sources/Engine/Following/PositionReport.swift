import Alignment
import Basics
import Score

/// The follower's report after each hop.
public struct PositionReport: Sendable, Hashable, BitwiseCopyable {
    /// The duration of the audio that had been heard when the report was made.
    public var liveTime: LiveTime
    /// The position as an instant of the reference; nil while there is no estimate.
    public var referenceTime: ReferenceTime?
    /// The position as a played measure with a fraction; nil while there is no estimate.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while there is no estimate.
    public var printedMeasure: Int?
    public var tempo: TempoRatio
    /// The calibrated probability that the displayed measure is right to within one, 0…1.
    public var confidence: Double
    public var state: FollowerState
    /// Semitones by which the live pitch is higher than the reference's; 0 in the same key.
    public var transpositionSemitones: Int
    /// Cents by which the live tuning is higher than the reference's, beyond the transposition.
    public var tuningCents: Double
    /// The measures in which the music may be, found by the search of the whole reference. They are given in any state;
    /// there are none if no place stands out.
    public var likelyMeasures: LikelyMeasures
    /// The copies of the passage between which the sound cannot decide, the displayed one first, with their shares;
    /// none if the displayed place is the only one.
    public var copies = LikelyMeasures()
    /// The time from the capture of the newest sample used until this report; zero if the audio is a file.
    public var captureToReportDelay: Seconds

    /// True if the music may as well be at another copy of the passage.
    public var isUndecided: Bool { !copies.isEmpty }

    /// The calibrated probability that the passage is right, in whichever of its copies the music is, 0…1.
    public var passageConfidence: Double {
        guard let own = copies.first else { return confidence }
        return min(confidence / max(own.probability, 0.001), 1)
    }

    public init(
        liveTime: LiveTime, referenceTime: ReferenceTime?, position: ScorePosition?, printedMeasure: Int?,
        tempo: TempoRatio, confidence: Double, state: FollowerState, transpositionSemitones: Int = 0,
        tuningCents: Double = 0, likelyMeasures: LikelyMeasures = LikelyMeasures(),
        captureToReport: Seconds = .zero
    ) {
        self.liveTime = liveTime
        self.referenceTime = referenceTime
        self.position = position
        self.printedMeasure = printedMeasure
        self.tempo = tempo
        self.confidence = confidence
        self.state = state
        self.transpositionSemitones = transpositionSemitones
        self.tuningCents = tuningCents
        self.likelyMeasures = likelyMeasures
        self.captureToReportDelay = captureToReport
    }
}
