/// What the forward filter assumes about the way music moves. One set of values serves every piece
/// (docs/accuracy.md).
public struct FilterParameters: Hashable, Sendable {
    /// Weight of the pitch part of a frame.
    public var pitchWeight: Float = 0.5
    /// Weight of the onset part of a frame.
    public var onsetWeight: Float = 0.5
    /// How strongly similarity decides, per frame: the likelihood of a place is exp(sharpness × similarity).
    public var sharpness: Float = 2.5
    /// Slowest and fastest tempo, as multiples of the reference's.
    public var slowestRatio: Float = 0.4
    public var fastestRatio: Float = 2.5
    /// Number of tempi from the slowest to the fastest, evenly spaced in the logarithm.
    public var tempoCount = 25
    /// Probability per frame of a change to each neighbouring tempo.
    public var tempoDrift: Float = 0.01
    /// Standard deviation of the natural logarithm of the tempo while nothing is known about it.
    public var tempoSpread: Float = 0.2
    /// Probability per frame that a note starts to be held, and that it goes on being held.
    public var holdChance: Float = 0.0003
    public var holdOnChance: Float = 0.8
    /// Probability per frame that a pause starts, and that it goes on.
    public var pauseChance: Float = 0.0001
    public var pauseOnChance: Float = 0.99
    /// The fit at which a frame is as likely noise as music, in standard deviations above the reference's mean
    /// similarity.
    public var noiseFit: Float = 0.5
    /// ``noiseFit`` before the music has begun, when noise must be excluded more strictly.
    public var noiseFitBeforeStart: Float = 0.8
    /// ``noiseFit`` for frames much softer than the music before.
    public var softNoiseFit: Float = 0.75
    /// Number of frames for which the music must move on and fit before it counts as begun.
    public var startFrames = 40
    /// Length in frames of the window around the position; a multiple of 16.
    public var windowFrames = 512

    /// Weighting of several references by how well each explains the sound: the sharpness of the softmax, and the
    /// number of frames over which the similarity is averaged.
    public var referenceSharpness: Float = 20
    public var referenceMemoryFrames: Float = 500

    /// Number of frames averaged into one frame of the search of the whole reference.
    public var searchPooling = 5
    /// Sharpness of the search, per pooled frame.
    public var searchSharpness: Float = 6
    /// Number of tempi of the search, from half to double the reference's.
    public var searchTempoCount = 9
    public var searchTempoDrift: Float = 0.05
    /// Probability per pooled frame that the music continues somewhere else.
    public var jumpChance: Float = 1e-4
    /// ``jumpChance`` while the position is unproven or the music pauses, when it often continues elsewhere.
    public var openJumpChance: Float = 1e-3
    /// Share of these continuations that start at a bar line, if the bars are known.
    public var barShare: Float = 0.7
    /// Distance in bars at which a bar is half as likely as the present one.
    public var nearBars: Float = 8
    /// Factor for the first bar of a section or a repeat, and for a bar that follows another occurrence of the
    /// present one.
    public var sectionWeight: Float = 2
    public var returnWeight: Float = 4
    /// Number of fitting frames after which a position that was jumped to counts as proven.
    public var provingFrames = 300
    /// Factor for the demands on a rival while the position is unproven.
    public var unprovenShare = 0.6
    /// While the music is awaited at a place: the probability per pooled frame that it continues elsewhere, and the
    /// share of this probability that goes to that place.
    public var awaitedChance: Float = 0.01
    public var awaitedShare: Float = 0.5
    /// While the music is awaited at a place: the number of frames for which another place must fit, and how well it
    /// must fit, in standard deviations.
    public var awaitedTrialFrames = 300
    public var awaitedRivalFit = 2.0
    /// Share of the search's probability from which another place counts as a rival.
    public var rivalMass = 0.5
    /// Mean number of standard deviations by which a rival must fit better than the present position.
    public var rivalFitGain = 1.3
    /// ``rivalFitGain`` for a rival that may win in half the time.
    public var clearRivalFitGain = 1.9
    /// Natural logarithm of the likelihood ratio by which a rival must win.
    public var rivalLead = 40.0
    /// Shortest and longest trial of a rival, in frames.
    public var rivalTrialFrames = 50
    public var rivalPatienceFrames = 250
    /// Constant added to the position, in frames: the lag of the filter, as measured.
    public var lagFrames = 1.5

    public init() {}

    /// For frames of one part only, such as chroma: the whole frame counts fully.
    public static let onePart: FilterParameters = {
        var parameters = FilterParameters()
        parameters.pitchWeight = 1
        parameters.onsetWeight = 1
        return parameters
    }()

    /// Weights a live frame, so that its dot product with a reference frame is their similarity.
    func weigh(
        _ values: UnsafePointer<Float>, dimensions: Int, into live: UnsafeMutablePointer<Float>
    ) {
        let pitchCount = dimensions / 2
        for value in 0..<pitchCount { live[value] = values[value] * pitchWeight }
        for value in pitchCount..<dimensions { live[value] = values[value] * onsetWeight }
    }
}
