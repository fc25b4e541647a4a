import MusicalTime

/// Follows one reference timeline, one live frame at a time, without looking ahead.
///
/// Methods differ in how they search; what they are told and what they answer is the same, so that they can be
/// compared by one evaluation. An object belongs to one thread; ``advance(_:)`` neither allocates nor locks and
/// takes bounded time.
public protocol AlignmentMethod: AnyObject {
    /// Forgets everything and expects the music to begin at a place of the reference.
    /// - Parameter start: where the first note is expected; nil where nobody knows.
    func begin(at start: FrameIndex?)

    /// Somebody who knows says that the music is there now, and playing.
    /// - Parameters:
    ///   - frame: of the reference.
    ///   - tempo: as far as it is known.
    func anchor(at frame: FrameIndex, tempo: TempoRatio?)

    /// Takes the next live frame and says where it belongs.
    func advance(_ frame: LiveFrame) -> AlignmentEstimate
}

extension AlignmentMethod {
    /// A method that knows no better begins there.
    public func anchor(at frame: FrameIndex, tempo: TempoRatio?) { begin(at: frame) }
}

/// A live frame and what the ear should know beside it.
public struct LiveFrame {
    /// As many values as the reference's frames have; valid during the call only.
    public var values: UnsafePointer<Float>
    /// The room is silent: the musicians pause.
    public var isQuiet: Bool
    /// Much softer than the music has been: it fades, is very soft, or pauses.
    public var isSoft = false
    /// The signal is gone, not the music: digital silence from a dead cable or device.
    public var isDropout: Bool

    public init(values: UnsafePointer<Float>, isQuiet: Bool = false, isDropout: Bool = false) {
        self.values = values
        self.isQuiet = isQuiet
        self.isDropout = isDropout
    }
}

/// Where a method believes the music is.
public struct AlignmentEstimate: Sendable, Hashable {
    /// Reference frame, with fraction; the end of that frame is what sounds now.
    public var frame: Double
    /// Reference frames a live frame.
    public var tempo: TempoRatio
    /// Probability mass near `frame`, 0…1, by the method's own uncalibrated reckoning.
    public var mass: Double
    /// How much better the live frame fits here than elsewhere: standard deviations above the reference's mean.
    public var fit: Double
    /// True once the music has begun, as far as the method can tell.
    public var hasBegun: Bool
    /// Share of the mass that stands still: a pause, a noise, the wait before the first note.
    public var standing: Double
    /// True where the path was left for another place of the reference.
    public var jumped: Bool
    /// True where a confidence has been calibrated on this method's figures; else `mass` is all there is.
    public var isCalibrated = false
    /// The runner-up elsewhere in the reference: frame and share of the mass in a whole-reference search; mass 0
    /// where the method has none.
    public var rivalFrame: Double
    public var rivalMass: Double
    /// By how many standard deviations a rival on trial fits better than `frame`, on average; 0 without a trial.
    public var rivalGain: Double
    /// How far the whole-reference search agrees with `frame`, 0…1; 1 where the method has none.
    public var support: Double
    /// Where in the whole reference the music may be; none where the method does not search it.
    public var likelyPlaces = LikelyPlaces()

    public init(
        frame: Double, tempo: TempoRatio, mass: Double, fit: Double, standing: Double, jumped: Bool,
        hasBegun: Bool = true, rivalFrame: Double = 0, rivalMass: Double = 0,
        rivalGain: Double = 0, support: Double = 1
    ) {
        self.frame = frame
        self.tempo = tempo
        self.mass = mass
        self.fit = fit
        self.hasBegun = hasBegun
        self.standing = standing
        self.jumped = jumped
        self.rivalFrame = rivalFrame
        self.rivalMass = rivalMass
        self.rivalGain = rivalGain
        self.support = support
    }
}
