/// The speed at which the reported position has moved over about the last twelve seconds. It predicts the next bar line
/// better than the follower's present tempo.
///
/// The distance travelled and the time that it took are both forgotten with a time constant. The follower's tempo is
/// used like four further seconds of observation, so it counts alone after a jump, and for a quarter later on.
/// Positions are seconds of an ``ExpectedTimeline``; any other axis with even music works too.
///
/// A value with the four basic operations of arithmetic only, so that a replayed show gives the same bits on any
/// machine.
public struct DisplayedSpeed: Hashable, Sendable, Codable {
    /// Seconds after which an observation counts for 1/e.
    static let timeConstant = 12.0
    /// The follower's tempo counts as this many seconds of observation.
    static let tempoWeightSeconds = 4.0
    /// A step back by more than this many seconds is a jump.
    static let backwardJumpSeconds = 1.0
    /// A step forward is a jump if it exceeds this many seconds plus four times the time since the previous report.
    static let forwardJumpSeconds = 1.0
    /// The lowest speed that is ever predicted.
    static let lowestSpeed = 0.05

    /// The decayed sum of the distances travelled, in seconds of the axis.
    private var travelled = 0.0
    /// The decayed sum of the times observed, in seconds.
    private var observed = 0.0
    private var lastPosition: Double?

    public init() {}

    /// Records a report of a position while the music plays.
    /// - Parameters:
    ///   - position: seconds of the axis.
    ///   - elapsed: seconds since the previous report; negative counts as none.
    /// - Complexity: O(1).
    public mutating func recordPosition(_ position: Double, after elapsed: Double) {
        let time = max(elapsed, 0)
        defer { lastPosition = position }
        guard let lastPosition else { return }
        let step = position - lastPosition
        guard step >= -Self.backwardJumpSeconds, step <= Self.forwardJumpSeconds + 4 * time else {
            (travelled, observed) = (0, 0)
            return
        }
        let kept = Self.decay(over: time / Self.timeConstant)
        travelled = travelled * kept + step
        observed = observed * kept + time
    }

    /// Forgets all that was observed: the music stands still, the position is unknown, or it was moved by a person.
    public mutating func reset() { self = DisplayedSpeed() }

    /// Returns the predicted speed in seconds of the axis per second; positive.
    /// - Parameter tempo: the follower's present tempo in the same unit.
    public func predicted(withTempo tempo: Double) -> Double {
        let speed = (travelled + Self.tempoWeightSeconds * tempo) / (observed + Self.tempoWeightSeconds)
        return max(speed, Self.lowestSpeed)
    }

    /// exp(-x) for x >= 0, within 0.2 % up to 0.5 (six seconds), and falling beyond it.
    private static func decay(over x: Double) -> Double { 1 / (1 + x * (1 + x * (0.5 + x / 6))) }
}
