import Alignment
import MusicalTime
import Score

/// A measure in which the music may be.
public struct LikelyMeasure: Sendable, Hashable, BitwiseCopyable {
    public var reference: ReferenceTime
    public var position: ScorePosition
    public var printedMeasure: Int
    /// Share of the probability of the whole search, 0…1; the shares of all places sum to at most one.
    public var probability: Double

    public init(
        reference: ReferenceTime, position: ScorePosition, printedMeasure: Int, probability: Double
    ) {
        self.reference = reference
        self.position = position
        self.printedMeasure = printedMeasure
        self.probability = probability
    }
}

/// At most three measures, the likeliest first, seconds apart. The size is fixed, for the follow lane.
///
/// They come from the search of the whole reference, which is independent of the displayed position: if all is well,
/// the first of them is the displayed measure.
public struct LikelyMeasures: Sendable, Hashable, BitwiseCopyable, RandomAccessCollection {
    /// The largest number of measures.
    public static let capacity = LikelyPlaces.capacity
    private var first = Self.nowhere
    private var second = Self.nowhere
    private var third = Self.nowhere
    public private(set) var count = 0

    private static let nowhere = LikelyMeasure(
        reference: ReferenceTime(seconds: 0), position: ScorePosition(played: 0, fraction: 0),
        printedMeasure: 0, probability: 0)

    /// Creates an empty collection.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> LikelyMeasure {
        precondition(index >= 0 && index < count, "measure \(index) of \(count)")
        return index == 0 ? first : index == 1 ? second : third
    }

    /// Appends a measure; a fourth one is ignored.
    public mutating func append(_ measure: LikelyMeasure) {
        switch count {
        case 0: first = measure
        case 1: second = measure
        case 2: third = measure
        default: return
        }
        count += 1
    }

    /// Converts places of a model's reference to measures.
    /// - Complexity: O(log measures). No allocation.
    init(_ places: LikelyPlaces, of model: ReferenceModel) {
        self.init()
        for number in 0..<places.count {
            let place = places[number]
            let time = model.time(ofFrame: place.frame)
            let position = model.measures.position(at: time)
            append(
                LikelyMeasure(
                    reference: time, position: position,
                    printedMeasure: model.measures.marks[position.played].printed, probability: place.mass))
        }
    }
}
