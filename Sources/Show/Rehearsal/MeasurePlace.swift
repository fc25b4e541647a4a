/// Where printed measures stand: on which page of a part, and in which box.
///
/// Usually one measure. A bar of many rests is several in one box; where only the first and the last measure
/// of a page are known, one place without a box stands for the page, which is enough for turning.
public struct MeasurePlace: Hashable, Sendable, Codable {
    /// Index into ``Score/movements``.
    public var movement: Int
    /// Index into ``Part/pages``.
    public var page: Int
    /// The numbers printed, first and last.
    public var first: Int
    public var last: Int
    /// Steps of the performance this place is for alone, such as a repeat written out with the numbers of the
    /// first time; nil for every time its measures are played.
    public var steps: ClosedRange<Int>?
    public var box: Box?

    public init(
        movement: Int = 0, page: Int, first: Int, last: Int, steps: ClosedRange<Int>? = nil, box: Box? = nil
    ) {
        self.movement = movement
        self.page = page
        self.first = first
        self.last = last
        self.steps = steps
        self.box = box
    }

    func holds(_ printed: Int, ofMovement number: Int) -> Bool {
        movement == number && first <= printed && printed <= last
    }
}

/// Printed measures in which a part is silent.
public struct Rest: Hashable, Sendable, Codable {
    /// Index into ``Score/movements``.
    public var movement: Int
    public var first: Int
    public var last: Int

    public init(movement: Int = 0, first: Int, last: Int) {
        self.movement = movement
        self.first = first
        self.last = last
    }
}
