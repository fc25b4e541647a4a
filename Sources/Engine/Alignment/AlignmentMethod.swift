import MusicalTime

/// Follows one reference timeline, one live frame at a time, without looking ahead.
///
/// Methods differ in how they search. Their input and output are the same, so that one evaluation can compare them.
/// An instance belongs to one thread; ``advance(_:)`` neither allocates nor locks and takes bounded time.
public protocol AlignmentMethod: AnyObject {
    /// Forgets everything and expects the music to begin at a frame of the reference.
    /// - Parameter start: the frame at which the first note is expected; nil if unknown.
    func begin(at start: FrameIndex?)

    /// Takes over the position that an operator has given: the music is playing there now.
    /// - Parameters:
    ///   - frame: of the reference.
    ///   - tempo: the tempo there; nil if unknown.
    func anchor(at frame: FrameIndex, tempo: TempoRatio?)

    /// Takes the next live frame and estimates where in the reference it belongs.
    func advance(_ frame: LiveFrame) -> AlignmentEstimate
}

extension AlignmentMethod {
    /// By default a method simply begins again at the frame.
    public func anchor(at frame: FrameIndex, tempo: TempoRatio?) { begin(at: frame) }
}

/// A live frame with a judgement of its loudness.
public struct LiveFrame {
    /// As many values as a frame of the reference has; valid during the call only.
    public var values: UnsafePointer<Float>
    /// True if the room is silent because the musicians pause.
    public var isQuiet: Bool
    /// True if the sound is much softer than the music has been: it fades, is very soft, or pauses.
    public var isSoft = false
    /// True if the signal is lost, not the music: digital silence from a dead cable or device.
    public var isDropout: Bool

    public init(values: UnsafePointer<Float>, isQuiet: Bool = false, isDropout: Bool = false) {
        self.values = values
        self.isQuiet = isQuiet
        self.isDropout = isDropout
    }
}

/// A method's estimate of where in the reference the music is.
public struct AlignmentEstimate: Sendable, Hashable {
    /// Reference frame, with fraction. What sounds now is the end of that frame.
    public var frame: Double
    /// Reference frames per live frame.
    public var tempo: TempoRatio
    /// Probability near `frame`, 0…1, as the method computes it, uncalibrated.
    public var mass: Double
    /// How well the live frame fits at `frame`, in standard deviations above its mean similarity over the reference.
    public var fit: Double
    /// True once the music has begun, as far as the method can tell.
    public var hasBegun: Bool
    /// Share of the probability in which the music stands still: a pause, a noise, the wait before the first note.
    public var standing: Double
    /// True if this estimate leaves the path for another place of the reference.
    public var jumped: Bool
    /// True if a confidence has been calibrated on this method's figures; otherwise only `mass` is available.
    public var isCalibrated = false
    /// The second most likely place, found by a search of the whole reference: its frame and its share of the
    /// search's probability. The mass is 0 if the method has no such search.
    public var rivalFrame: Double
    public var rivalMass: Double
    /// The mean number of standard deviations by which a rival on trial fits better than `frame`; 0 without a trial.
    public var rivalGain: Double
    /// How far the search of the whole reference agrees with `frame`, 0…1; 1 if the method has no such search.
    public var support: Double
    /// Where in the whole reference the music may be; empty if the method does not search all of it.
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
