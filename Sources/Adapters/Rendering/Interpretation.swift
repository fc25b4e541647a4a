import MusicalTime

/// The deviations of a performance from the written score.
public struct Interpretation: Equatable, Sendable {
    /// A factor by which every tempo is multiplied.
    public var tempo: TempoRatio
    public var curve: TempoCurve?
    /// The change of each part's volume in decibels, keyed by part name.
    public var balanceDecibels: [String: Double]
    /// The standard deviation of the random shift of each note in time.
    public var timingJitter: Seconds
    /// The standard deviation of the random change of each note's MIDI velocity, in steps of 1/127.
    public var velocityJitterSteps: Double
    /// The seed of the random timing and velocity changes; the same seed gives the same file, byte for byte.
    public var seed: UInt64
    /// The silence before the first measure.
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
