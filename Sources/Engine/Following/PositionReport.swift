import MusicalTime
import Score

/// What the follower says after each hop.
public struct PositionReport: Sendable, Hashable, BitwiseCopyable {
    /// Audio consumed when the report was made.
    public var live: LiveTime
    /// The matching instant of the reference; nil while there is no estimate.
    public var reference: ReferenceTime?
    /// Played measure and fraction; nil while there is no estimate.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while there is no estimate.
    public var printedMeasure: Int?
    public var tempo: TempoRatio
    /// Calibrated probability that the shown measure is right within one, 0…1.
    public var confidence: Double
    public var state: FollowerState
    /// Live pitch against the reference's, whole semitones; 0 where both are in the same key.
    public var transpositionSemitones: Int
    /// Live tuning against the reference's beyond the transposition, in cents.
    public var tuningCents: Double
    /// Where the music may be, by the search of the whole reference, in any state; none where nothing stands out.
    public var candidates: LikelyMeasures
    /// From the capture of the newest sample used to this report; zero where the audio is a file.
    public var captureToReport: Seconds

    public init(
        live: LiveTime, reference: ReferenceTime?, position: ScorePosition?, printedMeasure: Int?,
        tempo: TempoRatio, confidence: Double, state: FollowerState, transpositionSemitones: Int = 0,
        tuningCents: Double = 0, candidates: LikelyMeasures = LikelyMeasures(),
        captureToReport: Seconds = .zero
    ) {
        self.live = live
        self.reference = reference
        self.position = position
        self.printedMeasure = printedMeasure
        self.tempo = tempo
        self.confidence = confidence
        self.state = state
        self.transpositionSemitones = transpositionSemitones
        self.tuningCents = tuningCents
        self.candidates = candidates
        self.captureToReport = captureToReport
    }
}
