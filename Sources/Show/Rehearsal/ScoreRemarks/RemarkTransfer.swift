import Basics

/// Copies a remark from one part of a score into another, to the same place of the same printed measure.
///
/// The remark's middle lies in, or near, the box of a measure. In the other part it keeps its shares of the width and
/// height of that measure's box; strokes are stretched with the boxes, ink grows with their height.
public struct RemarkTransfer: Sendable {
    public let score: Score

    public init(_ score: Score) { self.score = score }

    /// The reason why a remark has no place in another part.
    public enum Obstacle: Explained, Hashable, Sendable {
        /// No measure's box is known near the remark.
        case noMeasureHere(part: String, page: Int)
        /// The box at the remark holds several measures, so the remark's own measure is unknown.
        case severalMeasuresHere(part: String, first: Int, last: Int)
        /// The other part does not say where the measure is.
        case measureUnknown(Int, part: String)
        /// In the other part the measure is within a rest of several measures.
        case restThere(Int, part: String, first: Int, last: Int)
        case noPart(Int)

        /// A sentence for the librarian.
        public var sentence: String {
            switch self {
            case .noMeasureHere(let part, let page):
                "On page \(page + 1) of “\(part)”, no measure is marked where the remark stands; mark it."
            case .severalMeasuresHere(let part, let first, let last):
                "In “\(part)”, measures \(first) to \(last) have one box where the remark stands; mark them singly."
            case .measureUnknown(let measure, let part):
                "“\(part)” does not say where measure \(measure) stands; mark it."
            case .restThere(let measure, let part, let first, let last):
                "“\(part)” rests in measure \(measure) (\(first) to \(last))."
            case .noPart(let part): "There is no part of index \(part) in this score."
            }
        }
    }

    /// The measure at which a remark stands.
    public struct Place: Hashable, Sendable {
        public var movement: Int
        public var measure: Int
        let box: PageRectangle
    }

    /// Returns the measure at which a remark stands.
    /// - Complexity: O(places of the part).
    public func place(of remark: Remark) throws(Obstacle) -> Place {
        guard let part = score.parts.indices.contains(remark.part) ? score.parts[remark.part] : nil else {
            throw .noPart(remark.part)
        }
        let middle = remark.middle
        guard let found = part.findMeasureBox(atPage: remark.page, x: middle.x, y: middle.y),
            let box = found.box,
            box.isNear(x: middle.x, y: middle.y)
        else { throw .noMeasureHere(part: part.name, page: remark.page) }
        guard found.first == found.last else {
            throw .severalMeasuresHere(part: part.name, first: found.first, last: found.last)
        }
        return Place(movement: found.movement, measure: found.first, box: box)
    }

    /// Returns the copy of a remark in another part.
    /// - Parameter id: the copy's id.
    /// - Complexity: O(places of both parts + points).
    public func copy(_ remark: Remark, toPart number: Int, id: Remark.ID) throws(Obstacle) -> Remark {
        let here = try place(of: remark)
        guard score.parts.indices.contains(number) else { throw .noPart(number) }
        let part = score.parts[number]
        guard let there = part.findMeasureBox(of: here.measure, movement: here.movement), let box = there.box
        else {
            throw .measureUnknown(here.measure, part: part.name)
        }
        let rest = part.rests.first {
            $0.movement == here.movement && $0.first <= here.measure && here.measure <= $0.last
        }
        if let rest { throw .restThere(here.measure, part: part.name, first: rest.first, last: rest.last) }
        guard there.first == there.last else {
            throw .restThere(here.measure, part: part.name, first: there.first, last: there.last)
        }
        let (widening, heightening) = (box.width / here.box.width, box.height / here.box.height)
        let (from, to) = (score.parts[remark.part].pages[remark.page], part.pages[there.page])
        // Boxes and pages are compared in widths of their pages, in which inks are measured.
        let inkGrowth = heightening * (to.height / to.width) / (from.height / from.width)
        let anchor = (x: Double(remark.anchor.x) / units, y: Double(remark.anchor.y) / units)
        return Remark(
            id: id, layer: remark.layer, author: remark.author, part: number, page: there.page,
            anchor: PagePoint(
                nearX: box.left + (anchor.x - here.box.left) * widening,
                nearY: box.top + (anchor.y - here.box.top) * heightening),
            shape: remark.shape.stretched(x: widening, y: heightening),
            ink: remark.ink.widened(by: inkGrowth),
            paper: try? RemarkPageSize(width: to.width, height: to.height))
    }

    private let units = Double(PagePoint.unitsPerPage)

    /// The id of a remark's copy in a part: the same for the same remark and part, so that copying again changes the
    /// copy and makes no other.
    public static func copyID(of remark: Remark.ID, inPart part: Int) -> Remark.ID {
        let high = mixed(remark.high ^ mixed(UInt64(bitPattern: Int64(part)) &+ 0x9E37_79B9_7F4A_7C15))
        let low = mixed(remark.low ^ mixed(high))
        return .derived(high: high, low: low)
    }

    /// Spreads the bits of a number. Source: S. Vigna, splitmix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Remark {
    /// The middle of the remark, as shares of the page: of a stroke the middle of its extent, else the anchor.
    var middle: (x: Double, y: Double) {
        let units = Double(PagePoint.unitsPerPage)
        var (x, y) = (Double(anchor.x), Double(anchor.y))
        switch shape {
        case .highlight(let stroke), .line(let stroke):
            let across = stride(from: 0, to: stroke.coordinates.count, by: 2).map { stroke.coordinates[$0] }
            let down = stride(from: 1, to: stroke.coordinates.count, by: 2).map { stroke.coordinates[$0] }
            x += Double((across.min() ?? 0) + (across.max() ?? 0)) / 2
            y += Double((down.min() ?? 0) + (down.max() ?? 0)) / 2
        case .text, .stamp: break
        }
        return (min(max(x / units, 0), 1), min(max(y / units, 0), 1))
    }
}

extension RemarkShape {
    func stretched(x: Double, y: Double) -> RemarkShape {
        switch self {
        case .highlight(let stroke): .highlight(stroke.stretched(x: x, y: y))
        case .line(let stroke): .line(stroke.stretched(x: x, y: y))
        case .text, .stamp: self
        }
    }
}

extension Stroke {
    fileprivate func stretched(x: Double, y: Double) -> Stroke {
        let most = Double(PagePoint.unitsPerPage)
        let stretched = coordinates.enumerated().map { index, value in
            Int(min(max(Double(value) * (index.isMultiple(of: 2) ? x : y), -most), most).rounded())
        }
        // As many coordinates as before, all within a page.
        return (try? Stroke(coordinates: stretched)) ?? self
    }
}

extension Ink {
    fileprivate func widened(by factor: Double) -> Ink {
        guard factor.isFinite else { return self }
        let width = Int(min(max((Double(width) * factor).rounded(), 1), 1_000))
        return (try? Ink(colour: colour, width: width)) ?? self
    }
}

extension PageRectangle {
    var width: Double { right - left }
    var height: Double { bottom - top }

    /// True if a point is in the box, or beside it by at most a quarter of its width, or above or below by at most its
    /// height: bowings stand over their staff.
    func isNear(x: Double, y: Double) -> Bool {
        x >= left - width / 4 && x <= right + width / 4 && y >= top - height && y <= bottom + height
    }
}
