import Basics

/// Follows one reference timeline, one live frame at a time, without looking ahead.
///
/// Methods differ in how they search. Their input and output are the same, so that one evaluation can compare them.
/// An instance belongs to one thread; ``advance(_:)`` neither allocates nor locks and takes bounded time.
public protocol MusicAlignmentMethod: AnyObject {
    /// Forgets everything and expects the music to begin at a frame of the reference.
    /// - Parameter start: the frame at which the first note is expected; nil if unknown.
    func begin(at start: FeatureFrameIndex?)

    /// Takes over the position that an operator has given: the music is playing there now.
    /// - Parameters:
    ///   - frame: the frame of the reference that is playing.
    ///   - tempo: the tempo there; nil if unknown.
    func takeOperatorPosition(at frame: FeatureFrameIndex, tempo: TempoRatio?)

    /// Takes the next live frame and estimates where in the reference it belongs.
    func advance(_ frame: LiveFeatureFrame) -> MusicAlignmentEstimate
}

extension MusicAlignmentMethod {
    /// A method that has no better way begins again at the frame.
    public func takeOperatorPosition(at frame: FeatureFrameIndex, tempo: TempoRatio?) { begin(at: frame) }
}

/// A live frame with a judgement of its loudness.
public struct LiveFeatureFrame {
    /// The values of the frame, as many as a frame of the reference has; valid during the call only.
    public var featureValues: UnsafePointer<Float>
    /// True if the room is silent because the musicians pause.
    public var isQuiet: Bool
    /// True if the sound is much softer than the music has been: it fades, is very soft, or pauses.
    public var isSoft = false
    /// True if the sound is louder than the room's own noise has been.
    public var standsOutFromRoom = false
    /// True if the sound is the room's own noise, which is known: hum or ventilation, and no music.
    public var isRoomAlone = false
    /// The same at once after a loud sound, and for moments in soft music.
    public var isPause = false
    /// True if the signal is lost, not the music: digital silence from a dead cable or device.
    public var isDropout: Bool

    public init(featureValues: UnsafePointer<Float>, isQuiet: Bool = false, isDropout: Bool = false) {
        self.featureValues = featureValues
        self.isQuiet = isQuiet
        self.isDropout = isDropout
    }
}

/// A method's estimate of where in the reference the music is.
public struct MusicAlignmentEstimate: Sendable, Hashable {
    /// The position as a reference frame, with a fraction. What sounds now is the end of that frame.
    public var referenceFrame: Double
    /// The tempo in reference frames per live frame.
    public var tempo: TempoRatio
    /// The probability that the music is near `referenceFrame`, 0…1, as the method computes it, not calibrated.
    public var probability: Double
    /// The similarity of the live frame to `referenceFrame`, in standard deviations above its mean similarity over the
    /// reference.
    public var fit: Double
    /// True if the music has begun again in this frame: what was believed since its first beginning weighs nothing.
    public var hasBegunAgain = false
    /// True once the music has begun, as far as the method can tell.
    public var hasBegun: Bool
    /// The share of the probability that the music stands still, 0…1: a pause, a noise, or the wait before the first
    /// note.
    public var standstillProbability: Double
    /// True if the position has just jumped to another place of the reference.
    public var hasJumped: Bool
    /// True if this method's figures can be converted to a calibrated confidence; otherwise only `probability` is
    /// available.
    public var supportsCalibratedConfidence = false
    /// The second most likely place, as a reference frame, found by a search of the whole reference. `rivalProbability`
    /// is its share of the search's probability; it is 0 if the method has no such search.
    public var rivalFrame: Double
    public var rivalProbability: Double
    /// The difference between the mean fit of a competing position that is being tried and that of `referenceFrame`, in
    /// standard deviations; 0 while none is being tried.
    public var rivalFitGain: Double
    /// The share of probability that the search of the whole reference gives to the surroundings of `referenceFrame`,
    /// 0…1; 1 if the method has no such search.
    public var searchAgreement: Double
    /// The natural logarithm of a ratio of likelihoods: of the newest live frame at `referenceFrame`, and of the same
    /// frame if the reference's frames came in any order; 0 if unknown. After a jump it is the mean over the trial.
    ///
    /// The reference in any order stands for music in general. Other music in the same key is about as likely there as
    /// at `referenceFrame`; the music that is really played there is more likely at it.
    public var gainOverAnyOrder = 0.0
    /// The difference between two similarities of the newest live frames, in standard deviations: to the place of the
    /// reference that they resemble most, and to `referenceFrame`; 0 if they resemble no other place more.
    public var shortfallFromBest = 0.0
    /// The places of the reference where the music may be; empty if the method does not search the whole reference.
    public var likelyPlaces = LikelyReferencePlaces()
    /// The copies of the followed passage between which the sound cannot decide, the followed one first; none if it is
    /// the only one.
    public var copies = LikelyReferencePlaces()

    public init(
        frame: Double, tempo: TempoRatio, mass: Double, fit: Double, standing: Double, jumped: Bool,
        hasBegun: Bool = true, rivalFrame: Double = 0, rivalMass: Double = 0,
        rivalGain: Double = 0, support: Double = 1
    ) {
        self.referenceFrame = frame
        self.tempo = tempo
        self.probability = mass
        self.fit = fit
        self.hasBegun = hasBegun
        self.standstillProbability = standing
        self.hasJumped = jumped
        self.rivalFrame = rivalFrame
        self.rivalProbability = rivalMass
        self.rivalFitGain = rivalGain
        self.searchAgreement = support
    }
}
