/// How the forward filter believes music moves. One set of values for every piece (docs/accuracy.md).
public struct FilterParameters: Hashable, Sendable {
    /// Weight of the pitch part of a frame against the onset part's.
    public var pitchWeight: Float = 0.5
    /// Weight of the onset part.
    public var onsetWeight: Float = 0.5
    /// How sharply a difference in similarity tells places apart, per frame.
    public var sharpness: Float = 2.5
    /// Slowest and fastest tempo against the reference's.
    public var slowestRatio: Float = 0.4
    public var fastestRatio: Float = 2.5
    /// Tempo steps between them, evenly spaced in the logarithm.
    public var tempoCount = 25
    /// Chance per frame to change to each neighbouring tempo.
    public var tempoDrift: Float = 0.01
    /// Spread of the tempo (natural logarithm) where nothing is known of it.
    public var tempoSpread: Float = 0.2
    /// Chance per frame that the music is held, and that it goes on being held.
    public var holdChance: Float = 0.0003
    public var holdOnChance: Float = 0.8
    /// Chance per frame that the music pauses, and that it goes on pausing.
    public var pauseChance: Float = 0.0001
    public var pauseOnChance: Float = 0.99
    /// Standard deviations above the reference's mean similarity at which noise is as likely as music.
    public var noiseFit: Float = 0.5
    /// The same while the music has not begun: a stricter ear for noise.
    public var noiseFitBeforeStart: Float = 0.8
    /// The same in frames much softer than the music was.
    public var softNoiseFit: Float = 0.75
    /// Frames the music must move and fit before it counts as begun.
    public var startFrames = 40
    /// Frames of the window kept around the position; a multiple of 16.
    public var windowFrames = 512

    /// How sharply several references are weighed by how well each explains the present, and over how many frames.
    public var referenceSharpness: Float = 20
    public var referenceMemoryFrames: Float = 500

    /// Frames that make one of the whole-reference search.
    public var searchPooling = 5
    /// Sharpness of the search, per pooled frame.
    public var searchSharpness: Float = 6
    /// Tempo steps of the search, from half to double.
    public var searchTempoCount = 9
    public var searchTempoDrift: Float = 0.05
    /// Chance per pooled frame that the music goes on somewhere else.
    public var jumpChance: Float = 1e-4
    /// The same while a place is not proven, or the music pauses: then it often goes on elsewhere.
    public var openJumpChance: Float = 1e-3
    /// Share of the music going on elsewhere that begins at a bar, where bars are known.
    public var barShare: Float = 0.7
    /// Distance in bars at which another bar is half as likely as the very next.
    public var nearBars: Float = 8
    /// How much likelier the first bar of a section or repeat is, and one that follows the present bar elsewhere.
    public var sectionWeight: Float = 2
    public var returnWeight: Float = 4
    /// Frames that fit before a place, once jumped to, counts as proven.
    public var provingFrames = 300
    /// What is left of the demands on a rival until then.
    public var unprovenShare = 0.6
    /// The same while the music is awaited at a place, and the share of it that is for that place.
    public var awaitedChance: Float = 0.01
    public var awaitedShare: Float = 0.5
    /// While the music is awaited at a place: for how many frames, and how well, another place must fit.
    public var awaitedTrialFrames = 300
    public var awaitedRivalFit = 2.0
    /// Share of the search's mass that makes another place a rival.
    public var rivalMass = 0.5
    /// By how many standard deviations a rival must fit better than the present place, on average.
    public var rivalFitGain = 1.3
    /// The same where the rival wins in half the time.
    public var clearRivalFitGain = 1.9
    /// Natural logarithm of the likelihood ratio by which a rival must win.
    public var rivalLead = 40.0
    /// Shortest and longest trial of a rival, in frames.
    public var rivalTrialFrames = 50
    public var rivalPatienceFrames = 250
    /// A constant added to the position, in frames: what the filter lags behind, by measurement.
    public var lagFrames = 1.5

    public init() {}

    /// For frames of one part only, such as chroma: all of a frame counts fully.
    public static let onePart: FilterParameters = {
        var parameters = FilterParameters()
        parameters.pitchWeight = 1
        parameters.onsetWeight = 1
        return parameters
    }()

    /// Weighs a live frame, so that its dot product with a reference frame is their similarity.
    func weigh(
        _ values: UnsafePointer<Float>, dimensions: Int, into live: UnsafeMutablePointer<Float>
    ) {
        let pitchCount = dimensions / 2
        for value in 0..<pitchCount { live[value] = values[value] * pitchWeight }
        for value in pitchCount..<dimensions { live[value] = values[value] * onsetWeight }
    }
}
