/// The size of a page of a part, in any unit: only its proportions count.
public struct PageSize: Hashable, Sendable, Codable {
    /// The width of the page, in points if the page comes from a PDF.
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// The music on one stand: the full score or an extracted part, with the places of its measures.
///
/// All parts of a score share its measure numbers, so that one place can be found in every part.
public struct Part: Hashable, Sendable {
    public let name: String
    public let pages: [PageSize]
    /// The places of the measures, in reading order.
    public let places: [MeasureBox]
    public let rests: [MultiMeasureRest]
    /// The layout of the pages on stands; nil if they are shown as they are in the file.
    public let layout: PartLayout?

    /// Creates a part.
    /// - Throws: the first broken rule. There must be at least one page, and pages must have a possible size; places
    ///   must be on existing pages; within a movement their numbers must rise and not overlap. Gaps are allowed; see
    ///   ``unplacedMeasures``.
    /// - Complexity: O(pages + places).
    public init(
        name: String, pages: [PageSize], places: [MeasureBox] = [], rests: [MultiMeasureRest] = [],
        layout: PartLayout? = nil
    ) throws(RehearsalFault) {
        self.name = try RoomLimits.validatedName(name, of: .part)
        guard !pages.isEmpty else { throw .noneOf("pages") }
        try Self.checkCount(pages.count, of: "pages", most: RoomLimits.mostPagesPerPart)
        try Self.checkCount(places.count, of: "measure places", most: RoomLimits.mostMeasurePlaces)
        try Self.checkCount(rests.count, of: "rests", most: RoomLimits.mostMeasurePlaces)
        for (index, page) in pages.enumerated() {
            guard (1...100_000).contains(page.width), (1...100_000).contains(page.height) else {
                throw .invalidPageSize(page: index, width: page.width, height: page.height)
            }
        }
        self.pages = pages
        self.places = places
        self.rests = rests
        self.layout = try layout.map { given throws(RehearsalFault) in
            try PartLayout(pages: given.pages, crop: given.crop, count: pages.count)
        }
        var before: MeasureBox?
        for place in places {
            guard pages.indices.contains(place.page) else {
                throw .noSuchPage(part: self.name, page: place.page, pages: pages.count)
            }
            guard place.first <= place.last, RoomLimits.measureNumberRange.contains(place.first),
                RoomLimits.measureNumberRange.contains(place.last)
            else {
                throw .measuresDescend(
                    part: self.name, page: place.page, first: place.first, last: place.last)
            }
            guard place.steps == nil else { continue }
            if let before, !before.comesBefore(place, withinPages: layout == nil) {
                throw .measuresOverlap(
                    part: self.name, page: place.page, measure: place.first, before: before.last)
            }
            before = place
        }
    }

    static func checkCount(_ count: Int, of things: String, most: Int) throws(RehearsalFault) {
        guard count <= most else { throw .tooManyOf(things, count: count, most: most) }
    }

    /// The gaps between a movement's first and last place: measures that have no place. Each gap can be shown as a
    /// sentence.
    /// - Complexity: O(places).
    public var unplacedMeasures: [RehearsalFault] {
        let plain = places.filter { $0.steps == nil }
        return zip(plain, plain.dropFirst()).compactMap { one, next in
            guard one.movement == next.movement, next.first > one.last + 1 else { return nil }
            return .measuresMissing(
                part: name, page: next.page, from: one.last + 1, to: next.first - 1)
        }
    }

    /// Returns the place of a measure.
    /// - Parameter step: the step of the performance, if the occurrence of the measure matters.
    /// - Complexity: O(places).
    public func findMeasureBox(of printed: Int, movement: Int = 0, step: Int? = nil) -> MeasureBox? {
        var found: MeasureBox?
        for place in places where place.contains(printed, ofMovement: movement) {
            guard let steps = place.steps else {
                found = found ?? place
                continue
            }
            if let step, steps.contains(step) { return place }
        }
        return found
    }

    /// Returns the measure that a finger on a page means: the measure whose box contains the point, or else the
    /// nearest one.
    /// - Parameters:
    ///   - x: 0…1 from the left.
    ///   - y: 0…1 from the top.
    /// - Returns: nil if the page has no measures.
    /// - Complexity: O(places).
    public func findMeasureBox(atPage page: Int, x: Double, y: Double) -> MeasureBox? {
        var nearest: (place: MeasureBox, distance: Double)?
        for place in places where place.page == page {
            guard let box = place.box else {
                if nearest == nil { nearest = (place, .infinity) }
                continue
            }
            if box.contains(x: x, y: y) { return place }
            // Lines of music are wide and low, so vertical distance counts more: it selects the line.
            let distance = box.distance(x: x, y: y)
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (place, distance) }
        }
        return nearest?.place
    }

    /// Returns the first measure on a page or on a later one, as pages are laid; it tells other parts where to turn.
    /// - Complexity: O(places).
    public func firstMeasureBox(fromPage page: Int) -> MeasureBox? {
        guard layout != nil else { return places.first { $0.page >= page && $0.steps == nil } }
        let sequence = PageSequence(self)
        let from = sequence.nearestPosition(toPage: page)
        var first: (position: Int, place: MeasureBox)?
        for place in places where place.steps == nil {
            guard let position = sequence.position(ofPage: place.page), position >= from else { continue }
            if first.map({ position < $0.position }) ?? true { first = (position, place) }
        }
        return first?.place
    }

    /// The same part with other pages on the stand, or in another order.
    /// - Throws: ``RehearsalFault`` if the layout names a page that the part does not have.
    public func laid(_ layout: PartLayout?) throws(RehearsalFault) -> Part {
        try Part(name: name, pages: pages, places: places, rests: rests, layout: layout)
    }
}

extension MeasureBox {
    /// - Parameter withinPages: false if the layout says in which order pages are read.
    fileprivate func comesBefore(_ next: MeasureBox, withinPages: Bool) -> Bool {
        guard page <= next.page || !withinPages else { return false }
        return movement == next.movement ? last < next.first : movement < next.movement
    }
}

extension PageRectangle {
    fileprivate func distance(x: Double, y: Double) -> Double {
        let across = max(left - x, x - right, 0)
        let down = max(top - y, y - bottom, 0)
        return across + 4 * down
    }
}

extension Part: Codable {
    private enum CodingKeys: CodingKey { case name, pages, places, rests, layout }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: fields.decode(String.self, forKey: .name),
            pages: fields.decode([PageSize].self, forKey: .pages),
            places: fields.decodeIfPresent([MeasureBox].self, forKey: .places) ?? [],
            rests: fields.decodeIfPresent([MultiMeasureRest].self, forKey: .rests) ?? [],
            layout: fields.decodeIfPresent(PartLayout.self, forKey: .layout))
    }
}
