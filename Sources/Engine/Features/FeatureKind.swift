/// The kinds of feature that a frame can hold.
public enum FeatureKind: String, CaseIterable, Codable, Sendable {
    /// Semitone bands and their onsets, refined by ``FrameRefinement``. These are followed by.
    case refined
    /// Semitone bands, and the onsets in each band. Stored models hold these.
    case bands
    /// The energy of the twelve pitch classes, folded from the semitone bands; onsets are left out.
    case chroma

    /// The number of pitch classes; C is the first.
    static let pitchClassCount = 12

    /// Returns the number of values in a frame.
    public func dimensions(_ parameters: FeatureParameters) -> Int {
        self == .chroma ? Self.pitchClassCount : parameters.dimensions
    }

    /// The number of parts in a frame. Each part has at most unit norm, so this is also the largest dot product of two
    /// frames.
    public var partCount: Int { self == .chroma ? 1 : 2 }
}

extension FeatureParameters {
    /// Folds the pitch part of a frame of ``FeatureKind/bands`` into one of ``FeatureKind/chroma``: bands an octave
    /// apart are added. The norm of the pitch part is kept, so that silence resembles nothing in chroma either.
    /// - Parameters:
    ///   - bands: the ``dimensions`` values of the frame.
    ///   - chroma: receives twelve values, C first.
    /// - Complexity: O(pitchCount). Safe on the real-time following thread: no allocation, no lock.
    public func foldChroma(_ bands: UnsafePointer<Float>, into chroma: UnsafeMutablePointer<Float>) {
        chroma.update(repeating: 0, count: FeatureKind.pitchClassCount)
        var bandSquares: Float = 0
        for band in 0..<pitchCount {
            chroma[(lowestPitch + band) % FeatureKind.pitchClassCount] += bands[band]
            bandSquares += bands[band] * bands[band]
        }
        var squares: Float = 0
        for pitchClass in 0..<FeatureKind.pitchClassCount {
            squares += chroma[pitchClass] * chroma[pitchClass]
        }
        guard squares > 0 else { return }
        let factor = (bandSquares / squares).squareRoot()
        for pitchClass in 0..<FeatureKind.pitchClassCount { chroma[pitchClass] *= factor }
    }
}
