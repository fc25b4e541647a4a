/// Finds staves whose lines are too broken to be clear in single strips: what is left of five lines at the page's usual
/// distance adds up along the page.
///
/// For each row of each strip, ``worth(_:_:)`` says how much more of five lines is seen than of paper without lines.
/// A staff is the path across the page, along its fall, on which the sum is largest.
struct FaintStaves {
    private let profiles: LineProfiles
    /// For each row of each strip, the row from which a path that follows the page's fall comes in the strip before.
    private let rowsBefore: [Int32]
    private let known: [StaffTrack]
    /// The usual distance of lines on the page, in pixels.
    private let space: Double

    /// The smallest average number of visible lines, 0…5, in a strip of a staff.
    private static let leastLines = 0.5
    /// The smallest sum, over the strips of a whole staff, of the visible lines above ``leastLines``.
    private static let leastSum: Float = 8
    /// The most that one strip adds to the sum or takes from it, in lines, so that no single strip decides.
    private static let mostPerStrip = 1.2
    /// The cost, in lines, of a step of one row away from the page's fall.
    private static let stepCost: Float = 0.1
    /// The smallest length of a staff as a share of the page's usual staff length.
    private static let leastLength = 0.35
    /// The largest distance, in strips, between the beginnings of two staves that stand one above the other.
    private static let mostIndent = 4
    /// The worth of a row that a staff already occupies: so low that no other staff includes it.
    private static let taken: Float = -1_000

    /// - Parameter known: the staves that are clear. From fewer than two, the distance of lines is not known: nil.
    /// - Complexity: O(strips × rows).
    init?(profiles: LineProfiles, falls: FallField, beside known: [StaffTrack]) {
        let spaces = known.flatMap { $0.filter(\.isClear).map(\.space) }.sorted()
        guard known.count >= 2, !spaces.isEmpty else { return nil }
        let space = spaces[spaces.count / 2]
        (self.profiles, self.known, self.space) = (profiles, known, space)
        let height = profiles.height
        // The fall changes little within a staff space.
        let step = max(1, Int(space))
        var rows = [Int32](repeating: 0, count: profiles.count * height)
        for strip in 0..<profiles.count {
            var fall = 0
            for row in 0..<height {
                if row % step == 0 {
                    let exact = falls.fall(Double(strip) - 0.5, Double(row) + 2 * space)
                    fall = Int(min(max(exact, -Double(height)), Double(height)).rounded())
                }
                rows[strip * height + row] = Int32(row - fall)
            }
        }
        rowsBefore = rows
    }

    /// The staves that lie on none of the clear ones, the plainest first.
    /// - Complexity: O(strips × rows) for each.
    func found() -> [StaffTrack] {
        let lengths = known.map(\.count).sorted()
        let fewestStrips = Self.leastLength * Double(lengths[lengths.count / 2])
        var worths = (0..<profiles.count).flatMap { strip in
            (0..<profiles.height).map { worth(strip, $0) }
        }
        for track in known { take(track, from: &worths) }
        var found: [StaffTrack] = []
        for _ in 0..<StaffTracker.mostStaves {
            guard let track = best(worths) else { break }
            take(track, from: &worths)
            if Double(track.count) >= fewestStrips, beginsBeside(track) { found.append(track) }
        }
        return found
    }

    /// True if a staff begins below or above the beginning of the clear staff that is nearest to it.
    private func beginsBeside(_ track: StaffTrack) -> Bool {
        let nearest = known.min {
            abs($0[0].middle - track[0].middle) < abs($1[0].middle - track[0].middle)
        }
        return nearest.map { abs($0[0].strip - track[0].strip) <= Self.mostIndent } ?? false
    }

    /// The number of visible lines above ``leastLines``, within ±``mostPerStrip``, for a staff whose first line lies on
    /// `row`.
    private func worth(_ strip: Int, _ row: Int) -> Float {
        let best = [space, space * 0.98, space * 1.02].map { lines(strip, Double(row), $0) }.max() ?? 0
        return Float(min(max(best - Self.leastLines, -Self.mostPerStrip), Self.mostPerStrip))
    }

    /// The number of visible lines of a staff whose first line lies on row `top`, at most 4.5.
    ///
    /// Each line counts by its ink minus the ink half a space above or below it, because paper without lines has as
    /// much ink there. The strongest line counts no more than the second, so that a long slur is no staff.
    private func lines(_ strip: Int, _ top: Double, _ space: Double) -> Double {
        func share(_ line: Double) -> Double { min(profiles.share(strip, top + line * space), 0.9) }
        var (sum, first, second) = (0.0, -1.0, -1.0)
        var above = share(-0.5)
        for line in 0..<5 {
            let below = share(Double(line) + 0.5)
            let here = share(Double(line)) - max(above, below)
            sum += here
            (first, second) = (max(first, here), max(second, min(first, here)))
            above = below
        }
        return sum - first + second - (share(-1) + share(5)) / 2
    }

    /// Makes it impossible that another staff lies on a staff, or nearer to it than two spaces.
    private func take(_ track: StaffTrack, from worths: inout [Float]) {
        let height = profiles.height
        for comb in track {
            let first = max(0, Int(comb.top - 6 * comb.space))
            for row in first..<max(first, min(height, Int(comb.top + 6 * comb.space) + 1)) {
                worths[comb.strip * height + row] = Self.taken
            }
        }
    }

    /// The path across the page with the largest sum, if that is a staff's; it may begin and end in any strip.
    private func best(_ worths: [Float]) -> StaffTrack? {
        let (count, height) = (profiles.count, profiles.height)
        var sums = worths
        // The row in the strip before; −1 where a path begins.
        var origins = [Int32](repeating: -1, count: count * height)
        var top: (sum: Float, strip: Int, row: Int)?
        for strip in 0..<count {
            for row in 0..<height {
                let place = strip * height + row
                if strip > 0 {
                    var sum: Float = 0
                    let straight = Int(rowsBefore[place])
                    for origin in straight - 1...straight + 1 where origin >= 0 && origin < height {
                        let before =
                            sums[(strip - 1) * height + origin] - (origin == straight ? 0 : Self.stepCost)
                        if before > sum { (sum, origins[place]) = (before, Int32(origin)) }
                    }
                    sums[place] += sum
                }
                if sums[place] > top?.sum ?? Self.leastSum { top = (sums[place], strip, row) }
            }
        }
        guard let top else { return nil }
        var track: StaffTrack = []
        var (strip, row) = (top.strip, top.row)
        while strip >= 0, row >= 0 {
            let place = strip * height + row
            let score = max(Double(worths[place]) + Self.leastLines, 0)
            track.append(StaffComb(strip: strip, top: Double(row), space: space, score: score))
            (strip, row) = (strip - 1, Int(origins[place]))
        }
        return track.reversed()
    }
}
