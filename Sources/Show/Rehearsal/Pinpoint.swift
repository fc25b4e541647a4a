import Podium

/// The place from which to play again, as a finger showed it.
public struct Pinpoint: Hashable, Sendable, Codable {
    /// The part the finger was on; index into ``Score/parts``.
    public var part: Int
    /// Index into ``Part/pages``.
    public var page: Int
    public var point: PagePoint
    /// Index into ``Score/movements``; 0 where no measure is known.
    public var movement: Int
    /// The printed number; nil where the part does not say which measures are on the page.
    public var measure: Int?

    public init(part: Int, page: Int, point: PagePoint, movement: Int = 0, measure: Int? = nil) {
        self.part = part
        self.page = page
        self.point = point
        self.movement = movement
        self.measure = measure
    }

    /// What a tap means: the measure it hits, or the nearest.
    /// - Returns: nil for a part or a page the score has not got.
    /// - Complexity: O(places).
    public init?(tapped point: PagePoint, page: Int, part: Int, of score: Score) {
        guard score.parts.indices.contains(part), score.parts[part].pages.indices.contains(page) else {
            return nil
        }
        let share = Double(PagePoint.whole)
        let place = score.parts[part].place(
            atPage: page, x: Double(point.x) / share, y: Double(point.y) / share)
        self.init(
            part: part, page: page, point: point, movement: place?.movement ?? 0,
            measure: place.flatMap { $0.box == nil ? nil : $0.first })
    }

    /// What tells the follower; nil where no measure is known.
    public var command: PodiumCommand? {
        measure.map { .barIsNow(.printed($0, time: nil)) }
    }

    /// Where it is in any part.
    /// - Parameter step: of the performance, where a measure stands in several places.
    /// - Returns: nil where that part does not say where the measure is.
    /// - Complexity: O(places).
    public func place(inPart other: Int, of score: Score, step: Int? = nil) -> PinpointPlace? {
        guard score.parts.indices.contains(other) else { return nil }
        if let measure, let place = score.parts[other].place(of: measure, movement: movement, step: step) {
            // A bar named by its number, on a page whose bars nobody has marked: the page, and no place on it.
            return PinpointPlace(
                page: place.page, box: place.box, point: other == part && place.box != nil ? point : nil)
        }
        if other == part { return PinpointPlace(page: page, box: nil, point: point) }
        // A page without boxes: the page that holds its first measure is near at least.
        return PageTurn(part: part, page: page).page(inPart: other, of: score)
            .map { PinpointPlace(page: $0, box: nil, point: nil) }
    }
}

/// Where a pinpoint is shown on one stand.
public struct PinpointPlace: Hashable, Sendable, Codable {
    public var page: Int
    /// The bar, where it is known.
    public var box: Box?
    /// Where the finger was, on stands with the same part; nil where the bar is known but not its place.
    public var point: PagePoint?
}
