import Basics

/// The deviations of a performance from the written score.
public struct PerformanceInterpretation: Equatable, Sendable {
    /// A factor by which every tempo is multiplied.
    public var tempoRatio: TempoRatio
    public var tempoCurve: TempoCurve?
    /// The change of each part's volume in decibels, keyed by part name.
    public var volumeChangeDecibelsByPart: [String: Double]
    /// The standard deviation of the random shift of each note in time.
    public var timingJitter: Seconds
    /// The standard deviation of the random change of each note's MIDI velocity, in steps of 1/127.
    public var velocityJitterSteps: Double
    /// The seed of the random timing and velocity changes; the same seed gives the same file, byte for byte.
    public var seed: UInt64
    /// The silence before the first measure.
    public var leadIn: Seconds
    /// The time after the last measure in which the sound dies away.
    public var dieAwayTime: Seconds

    public init(
        tempoRatio: TempoRatio = .unity, tempoCurve: TempoCurve? = nil,
        volumeChangeDecibelsByPart: [String: Double] = [:],
        timingJitter: Seconds = .zero, velocityJitterSteps: Double = 0, seed: UInt64 = 0,
        leadIn: Seconds = Seconds(0.5), dieAwayTime: Seconds = Seconds(2.5)
    ) {
        self.tempoRatio = tempoRatio
        self.tempoCurve = tempoCurve
        self.volumeChangeDecibelsByPart = volumeChangeDecibelsByPart
        self.timingJitter = timingJitter
        self.velocityJitterSteps = velocityJitterSteps
        self.seed = seed
        self.leadIn = leadIn
        self.dieAwayTime = dieAwayTime
    }
}
