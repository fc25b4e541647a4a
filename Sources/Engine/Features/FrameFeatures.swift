/// What a frame says about the sound.
public enum FrameFeatures: String, CaseIterable, Codable, Sendable {
    /// Semitone bands, and the onsets in each of them: what models store.
    case bands
    /// The energy of the twelve pitch classes, folded from the semitone bands; without onsets.
    case chroma

    /// Pitch classes, C first.
    static let pitchClasses = 12

    /// Values in a frame.
    public func dimensions(_ parameters: FeatureParameters) -> Int {
        self == .bands ? parameters.dimensions : Self.pitchClasses
    }

    /// Parts of a frame; each has at most unit norm, so this is the largest dot product of two frames.
    public var partCount: Int { self == .bands ? 2 : 1 }
}

extension FeatureParameters {
    /// Folds the pitch part of a frame of ``FrameFeatures/bands`` into one of ``FrameFeatures/chroma``: bands an
    /// octave apart are added. The norm stays, so that silence resembles nothing here too.
    /// - Parameters:
    ///   - bands: the ``dimensions`` values of the frame.
    ///   - chroma: receives twelve values, C first.
    /// - Complexity: O(pitchCount). Lane: follow; no allocation, no lock.
    public func foldChroma(_ bands: UnsafePointer<Float>, into chroma: UnsafeMutablePointer<Float>) {
        chroma.update(repeating: 0, count: FrameFeatures.pitchClasses)
        var bandSquares: Float = 0
        for band in 0..<pitchCount {
            chroma[(lowestPitch + band) % FrameFeatures.pitchClasses] += bands[band]
            bandSquares += bands[band] * bands[band]
        }
        var squares: Float = 0
        for pitchClass in 0..<FrameFeatures.pitchClasses {
            squares += chroma[pitchClass] * chroma[pitchClass]
        }
        guard squares > 0 else { return }
        let factor = (bandSquares / squares).squareRoot()
        for pitchClass in 0..<FrameFeatures.pitchClasses { chroma[pitchClass] *= factor }
    }
}
