/// The parameters that turn sound into feature frames. One set of values serves every piece; they were chosen by
/// measurement (docs/accuracy.md).
public struct FeatureParameters: Hashable, Sendable, Codable {
    /// Frames per second.
    public var framesPerSecond = 50
    /// Length of the window that resolves pitch, in seconds.
    public var longWindowSeconds = 0.186
    /// Length of the window that resolves onsets, in seconds.
    public var shortWindowSeconds = 0.093
    /// Lowest semitone band, MIDI number.
    public var lowestPitch = 36
    /// Number of semitone bands.
    public var pitchCount = 72
    /// Strength of the logarithmic compression, relative to the running level of loudness.
    public var compression: Float = 300
    /// Half-life of the running level in seconds.
    public var levelHalfLifeSeconds: Float = 8
    /// Lower limit of the running level: about -100 dB of full scale.
    public var lowestLevel: Float = 1e-5
    /// Number of bands on either side whose mean is subtracted (harmonic whitening).
    public var whiteningReach = 7
    /// Distance in frames between the two spectra whose increase counts as an onset.
    public var onsetLag = 3
    /// Factor by which an onset decays from one frame to the next.
    public var onsetDecay: Float = 0.85
    /// A pitch part with this norm is scaled to norm 0.7; a quieter one to less, a louder one to nearly 1.
    public var quietPitchNorm: Float = 0.5
    /// Norm at which an onset part is scaled to norm 0.7, like ``quietPitchNorm``.
    public var quietOnsetNorm: Float = 0.3

    public init() {}

    /// Values in a frame: first the pitch part, then the onset part.
    public var dimensions: Int { 2 * pitchCount }
}
