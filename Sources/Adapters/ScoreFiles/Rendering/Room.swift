/// The reverberation that the synthesizer adds.
public enum Reverberation: String, CaseIterable, Sendable {
    case dry, chamber, hall, church

    /// FluidSynth's reverb settings; nil if reverb is off.
    var fluidSynthReverb: (size: Double, damp: Double, width: Double, level: Double)? {
        switch self {
        case .dry: nil
        case .chamber: (0.35, 0.30, 0.4, 0.35)
        case .hall: (0.65, 0.25, 0.6, 0.55)
        case .church: (0.88, 0.15, 0.8, 0.75)
        }
    }
}
