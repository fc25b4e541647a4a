import Basics
import Score

/// The position that the audience gets: a piece and the measure being played.
public struct LivePosition: Hashable, Sendable {
    /// The measure numbers that can be sent. Phones store them in a signed 32-bit number; measure 0 is an upbeat.
    public static let sendableMeasureRange = 0...Int(Int32.max)

    public let piece: PieceName
    /// The measure number printed in the score.
    public let measure: Int

    /// Checks a position.
    /// - Throws: ``ExplainedError`` for a measure that phones cannot show.
    public init(piece: PieceName, measure: Int) throws(ExplainedError) {
        guard Self.sendableMeasureRange.contains(measure) else {
            throw ExplainedError(
                "Measure \(measure) cannot be sent; give one from 0 to "
                    + "\(LivePosition.sendableMeasureRange.upperBound).")
        }
        self.piece = piece
        self.measure = measure
    }
}
