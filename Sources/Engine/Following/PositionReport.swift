import Alignment
import MusicalTime
import Score

/// The follower's report after each hop.
public struct PositionReport: Sendable, Hashable, BitwiseCopyable {
    /// Length of the audio that had been heard when the report was made.
    public var live: LiveTime
    /// The matching instant of the reference; nil while there is no estimate.
    public var reference: ReferenceTime?
    /// Played measure and fraction; nil while there is no estimate.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while there is no estimate.
    public var printedMeasure: Int?
    public var tempo: TempoRatio
    /// Calibrated probability that the displayed measure is right to within one, 0…1.
    public var confidence: Double
    public var state: FollowerState
    /// Semitones by which the live pitch is higher than the reference's; 0 in the same key.
    public var transpositionSemitones: Int
    /// Cents by which the live tuning is higher than the reference's, beyond the transposition.
    public var tuningCents: Double
    /// Where the music may be, by the search of the whole reference; in any state, and empty if no place stands out.
    public var candidates: LikelyMeasures
    /// Time from the capture of the newest sample that was used to this report; zero if the audio is a file.
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
