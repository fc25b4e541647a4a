/// How sound becomes frames. One set of values for every piece; chosen by measurement (docs/accuracy.md).
public struct FeatureParameters: Hashable, Sendable, Codable {
    /// Frames a second.
    public var framesPerSecond = 50
    /// Length of the window that resolves pitch, in seconds.
    public var longWindowSeconds = 0.186
    /// Length of the window that resolves onsets, in seconds.
    public var shortWindowSeconds = 0.093
    /// Lowest semitone band, MIDI number.
    public var lowestPitch = 36
    /// Semitone bands.
    public var pitchCount = 72
    /// Strength of the logarithmic compression, relative to the running level.
    public var compression: Float = 300
    /// Half-life of the running level in seconds.
    public var levelHalfLifeSeconds: Float = 8
    /// The running level never counts as less than this: about -100 dB of full scale.
    public var lowestLevel: Float = 1e-5
    /// Bands on either side whose mean is taken off (harmonic whitening).
    public var whiteningReach = 7
    /// Frames between the two spectra whose rise is an onset.
    public var onsetLag = 3
    /// What is left of an onset after one frame.
    public var onsetDecay: Float = 0.85
    /// A pitch part of this norm counts for 0.7.
    public var quietPitchNorm: Float = 0.5
    /// An onset part of this norm counts for 0.7.
    public var quietOnsetNorm: Float = 0.3

    public init() {}

    /// Values in a frame: the pitch part, then the onset part.
    public var dimensions: Int { 2 * pitchCount }
}
