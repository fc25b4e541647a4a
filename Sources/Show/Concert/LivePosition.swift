import Score

/// The position that the audience gets: a piece and the measure being played.
public struct LivePosition: Hashable, Sendable {
    /// Phones store the measure in a signed 32-bit number; measure 0 is an upbeat.
    public static let measures = 0...Int(Int32.max)

    public let piece: PieceName
    /// The number printed in the score.
    public let measure: Int

    /// - Throws: ``PacketFault/measureOutOfRange(_:)`` for a measure that phones cannot show.
    public init(piece: PieceName, measure: Int) throws(PacketFault) {
        guard Self.measures.contains(measure) else { throw .measureOutOfRange(measure) }
        self.piece = piece
        self.measure = measure
    }
}
