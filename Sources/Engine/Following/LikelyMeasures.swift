import Alignment
import Basics
import Score

/// A measure in which the music may be.
public struct LikelyMeasure: Sendable, Hashable, BitwiseCopyable {
    public var referenceTime: ReferenceTime
    public var position: ScorePosition
    public var printedMeasure: Int
    /// The share of the whole search's probability that this place has, 0…1; the shares of all places sum to at most
    /// one.
    public var probability: Double

    public init(
        referenceTime: ReferenceTime, position: ScorePosition, printedMeasure: Int, probability: Double
    ) {
        self.referenceTime = referenceTime
        self.position = position
        self.printedMeasure = printedMeasure
        self.probability = probability
    }
}

/// At most three measures in which the music may be, the likeliest first, seconds apart.
///
/// The measures come from the search of the whole reference, which is independent of the displayed position: if all is
/// well, the first one is the displayed measure.
public typealias LikelyMeasures = UpToThree<LikelyMeasure>

extension UpToThree where Element == LikelyMeasure {
    /// Converts places of a model's reference to measures.
    /// - Complexity: O(log measures). No allocation.
    init(_ places: LikelyReferencePlaces, of model: ReferenceModel) {
        self.init()
        for number in 0..<places.count {
            let place = places[number]
            let time = model.time(ofFrame: place.referenceFrame)
            let position = model.measures.position(at: time)
            append(
                LikelyMeasure(
                    referenceTime: time, position: position,
                    printedMeasure: model.measures.marks[position.played].printed,
                    probability: place.probability))
        }
    }
}
