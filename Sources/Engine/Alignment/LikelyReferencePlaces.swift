/// A place of the reference where the music may be, and the share of a search's probability that this place has.
public struct LikelyReferencePlace: Sendable, Hashable, BitwiseCopyable {
    /// The place as a reference frame, with a fraction.
    public var referenceFrame: Double
    /// The share of the search's probability within about a second and a half of the frame, 0…1.
    public var probability: Double

    public init(referenceFrame: Double, probability: Double) {
        self.referenceFrame = referenceFrame
        self.probability = probability
    }
}

/// At most three places of the reference, the likeliest first.
public typealias LikelyReferencePlaces = UpToThree<LikelyReferencePlace>
