/// Shows remarks for all parts in another part than the one they were written in: at the same measure, on or above the
/// staff, large enough to read. `remarks/everypart.js` of the stand page computes the same.
///
/// A full score's measures are as high as a system of many staves, so a remark's height in them says little: it goes
/// above the part's staff, together with what its author wrote in the same measure. Between parts of one staff it keeps
/// its height.
extension RemarkTransfer {
    /// The least and the greatest factor by which a remark is made smaller or larger.
    private static let scales = 0.7...1.5
    /// The least height of a line of text or of a stamp, and breadth of a stroke; see ``Ink/width``.
    private static let (leastLetters, leastStroke) = (230.0, 20.0)
    /// A box this many times as high as the other part's staff is a system of several staves.
    private static let tallness = 2.0
    /// The height of a group of remarks that stays together, in staves.
    private static let mostOfGroup = 3.0
    /// The distance over the staff, as a share of its height.
    private static let gap = 0.1

    /// A measure's share of its box on a page, as shares of the page.
    private struct Bar {
        var left: Double
        var width: Double
        var top: Double
        var height: Double
        var bottom: Double { top + height }

        /// - Parameter index: counts from the first measure of the box.
        init(_ place: MeasureBox, _ index: Int) {
            // Where a page does not say where its measures stand, they share a strip at its top.
            let (boxLeft, boxTop, right, bottom) =
                place.box.map { ($0.left, $0.top, $0.right, $0.bottom) } ?? (0, 0.02, 1, 0.06)
            width = (right - boxLeft) / Double(place.last - place.first + 1)
            (left, top, height) = (boxLeft + Double(index) * width, boxTop, bottom - boxTop)
        }
    }

    private struct GroupKey: Hashable {
        var author: User.ID
        var part: Int
        var page: Int
        var movement: Int
        var measure: Int
    }

    /// Returns remarks for all parts as a part shows them. Those at no measure, or at none that the part has, are left
    /// out. The copies keep their remarks' ids.
    /// - Complexity: O(remarks × places).
    public func shown(_ remarks: [Remark], inPart number: Int) -> [Remark] {
        guard score.parts.indices.contains(number) else { return [] }
        let part = score.parts[number]
        var keys: [GroupKey] = []
        var groups: [GroupKey: (box: Bar, place: MeasureBox, remarks: [Remark])] = [:]
        for remark in remarks where remark.parts == .all && remark.part != number {
            guard let (place, index) = measure(of: remark) else { continue }
            let measure = place.first + index
            guard let there = part.findMeasureBox(of: measure, movement: place.movement) else { continue }
            let key = GroupKey(
                author: remark.author, part: remark.part, page: remark.page, movement: place.movement,
                measure: measure)
            if groups[key] == nil { keys.append(key) }
            groups[key, default: (Bar(place, index), there, [])].remarks.append(remark)
        }
        return keys.flatMap { key in
            groups[key].map {
                copies(
                    $0.remarks, from: $0.box, to: Bar($0.place, key.measure - $0.place.first), $0.place.page,
                    number)
            } ?? []
        }
    }

    /// The box in which a remark stands, and which of its measures it is.
    private func measure(of remark: Remark) -> (place: MeasureBox, index: Int)? {
        guard score.parts.indices.contains(remark.part) else { return nil }
        let (x, y) = remark.middle
        guard let place = score.parts[remark.part].findMeasureBox(atPage: remark.page, x: x, y: y),
            let box = place.box, box.isNear(x: x, y: y)
        else { return nil }
        let count = place.last - place.first + 1
        return (
            place, min(max(Int(((x - box.left) / box.width * Double(count)).rounded(.down)), 0), count - 1)
        )
    }

    private func copies(_ remarks: [Remark], from here: Bar, to there: Bar, _ page: Int, _ number: Int)
        -> [Remark]
    {
        let paper = score.parts[remarks[0].part].pages[remarks[0].page]
        let sheet = score.parts[number].pages[page]
        let (from, to) = (paper.height / paper.width, sheet.height / sheet.width)
        let widening = there.width / here.width
        let scale = min(max(widening, Self.scales.lowerBound), Self.scales.upperBound)
        // Of a share of the one page's height to one of the other's.
        let down = scale * from / to
        let staff = there.height * to
        let spans = remarks.map { $0.heightSpan(ratio: from) }
        let (top, bottom) = (spans.map(\.top).min() ?? 0, spans.map(\.bottom).max() ?? 0)
        let isTogether = (bottom - top) * from * scale <= Self.mostOfGroup * staff
        return zip(remarks, spans).map { remark, span in
            let (x, y) = (Double(remark.anchor.x) / 10_000, Double(remark.anchor.y) / 10_000)
            let (upper, lower) = isTogether ? (top, bottom) : (span.top, span.bottom)
            // A stroke that was thinner from the beginning stays so; letters must be readable.
            let least = remark.isStroke ? min(Self.leastStroke, Double(remark.ink.width)) : Self.leastLetters
            let ink = remark.ink.scaled(by: scale, least: least)
            // Letters that became larger grow upwards, away from the staff.
            let growth = remark.isStroke ? 1 : Double(ink.width) / (Double(remark.ink.width) * scale)
            let placed: Double
            if here.height * from <= Self.tallness * staff {
                placed = there.top + (y - here.top) * there.height / here.height
            } else if upper >= here.bottom {
                placed = there.bottom + (y - here.bottom) * down
            } else {
                let foot =
                    lower <= here.top
                    ? there.top - (here.top - lower) * down : there.top - Self.gap * there.height
                placed = foot - (lower - y) * down - (span.bottom - y) * down * (growth - 1)
            }
            let isHighlight = if case .highlight = remark.shape { true } else { false }
            return Remark(
                id: remark.id, layer: remark.layer, author: remark.author, part: number, page: page,
                anchor: PagePoint(nearX: there.left + (x - here.left) * widening, nearY: placed),
                shape: remark.shape.stretched(x: isHighlight ? widening : scale, y: down),
                ink: ink,
                paper: try? RemarkPageSize(width: sheet.width, height: sheet.height), parts: .all,
                session: remark.session)
        }
    }
}

extension Remark {
    fileprivate var isStroke: Bool {
        switch shape {
        case .highlight, .line: true
        case .text, .stamp: false
        }
    }

    /// The top and bottom of the remark, as shares of its page.
    /// - Parameter ratio: the page's height, in widths.
    fileprivate func heightSpan(ratio: Double) -> (top: Double, bottom: Double) {
        let (y, size) = (Double(anchor.y) / 10_000, Double(ink.width) / 10_000 / ratio)
        switch shape {
        case .highlight(let stroke), .line(let stroke):
            let down = stride(from: 1, to: stroke.coordinates.count, by: 2).map {
                Double(stroke.coordinates[$0])
            }
            let (least, most) = (min(down.min() ?? 0, 0), max(down.max() ?? 0, 0))
            return (y + least / 10_000 - size / 2, y + most / 10_000 + size / 2)
        case .text(let text):
            return (
                y, y + size * Double(text.text.split(separator: "\n", omittingEmptySubsequences: false).count)
            )
        case .stamp: return (y - size / 2, y + size / 2)
        }
    }
}

extension Ink {
    /// The ink of a copy that is so much larger, with at least this width.
    fileprivate func scaled(by factor: Double, least: Double) -> Ink {
        let width = max(Double(width) * factor, least).rounded()
        return (try? Ink(colour: colour, width: min(max(Int(width), 1), 1_000))) ?? self
    }
}
