import Podium

/// The place from which everybody should play again, as shown by a finger on a page.
public struct Pinpoint: Hashable, Sendable, Codable {
    /// The part that the finger touched; an index into ``Score/parts``.
    public var part: Int
    /// The page, as an index into ``Part/pages``.
    public var page: Int
    public var point: PagePoint
    /// The movement, as an index into ``Score/movements``; 0 if the measure is unknown.
    public var movement: Int
    /// The printed number of the measure; nil if the part does not say which measures are on the page.
    public var measure: Int?
    /// The entry of the programme that the leader meant; nil from stands of one score. It stays with the sender's act.
    public var entry: ProgrammeEntry.ID?

    public init(
        part: Int, page: Int, point: PagePoint, movement: Int = 0, measure: Int? = nil,
        entry: ProgrammeEntry.ID? = nil
    ) {
        self.part = part
        self.page = page
        self.point = point
        self.movement = movement
        self.measure = measure
        self.entry = entry
    }

    /// Creates the pinpoint of a tap: the measure that it hits, or the nearest.
    /// - Returns: nil if the score does not have the part or the page.
    /// - Complexity: O(places).
    public init?(tapped point: PagePoint, page: Int, part: Int, of score: Score) {
        guard score.parts.indices.contains(part), score.parts[part].pages.indices.contains(page) else {
            return nil
        }
        let share = Double(PagePoint.unitsPerPage)
        let place = score.parts[part].findMeasureBox(
            atPage: page, x: Double(point.x) / share, y: Double(point.y) / share)
        self.init(
            part: part, page: page, point: point, movement: place?.movement ?? 0,
            measure: place.flatMap { $0.box == nil ? nil : $0.first })
    }

    /// The Podium command that sends the follower to the measure; nil if the measure is unknown.
    public var podiumCommand: PodiumCommand? {
        measure.map { .beginMeasureNow(.printedMeasure($0, time: nil)) }
    }

    /// Returns the place of the pinpoint in any part.
    /// - Parameter step: the step of the performance, if the measure has several places.
    /// - Returns: nil if that part does not say where the measure is.
    /// - Complexity: O(places).
    public func place(inPart other: Int, of score: Score, step: Int? = nil) -> PinpointPlace? {
        guard score.parts.indices.contains(other) else { return nil }
        if let measure,
            let place = score.parts[other].findMeasureBox(of: measure, movement: movement, step: step)
        {
            // If the measure is known but the page has no boxes, only the page is shown, without a point.
            return PinpointPlace(
                page: place.page, box: place.box, point: other == part && place.box != nil ? point : nil)
        }
        if other == part { return PinpointPlace(page: page, box: nil, point: point) }
        // For a page without boxes, the page that contains its first measure in the other part is near enough.
        return PageTurnForAll(part: part, page: page).page(inPart: other, of: score)
            .map { PinpointPlace(page: $0, box: nil, point: nil) }
    }
}

/// The place of a pinpoint on one stand.
public struct PinpointPlace: Hashable, Sendable, Codable {
    public var page: Int
    /// The box of the measure on the page; nil if unknown.
    public var box: PageRectangle?
    /// The point that the finger touched, on stands with the same part; nil if only the measure's page is known.
    public var point: PagePoint?
}
