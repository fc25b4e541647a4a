/// Makes a staff of its track: measured places, smoothed, and the columns where its lines begin and end.
struct StaffOutline {
    let profiles: LineProfiles
    let ink: InkImage
    let scale: StaffScale
    let falls: FallField

    /// A clef, a key and a time hide no more of a staff's end than this, in staff spaces.
    private static let farthest = 22

    /// Nil if it is too short for a staff.
    func staff(_ whole: StaffTrack) -> TrackedStaff? {
        let track = Self.measured(whole)
        guard let first = track.first, let last = track.last else { return nil }
        let places = track.indices.map { Self.smoothed(track, $0) }
        var staff = TrackedStaff(
            columns: track.map { profiles.centre(of: $0.strip) }, tops: places.map(\.0),
            spaces: places.map(\.1),
            left: 0, right: 0)
        let half = Double(profiles.stripWidth)
        let start = profiles.centre(of: first.strip)
        let end = profiles.centre(of: last.strip)
        let reach = 1.6 * half
        staff.left = edge(staff, from: start - reach, to: start + reach, by: 1) ?? start - half / 2
        staff.right = edge(staff, from: end + reach, to: end - reach, by: -1) ?? end + half / 2
        extend(&staff, by: -1)
        extend(&staff, by: 1)
        staff.clearShare = Double(whole.count(where: \.isClear)) / Double(whole.count)
        return staff.right - staff.left > 8 * staff.space ? staff : nil
    }

    /// The clear strips, and the hidden ones at the ends but for the outermost, in which the staff may not begin.
    private static func measured(_ track: StaffTrack) -> StaffTrack {
        guard let first = track.firstIndex(where: { $0.score > 0 }),
            let last = track.lastIndex(where: { $0.score > 0 })
        else { return [] }
        return track[..<first].dropFirst() + track[first...last].filter { $0.score > 0 }
            + track[(last + 1)...].dropLast()
    }

    /// A straight line through the five nearest measurements.
    private static func smoothed(_ track: StaffTrack, _ index: Int) -> (Double, Double) {
        let near = track[max(0, index - 2)...min(track.count - 1, index + 2)]
        let spaces = near.map(\.space).sorted()
        let space = spaces[spaces.count / 2]
        let line = near.straight
        return (line.row + line.fall * (Double(track[index].strip) - line.strip) - 2 * space, space)
    }

    /// Goes on beyond an end as long as four of the five lines are seen in most columns, as they are under a clef and a
    /// key; one space may hide them. A bracket, which is narrow, is no staff.
    private func extend(_ staff: inout TrackedStaff, by way: Int) {
        let block = max(4, Int(staff.space.rounded()))
        var x = way < 0 ? staff.left : staff.right
        var (top, space) = (staff.top(at: x), staff.space(at: x))
        var (found, failed) = (0, 0)
        var ends: [(column: Double, top: Double)] = []
        for _ in 0..<Self.farthest {
            let strip = x / Double(profiles.stripWidth)
            let fall = falls.fall(strip, top + 2 * space) / Double(profiles.stripWidth)
            let level = top + Double(way * block) * fall
            let columns = (1...block).map { Int(x) + $0 * way }
            let places = [0, -0.06, 0.06, -0.12, 0.12].map { shift in
                let here = level + shift * space
                return (top: here, covered: columns.count { isCovered($0, here, space) })
            }
            guard let best = places.max(by: { $0.covered < $1.covered }) else { break }
            x += Double(way * block)
            if best.covered * 10 >= block * 7 {
                (top, found, failed) = (best.top, found + 1, 0)
                ends.append((x, best.top))
            } else {
                top = level
                failed += 1
                if failed > 1 { break }
            }
        }
        guard found >= 2, let end = ends.last else { return }
        space = staff.space(at: way < 0 ? staff.left : staff.right)
        if way < 0 {
            staff.left = end.column
            for end in ends where end.column < staff.columns[0] {
                staff.columns.insert(end.column, at: 0)
                staff.tops.insert(end.top, at: 0)
                staff.spaces.insert(space, at: 0)
            }
        } else {
            staff.right = end.column
            for end in ends where end.column > staff.columns[staff.columns.count - 1] {
                staff.columns.append(end.column)
                staff.tops.append(end.top)
                staff.spaces.append(space)
            }
        }
    }

    /// True if four of the five lines are printed in a column.
    private func isCovered(_ x: Int, _ top: Double, _ space: Double) -> Bool {
        let near = max(1, scale.lineThickness)
        let lines = (0..<5).count { line in
            let y = Int((top + Double(line) * space).rounded())
            return (y - near...y + near).contains { ink.isInk(x, $0) }
        }
        return lines >= 4
    }

    /// The first column from which four of the five lines are printed over a staff space.
    private func edge(_ staff: TrackedStaff, from: Double, to: Double, by way: Int) -> Double? {
        let window = max(4, Int(staff.space))
        func isCovered(_ x: Int) -> Bool {
            self.isCovered(x, staff.top(at: Double(x)), staff.space(at: Double(x)))
        }
        var x = Int(from)
        while (x - Int(to)) * way < 0 {
            if isCovered(x) {
                let covered = (0..<window).count { isCovered(x + $0 * way) }
                if covered * 4 >= window * 3 { return Double(x) }
            }
            x += way
        }
        return nil
    }
}
