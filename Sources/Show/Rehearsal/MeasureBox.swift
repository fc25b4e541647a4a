/// The place of printed measures: their page in a part, and their box on it.
///
/// Usually this is one measure. A multi-measure rest is several measures in one box. If only the first and the last
/// measure of a page are known, one place without a box covers the page; this is enough for turning.
public struct MeasureBox: Hashable, Sendable, Codable {
    /// The movement, as an index into ``Score/movements``.
    public var movement: Int
    /// The page, as an index into ``Part/pages``.
    public var page: Int
    /// The first and the last printed measure number at this place.
    public var first: Int
    public var last: Int
    /// The steps of the performance for which this place is valid; nil if it is valid whenever its measures are
    /// played. For example, a repeat may be written out with the numbers of the first time.
    public var steps: ClosedRange<Int>?
    public var box: PageRectangle?

    public init(
        movement: Int = 0, page: Int, first: Int, last: Int, steps: ClosedRange<Int>? = nil,
        box: PageRectangle? = nil
    ) {
        self.movement = movement
        self.page = page
        self.first = first
        self.last = last
        self.steps = steps
        self.box = box
    }

    func contains(_ printed: Int, ofMovement number: Int) -> Bool {
        movement == number && first <= printed && printed <= last
    }
}

/// Printed measures during which a part is silent.
public struct MultiMeasureRest: Hashable, Sendable, Codable {
    /// The movement, as an index into ``Score/movements``.
    public var movement: Int
    public var first: Int
    public var last: Int

    public init(movement: Int = 0, first: Int, last: Int) {
        self.movement = movement
        self.first = first
        self.last = last
    }
}
