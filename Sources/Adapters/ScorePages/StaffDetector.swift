/// A staff of five lines on a page. Coordinates are pixels of the straightened page.
struct DetectedStaff: Equatable {
    /// Rows of the five lines, from the top.
    var lineRows: [Double]
    /// The first column of the staff's ink.
    var leftColumn: Int
    /// The last column of the staff's ink.
    var rightColumn: Int

    var top: Double { lineRows[0] }
    var bottom: Double { lineRows[4] }
    var lineSpacing: Double { (bottom - top) / 4 }
}

/// Finds staves by rows with long runs of ink.
struct StaffDetector {
    /// The fraction of a pixel row that long runs of ink must fill if the row belongs to a staff line. A run is long
    /// from a fortieth of the page's width.
    static let minimumFilledShare = 0.2

    let inkImage: BinaryPageImage

    func detectStaves() -> [DetectedStaff] {
        let filled = longRunLengthsOfRows()
        let lines = findLineCandidates(in: filled)
        // A beam one space above a staff looks like its first line, but is shorter or thicker than a line.
        func shortest(_ five: StaffLineGroup) -> Int {
            five.lineIndices.map { filled[Int(lines[$0].centreRow.rounded())] }.min() ?? 0
        }
        func seemsBeam(_ first: Int, before five: StaffLineGroup?, than here: StaffLineGroup) -> Bool {
            guard let five else { return false }
            return shortest(five) * 5 > shortest(here) * 6
                || lines[first].thickness > 1 + 2 * (five.lineIndices.map { lines[$0].thickness }.max() ?? 0)
        }
        var staves: [DetectedStaff] = []
        var index = 0
        while index + 4 < lines.count {
            let here = findFiveLines(lines, from: index)
            let isBeam = (1...3).contains { step in
                here.map { seemsBeam(index, before: findFiveLines(lines, from: index + step), than: $0) }
                    ?? false
            }
            if let here, !isBeam, let staff = findStaffEnds(here.lineRows) {
                staves.append(staff)
                index = (here.lineIndices.last ?? index) + 1
            } else {
                index += 1
            }
        }
        return removingOddlySizedStaves(staves)
    }

    private struct StaffLineCandidate {
        /// The row of the line's centre.
        var centreRow: Double
        var thickness: Int
    }

    /// The rows of five staff lines, and their indices in the list of detected lines.
    private struct StaffLineGroup {
        var lineRows: [Double]
        var lineIndices: [Int]
    }

    /// Returns the total length of the long runs of ink in each row, in pixels.
    private func longRunLengthsOfRows() -> [Int] {
        let shortest = max(8, inkImage.width / 40)
        var filled = [Int](repeating: 0, count: inkImage.height)
        for y in 0..<inkImage.height {
            var run = 0
            var gap = 0
            for x in 0..<inkImage.width {
                if inkImage[x, y] {
                    run += 1 + gap
                    gap = 0
                } else if run > 0, gap < 1 {
                    gap += 1
                } else {
                    if run >= shortest { filled[y] += run }
                    (run, gap) = (0, 0)
                }
            }
            if run >= shortest { filled[y] += run }
        }
        return filled
    }

    /// Returns everything that could be a staff line, without beams that touch a staff line.
    private func findLineCandidates(in filled: [Int]) -> [StaffLineCandidate] {
        let needed = Int(Double(inkImage.width) * Self.minimumFilledShare)
        let near = max(2, inkImage.height / 400)
        let stands = filled.indices.map { y in
            let neighbours = max(0, y - near)...min(inkImage.height - 1, y + near)
            return filled[y] >= needed && filled[y] * 4 >= (neighbours.map { filled[$0] }.max() ?? 0) * 3
        }
        var lines: [StaffLineCandidate] = []
        var y = 0
        while y < inkImage.height {
            guard stands[y] else {
                y += 1
                continue
            }
            let start = y
            var weight = 0
            var moment = 0
            while y < inkImage.height, stands[y] {
                weight += filled[y]
                moment += filled[y] * y
                y += 1
            }
            // A strip that is thicker than a line is a picture's edge or a filled bar.
            guard y - start <= max(6, inkImage.height / 200) else { continue }
            lines.append(StaffLineCandidate(centreRow: Double(moment) / Double(weight), thickness: y - start))
        }
        return lines
    }

    /// Returns five evenly spaced lines that begin with the line `first`, or nil if there are none.
    ///
    /// A line in between that does not belong to the staff (a long tie, a box around a text) is skipped.
    private func findFiveLines(_ lines: [StaffLineCandidate], from first: Int) -> StaffLineGroup? {
        guard first + 4 < lines.count else { return nil }
        for second in (first + 1)..<min(first + 3, lines.count) {
            let gap = lines[second].centreRow - lines[first].centreRow
            guard gap >= 4, gap <= Double(inkImage.height) / 20 else { continue }
            let tolerance = max(1.5, gap * 0.18)
            var rows = [lines[first].centreRow, lines[second].centreRow]
            var members = [first, second]
            for step in 2...4 {
                let expected = rows[step - 1] + (rows[step - 1] - rows[0]) / Double(step - 1)
                let last = members[step - 1]
                let candidates = min(last + 1, lines.count)..<min(last + 4, lines.count)
                guard
                    let nearest = candidates.min(
                        by: { abs(lines[$0].centreRow - expected) < abs(lines[$1].centreRow - expected) }),
                    abs(lines[nearest].centreRow - expected) <= tolerance
                else { break }
                rows.append(lines[nearest].centreRow)
                members.append(nearest)
            }
            if rows.count == 5 {
                return StaffLineGroup(lineRows: Self.evenlySpacedRows(rows), lineIndices: members)
            }
        }
        return nil
    }

    /// Returns evenly spaced rows that fit most of the five rows. One of the five rows may be displaced, because a
    /// beam lies next to its line.
    private static func evenlySpacedRows(_ rows: [Double]) -> [Double] {
        let gaps = zip(rows.dropFirst(), rows).map { $0 - $1 }.sorted()
        let gap = (gaps[1] + gaps[2]) / 2
        let starts = rows.indices.map { rows[$0] - Double($0) * gap }.sorted()
        return (0..<5).map { starts[2] + Double($0) * gap }
    }

    /// Finds the left and right end of a staff: the outermost places where at least four of its lines are printed
    /// almost without gaps over a width of two spaces.
    private func findStaffEnds(_ rows: [Double]) -> DetectedStaff? {
        let window = max(4, Int((rows[4] - rows[0]) / 2))
        let covered = (0..<inkImage.width).map { x in
            rows.count { row in
                let y = Int(row.rounded())
                return (max(0, y - 1)...min(inkImage.height - 1, y + 1)).contains { inkImage[x, $0] }
            } >= 4
        }
        var sums = [0]
        for isCovered in covered { sums.append(sums[sums.count - 1] + (isCovered ? 1 : 0)) }
        func steady(_ start: Int) -> Bool { (sums[start + window] - sums[start]) * 10 >= window * 9 }
        let starts = 0..<max(0, inkImage.width - window)
        guard let left = starts.first(where: { covered[$0] && steady($0) }),
            let right = starts.last(where: { covered[$0 + window - 1] && steady($0) })
        else { return nil }
        return DetectedStaff(lineRows: rows, leftColumn: left, rightColumn: right + window - 1)
    }

    /// Removes staves that are much larger or smaller than the median, or shorter than a measure.
    private func removingOddlySizedStaves(_ staves: [DetectedStaff]) -> [DetectedStaff] {
        let usual = staves.map(\.lineSpacing).sorted()
        guard !usual.isEmpty else { return [] }
        let median = usual[usual.count / 2]
        return staves.filter {
            (median * 0.5...median * 1.7).contains($0.lineSpacing)
                && Double($0.rightColumn - $0.leftColumn) > $0.lineSpacing * 10
        }
    }
}
