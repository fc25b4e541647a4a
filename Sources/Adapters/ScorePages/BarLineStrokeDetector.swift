/// Finds upright strokes through one staff that may be bar lines.
struct BarLineStrokeDetector {
    struct UprightStroke: Equatable {
        var leftColumn: Int
        var rightColumn: Int
        /// The similarity of the stroke to a bar line, above 0 and at most 1.
        var barLineSimilarity: Double

        var centreColumn: Int { (leftColumn + rightColumn) / 2 }
    }

    let staff: DetectedStaff
    let inkImage: BinaryPageImage
    let system: StaffSystem

    func detectStrokes() -> [UprightStroke] {
        let rows = Int(staff.top.rounded())...Int(staff.bottom.rounded())
        let columns = max(1, staff.leftColumn - 2)...min(inkImage.width - 2, staff.rightColumn + 2)
        guard columns.lowerBound < columns.upperBound else { return [] }
        let filled = columns.map { x in
            Double(rows.count { inkImage[x, $0] || inkImage[x - 1, $0] || inkImage[x + 1, $0] })
                / Double(rows.count)
        }
        var found: [UprightStroke] = []
        var index = 0
        while index < filled.count {
            guard filled[index] >= 0.95 else {
                index += 1
                continue
            }
            let start = index
            while index < filled.count, filled[index] >= 0.95 { index += 1 }
            // Each column also includes its left and right neighbour: a stroke seems two columns wider than it is.
            let (left, right) = (columns.lowerBound + start + 1, columns.lowerBound + index - 2)
            guard Double(right - left + 1) <= 0.9 * staff.lineSpacing, left <= right else { continue }
            // Two figures above each other also reach from top to bottom, but not in a single column.
            let isStraight = (left...right).contains { x in
                rows.count { inkImage[x, $0] } * 100 >= rows.count * 92
            }
            guard isStraight else { continue }
            if let quality = computeBarLineSimilarity(left, right, rows) {
                found.append(UprightStroke(leftColumn: left, rightColumn: right, barLineSimilarity: quality))
            }
        }
        return found
    }

    /// Returns the similarity of a stroke to a bar line, at most 1; nil for a stem or a stroke with a note at its side.
    private func computeBarLineSimilarity(_ left: Int, _ right: Int, _ rows: ClosedRange<Int>) -> Double? {
        var quality = 1.0
        // A bar line of an outer staff ends with the staff; a stem usually does not.
        let reach = Int((staff.lineSpacing * 0.8).rounded())
        if staff == system.staves.first,
            inkRunLength(left, right, from: rows.lowerBound - 2, step: -1) >= reach
        {
            quality -= 0.6
        }
        if staff == system.staves.last, inkRunLength(left, right, from: rows.upperBound + 2, step: 1) >= reach
        {
            quality -= 0.6
        }
        if noteHeadDarkness(left - 2, right + 2) > 0.55 { quality -= 0.7 }
        return quality > 0.35 ? quality : nil
    }

    /// Counts the rows of unbroken ink beyond the end of a stroke, up to one and a half staff spaces.
    private func inkRunLength(_ left: Int, _ right: Int, from row: Int, step: Int) -> Int {
        let limit = Int(staff.lineSpacing * 1.5)
        var count = 0
        var y = row
        while count < limit, y >= 0, y < inkImage.height, (left...right).contains(where: { inkImage[$0, y] })
        {
            count += 1
            y += step
        }
        return count
    }

    /// Returns the darkness of the darkest field next to a stroke, 0…1. A field is as high as a note head and half as
    /// wide.
    ///
    /// A field that is equally dark on the other side (a slur, a tie, a beam that crosses) does not count.
    private func noteHeadDarkness(_ left: Int, _ right: Int) -> Double {
        let bottom = min(inkImage.height - 1, Int(staff.bottom + staff.lineSpacing))
        let rows = max(0, Int(staff.top - staff.lineSpacing))...bottom
        let leftRows = adjacentDarkness(in: rows, from: left, step: -1)
        let rightRows = adjacentDarkness(in: rows, from: right, step: 1)
        let tall = max(3, Int(staff.lineSpacing * 0.7))
        guard rows.count > tall else { return 0 }
        // If both sides are dark from top to bottom, the stroke belongs to the figures of a time signature.
        let crowded = [leftRows, rightRows].map { side in
            let used = side.compactMap(\.self)
            return used.reduce(0, +) / Double(max(used.count, 1))
        }
        if crowded.min() ?? 0 > 0.3 { return 1 }
        var darkest = 0.0
        for start in 0...(leftRows.count - tall) {
            let rows = start..<(start + tall)
            let used = rows.filter { leftRows[$0] != nil }
            guard used.count * 2 >= tall else { continue }
            let difference = used.reduce(0.0) { $0 + (leftRows[$1] ?? 0) - (rightRows[$1] ?? 0) }
            darkest = max(darkest, abs(difference) / Double(used.count))
        }
        return darkest
    }

    /// Returns for each row the length of the ink that touches a stroke, as a fraction of half a note head. It is nil
    /// on staff lines, and 0 if the ink is another stroke of a double, final or repeat bar line.
    private func adjacentDarkness(in rows: ClosedRange<Int>, from column: Int, step: Int) -> [Double?] {
        let space = staff.lineSpacing
        let breadth = max(2, Int(space * 0.6))
        let columns = (0..<breadth).map { column + $0 * step }.filter { $0 >= 0 && $0 < inkImage.width }
        let dark = rows.map { y -> Double? in
            if staff.lineRows.contains(where: { abs($0 - Double(y)) <= max(1, space * 0.12) }) { return nil }
            // Only ink that touches the stroke counts: a note head touches its stem, but not a bar line.
            let touching = columns.firstIndex { !inkImage[$0, y] } ?? columns.count
            return Double(touching) / Double(max(columns.count, 1))
        }
        let inside = Int(staff.top.rounded())...Int(staff.bottom.rounded())
        let isStroke = columns.contains { x in inside.count { inkImage[x, $0] } * 100 >= inside.count * 95 }
        return isStroke ? dark.map { $0.map { _ in 0 } } : dark
    }
}
