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

/// At most three places of the reference, the likeliest first. The size is fixed, so that copying never allocates.
public struct LikelyPlaces: Sendable, Hashable, BitwiseCopyable, RandomAccessCollection {
    /// The largest number of places.
    public static let capacity = 3
    private var first = LikelyPlace(frame: 0, mass: 0)
    private var second = LikelyPlace(frame: 0, mass: 0)
    private var third = LikelyPlace(frame: 0, mass: 0)
    public private(set) var count = 0

    /// Creates an empty collection.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> LikelyPlace {
        precondition(index >= 0 && index < count, "place \(index) of \(count)")
        return index == 0 ? first : index == 1 ? second : third
    }

    /// Appends a place; a fourth one is ignored.
    public mutating func append(_ place: LikelyPlace) {
        switch count {
        case 0: first = place
        case 1: second = place
        case 2: third = place
        default: return
        }
        count += 1
    }
}
