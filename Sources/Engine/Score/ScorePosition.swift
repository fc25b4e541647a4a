/// A position in the music: a played measure and how far into it.
public struct ScorePosition: Hashable, Comparable, Sendable, Codable, BitwiseCopyable {
    /// The measure as an index into ``MeasureMap/marks``, which lists the performed measures; repeats count again.
    public var played: Int
    /// The part of the measure that has passed: 0 at the bar line that opens the measure, 1 at the next.
    public var fraction: Double

    public init(played: Int, fraction: Double) {
        self.played = played
        self.fraction = fraction
    }

    public static func < (lhs: ScorePosition, rhs: ScorePosition) -> Bool {
        (lhs.played, lhs.fraction) < (rhs.played, rhs.fraction)
    }
}
