/// The parameters that turn sound into feature frames. The same values serve every piece; they were chosen by
/// measurement (docs/accuracy.md).
public struct FeatureParameters: Hashable, Sendable, Codable {
    /// The number of frames per second.
    public var framesPerSecond = 50
    /// The length of the window that resolves pitch, in seconds.
    public var longWindowSeconds = 0.186
    /// The length of the window that resolves onsets, in seconds.
    public var shortWindowSeconds = 0.093
    /// The lowest semitone band, as a MIDI note number.
    public var lowestPitch = 36
    /// Number of semitone bands.
    public var pitchCount = 72
    /// Strength of the logarithmic compression, relative to the running level of loudness.
    public var compression: Float = 1000
    /// The time in seconds in which the running level falls by half.
    public var levelHalfLifeSeconds: Float = 8
    /// The lower limit of the running level: about -100 dB of full scale.
    public var lowestLevel: Float = 1e-5
    /// Number of bands on either side whose mean is subtracted (harmonic whitening).
    public var whiteningReach = 4
    /// Distance in frames between the two spectra whose increase counts as an onset.
    public var onsetLag = 3
    /// Factor by which an onset decays from one frame to the next.
    public var onsetDecay: Float = 0.85
    /// A pitch part with this norm is scaled to norm 0.7; a quieter one to less, a louder one to nearly 1.
    public var quietPitchNorm: Float = 0.5
    /// The norm at which an onset part is scaled to norm 0.7; see ``quietPitchNorm``.
    public var quietOnsetNorm: Float = 0.3

    public init() {}

    /// The number of values in a frame: first those of the pitch part, then as many of the onset part.
    public var dimensions: Int { 2 * pitchCount }
}
