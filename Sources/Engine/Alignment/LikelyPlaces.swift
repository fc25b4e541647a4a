/// A place of the reference where the music may be, and how much of a search believes so.
public struct LikelyPlace: Sendable, Hashable, BitwiseCopyable {
    /// Reference frame, with fraction.
    public var frame: Double
    /// Share of the search's mass within about a second and a half of it, 0…1.
    public var mass: Double

    public init(frame: Double, mass: Double) {
        self.frame = frame
        self.mass = mass
    }
}

/// At most three places of the reference, the likeliest first; of fixed size, so that it is copied and never
/// allocated.
public struct LikelyPlaces: Sendable, Hashable, BitwiseCopyable, RandomAccessCollection {
    /// The largest number of places.
    public static let capacity = 3
    private var first = LikelyPlace(frame: 0, mass: 0)
    private var second = LikelyPlace(frame: 0, mass: 0)
    private var third = LikelyPlace(frame: 0, mass: 0)
    public private(set) var count = 0

    /// None.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> LikelyPlace {
        precondition(index >= 0 && index < count, "place \(index) of \(count)")
        return index == 0 ? first : index == 1 ? second : third
    }

    /// Adds a place behind the others; a fourth one is left out.
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
