/// A place of the reference where the music may be, with its share of a search's probability.
public struct LikelyPlace: Sendable, Hashable, BitwiseCopyable {
    /// Reference frame, with fraction.
    public var frame: Double
    /// Share of the search's probability within about a second and a half of the frame, 0…1.
    public var mass: Double

    public init(frame: Double, mass: Double) {
        self.frame = frame
        self.mass = mass
    }
}

/// At most three places of the reference, the likeliest first.
public typealias LikelyPlaces = UpToThree<LikelyPlace>
