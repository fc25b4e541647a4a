import MusicalTime

/// How a performance differs from what is written.
public struct Interpretation: Equatable, Sendable {
    /// Multiplies every tempo.
    public var tempo: TempoRatio
    public var curve: TempoCurve?
    /// Louder or softer, in decibels, by part name.
    public var balanceDecibels: [String: Double]
    /// Standard deviation of each note's displacement.
    public var timingJitter: Seconds
    /// Standard deviation of each note's velocity, in MIDI steps of 127.
    public var velocityJitterSteps: Double
    /// Starts the generator of both jitters: the same seed gives the same bytes.
    public var seed: UInt64
    /// Silence before the first measure.
    public var leadIn: Seconds
    /// Time after the last measure in which the sound dies away.
    public var tail: Seconds

    public init(
        tempo: TempoRatio = .unity, curve: TempoCurve? = nil, balanceDecibels: [String: Double] = [:],
        timingJitter: Seconds = .zero, velocityJitterSteps: Double = 0, seed: UInt64 = 0,
        leadIn: Seconds = Seconds(0.5), tail: Seconds = Seconds(2.5)
    ) {
        self.tempo = tempo
        self.curve = curve
        self.balanceDecibels = balanceDecibels
        self.timingJitter = timingJitter
        self.velocityJitterSteps = velocityJitterSteps
        self.seed = seed
        self.leadIn = leadIn
        self.tail = tail
    }
}
