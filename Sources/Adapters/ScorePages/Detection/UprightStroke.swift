/// An upright stroke through a staff that may be a bar line, and what is known of it.
struct UprightStroke {
    /// The edges in pixels of the levelled page, on the staff's middle line.
    var left: Double
    var right: Double
    /// The features that `StrokeFinder` measured, in the order of its list.
    var features: [Double]
    /// The strip around the stroke, as `StaffStrip.picture` gives it.
    var picture: [UInt8]
    /// The logarithm of the odds that the stroke is a bar line.
    var odds = 0.0

    var centre: Double { (left + right) / 2 }
    /// The ink of a repeat's dots right of the stroke, less that on its left, −1…1.
    var dotsAfter: Double { features[12] - features[11] }
}

/// Finds upright strokes in a staff laid out level, and measures the features that distinguish bar lines from stems.
struct StrokeFinder {
    /// More strokes than this are not looked for in a staff.
    static let mostStrokes = 1_500
    static let featureCount = 22
    /// The strokes of a repeat sign that blur made one are as wide as this, in pixels of the strip.
    private static let widest = 2 * StaffStrip.unit

    let strip: StaffStrip
    private let unit = StaffStrip.unit
    private let staffRows = StaffStrip.top...StaffStrip.bottom

    init(_ strip: StaffStrip) { self.strip = strip }

    func strokes() -> [UprightStroke] {
        let wide = (0..<strip.width).map { share($0, breadth: 1) }
        let thin = (0..<strip.width).map { share($0, breadth: 0) }
        var runs: [(left: Int, right: Int)] = []
        var column = 0
        while column < strip.width, runs.count < Self.mostStrokes {
            guard wide[column] >= 0.84 else {
                column += 1
                continue
            }
            let start = column
            while column < strip.width, wide[column] >= 0.84 { column += 1 }
            // Each column includes its neighbours: the stroke is two columns narrower than it seems.
            let (left, right) = (min(start + 1, column - 1), max(start, column - 2))
            let (from, to) = (min(left, right), max(left, right))
            if to - from + 1 <= Self.widest { runs.append((from, to)) }
        }
        return runs.indices.map { index in
            let run = runs[index]
            let near = runs.indices.count { $0 != index && abs(runs[$0].left - run.left) <= unit * 3 / 2 }
            return UprightStroke(
                left: strip.pageColumn(Double(run.left) - 0.5),
                right: strip.pageColumn(Double(run.right) + 0.5),
                features: features(run.left, run.right, wide, thin, near),
                picture: strip.picture(around: (run.left + run.right) / 2))
        }
    }

    /// The share of the staff's rows with ink in a column or `breadth` beside it.
    private func share(_ column: Int, breadth: Int) -> Double {
        let filled = staffRows.count { row in
            (column - breadth...column + breadth).contains { strip.isInk($0, row) }
        }
        return Double(filled) / Double(staffRows.count)
    }

    private func features(_ left: Int, _ right: Int, _ wide: [Double], _ thin: [Double], _ near: Int)
        -> [Double]
    {
        let heads = heads(left, right)
        let whole = Double(StaffStrip.unit)
        let sides = [(left - 9, left - 3), (right + 3, right + 9)].map { density($0.0...$0.1, staffRows) }
        let dots = [left - 12...left - 3, right + 3...right + 12].map(dots)
        let far = [(left - 30, left - 10), (right + 10, right + 30)].map { density($0.0...$0.1, staffRows) }
        let over = density(left - 10...right + 10, StaffStrip.top - 2 * unit...StaffStrip.top - 4)
        let under = density(left - 10...right + 10, StaffStrip.bottom + 4...StaffStrip.bottom + 2 * unit)
        let start = Double(left) / whole - 2
        let end = (Double(strip.width) - Double(right)) / whole - 2
        return [
            (left...right).map { thin[$0] }.max() ?? 0,
            (left...right).map { wide[$0] }.max() ?? 0,
            Double(longestGap(left, right)) / whole,
            Double(right - left + 1) / whole,
            Double(reach(left, right, from: StaffStrip.top - 3, by: -1)) / (3 * whole),
            Double(reach(left, right, from: StaffStrip.bottom + 3, by: 1)) / (3 * whole),
            heads.left, heads.right, heads.difference,
            min(sides[0], sides[1]), max(sides[0], sides[1]),
            max(dots[0], 0), max(dots[1], 0),
            Double(min(near, 3)) / 3,
            min(max(start, 0), 10) / 10, min(max(end, 0), 4) / 4,
            min(over, 1), min(under, 1),
            min(far[0], far[1]), max(far[0], far[1]),
            heads.both, end < 1.2 ? 1 : 0,
        ]
    }

    /// The most rows in a row without ink in the stroke or beside it.
    private func longestGap(_ left: Int, _ right: Int) -> Int {
        var (longest, gap) = (0, 0)
        for row in staffRows {
            gap = (left - 1...right + 1).contains { strip.isInk($0, row) } ? 0 : gap + 1
            longest = max(longest, gap)
        }
        return longest
    }

    /// Rows of ink beyond an end of the stroke, up to three staff spaces; two rows may be missing.
    private func reach(_ left: Int, _ right: Int, from row: Int, by way: Int) -> Int {
        var (length, missed, y) = (0, 0, row)
        for step in 1...(3 * unit) {
            if (left - 1...right + 1).contains(where: { strip.isInk($0, y) }) {
                length = step
                missed = 0
            } else {
                missed += 1
                if missed > 2 { break }
            }
            y += way
        }
        return length
    }

    /// The ink that touches a stroke on its left and right side: the filled share, 0…1, of the ten columns beside it,
    /// averaged over the height of a note head and largest over all heights, beyond the staff too.
    private func heads(_ left: Int, _ right: Int)
        -> (left: Double, right: Double, difference: Double, both: Double)
    {
        let rows = StaffStrip.top - 3 * unit / 2...StaffStrip.bottom + 3 * unit / 2
        let breadth = 10
        func touching(_ column: Int, _ way: Int, _ row: Int) -> Double {
            // A stroke may be rough by a pixel.
            var first = column
            if !strip.isInk(first, row) { first += way }
            let length = (0..<breadth).first { !strip.isInk(first + $0 * way, row) } ?? breadth
            return Double(length) / Double(breadth)
        }
        var (lefts, rights) = ([Double](), [Double]())
        for row in rows where !StaffStrip.isOnLine(row) {
            lefts.append(touching(left - 1, -1, row))
            rights.append(touching(right + 1, 1, row))
        }
        let tall = 6
        var most = (left: 0.0, right: 0.0, difference: 0.0, both: 0.0)
        guard lefts.count > tall else { return most }
        for start in 0...(lefts.count - tall) {
            let one = lefts[start..<(start + tall)].reduce(0, +) / Double(tall)
            let other = rights[start..<(start + tall)].reduce(0, +) / Double(tall)
            most.left = max(most.left, one)
            most.right = max(most.right, other)
            most.difference = max(most.difference, abs(one - other))
            most.both = max(most.both, min(one, other))
        }
        return most
    }

    /// The share of ink between the staff lines.
    private func density(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Double {
        var (filled, all) = (0, 0)
        for row in rows where !StaffStrip.isOnLine(row) {
            for column in columns {
                all += 1
                if strip.isInk(column, row) { filled += 1 }
            }
        }
        return Double(filled) / Double(max(all, 1))
    }

    /// Ink in the two middle spaces and not in the outer ones: the dots of a repeat.
    private func dots(_ columns: ClosedRange<Int>) -> Double {
        let spaces = (0..<4).map { space in
            density(columns, StaffStrip.top + space * unit + 3...StaffStrip.top + (space + 1) * unit - 3)
        }
        return min(spaces[1], spaces[2]) - max(spaces[0], spaces[3])
    }
}
