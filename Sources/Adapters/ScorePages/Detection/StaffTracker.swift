/// Finds staves: five lines at equal distances in one strip of the page, then followed from strip to strip.
struct StaffTracker {
    /// More staves than this are not looked for on a page.
    static let mostStaves = 120

    let profiles: LineProfiles
    let ink: InkImage
    let scale: StaffScale

    /// Five lines in one strip.
    struct Comb {
        var strip: Int
        var top: Double
        var space: Double
        /// 0 if notes hide the lines here.
        var score: Double

        var middle: Double { top + 2 * space }
    }

    func staves() -> [TrackedStaff] {
        let seeds = seeds()
        var falls = FallField(strips: profiles.count, height: profiles.height)
        falls.fit(tracks(from: seeds, falls).flatMap(Self.slopes))
        let joining = StaffJoining(tracker: self, falls: falls)
        let staves = joining.whole(tracks(from: seeds, falls)).compactMap(staff)
        return withoutOddOnes(staves).sorted {
            $0.middle(at: $0.middleColumn) < $1.middle(at: $1.middleColumn)
        }
    }

    private func tracks(from seeds: [Comb], _ falls: FallField) -> [[Comb]] {
        var found: [[Comb]] = []
        for seed in seeds {
            guard found.count < Self.mostStaves else { break }
            guard !found.contains(where: { Self.overlaps($0, seed) }) else { continue }
            let track =
                Array(follow(seed, by: -1, falls).reversed()) + [seed] + follow(seed, by: 1, falls)
            guard track.count(where: { $0.score > 0 }) >= 5 else { continue }
            found.append(track)
        }
        return found
    }

    /// How a track falls at several places.
    private static func slopes(_ track: [Comb]) -> [(strip: Double, row: Double, fall: Double)] {
        let clear = track.filter { $0.score > 0 }
        return stride(from: 0, to: clear.count - 7, by: 4).map { start in
            let near = clear[start..<start + 8]
            let (strip, row, across, down) = line(near)
            return (strip, row, down / across)
        }
    }

    /// The mean strip and row of some combs, and the sums of which their slope is the quotient.
    private static func line(_ combs: ArraySlice<Comb>) -> (
        strip: Double, row: Double, across: Double, down: Double
    ) {
        let count = Double(combs.count)
        let strip = combs.reduce(0) { $0 + Double($1.strip) } / count
        let row = combs.reduce(0) { $0 + $1.middle } / count
        var (across, down) = (0.0, 0.0)
        for comb in combs {
            across += (Double(comb.strip) - strip) * (Double(comb.strip) - strip)
            down += (Double(comb.strip) - strip) * (comb.middle - row)
        }
        return (strip, row, across, down)
    }

    /// The best five lines at a place; 5 at most. Lines where a sixth would be speak against it.
    private func score(_ strip: Int, _ top: Double, _ space: Double) -> (score: Double, lines: Int) {
        var sum = 0.0
        var lines = 0
        for line in 0..<5 {
            let share = min(profiles.share(strip, top + Double(line) * space), 0.9)
            sum += share
            if share >= 0.4 { lines += 1 }
        }
        let outside = profiles.share(strip, top - space) + profiles.share(strip, top + 5 * space)
        return (sum - 0.5 * outside, lines)
    }

    /// Places where five lines are clear, the clearest first.
    private func seeds() -> [Comb] {
        let usual = Double(scale.lineDistance)
        let spaces = stride(from: usual * 0.55, through: usual * 1.3, by: max(0.25, usual * 0.02)).map { $0 }
        var all: [Comb] = []
        for strip in 0..<profiles.count {
            var best: [Comb] = []
            for y in 1..<max(2, profiles.height - 1) where profiles.share(strip, Double(y)) >= 0.45 {
                var here: Comb?
                for space in spaces {
                    guard profiles.share(strip, Double(y) + 4 * space) >= 0.4 else { continue }
                    let (score, lines) = score(strip, Double(y), space)
                    if lines == 5, score >= 3, score > here?.score ?? 0 {
                        here = Comb(strip: strip, top: Double(y), space: space, score: score)
                    }
                }
                guard let here else { continue }
                if let last = best.last, here.top - last.top < 3 * last.space {
                    if here.score > last.score { best[best.count - 1] = here }
                } else {
                    best.append(here)
                }
            }
            all += best
        }
        return all.sorted { $0.score > $1.score }
    }

    private static func overlaps(_ track: [Comb], _ seed: Comb) -> Bool {
        track.contains {
            abs($0.strip - seed.strip) <= 2 && seed.top < $0.top + 4.6 * $0.space
                && $0.top < seed.top + 4.6 * seed.space
        }
    }

    /// More strips than this in which notes hide the lines are not crossed.
    private static let mostHidden = 16
    /// The least score of a strip in which notes hide the lines, and not all of them.
    private static let hiddenScore = 1.1

    /// Follows a staff to one side until its lines end. Where notes hide them, it goes straight on.
    private func follow(_ seed: Comb, by way: Int, _ falls: FallField) -> [Comb] {
        var track: [Comb] = []
        var (top, space, missed) = (seed.top, seed.space, 0)
        var hidden: [Comb] = []
        var strip = seed.strip + way
        while strip >= 0, strip < profiles.count, missed < 4, hidden.count < Self.mostHidden {
            let expected =
                top + Double(way) * Self.fall([seed] + track, falls.fall(Double(strip), top + 2 * space))
            if let best = clear(strip, near: expected, space) {
                if !hidden.isEmpty {
                    // The hidden strips lie on the line between the clear ones.
                    let last = track.last ?? seed
                    let steps = Double(abs(strip - last.strip))
                    for index in hidden.indices {
                        let part = Double(abs(hidden[index].strip - last.strip)) / steps
                        let middle =
                            (last.top + 2 * last.space) * (1 - part) + (best.top + 2 * best.space) * part
                        hidden[index].top = middle - 2 * hidden[index].space
                    }
                    track += hidden
                    hidden = []
                }
                space = 0.7 * space + 0.3 * best.space
                top = best.top + 2 * best.space - 2 * space
                track.append(best)
                missed = 0
            } else {
                top = expected
                let score = hiddenScore(strip, near: expected, space)
                if score >= Self.hiddenScore {
                    hidden.append(Comb(strip: strip, top: expected, space: space, score: 0))
                } else {
                    missed += 1
                }
            }
            strip += way
        }
        // A clef and a key hide the lines at a staff's end.
        let last = (track.last ?? seed).strip
        return track + hidden.prefix { abs($0.strip - last) <= Self.mostHiddenAtEnd }
    }

    private static let mostHiddenAtEnd = 6

    /// The rows by which a track falls from strip to strip at its end, close to what the page says.
    private static func fall(_ track: [Comb], _ usual: Double) -> Double {
        let (_, _, across, down) = line(track.suffix(12))
        let trust = 40.0
        return (down + trust * usual) / (across + trust)
    }

    /// The best five lines near a place if at least three are clear.
    private func clear(_ strip: Int, near expected: Double, _ space: Double) -> Comb? {
        var best: Comb?
        let reach = 0.32 * space
        for factor in [1.0, 0.98, 1.02, 0.96, 1.04] {
            for shift in stride(from: -reach, through: reach, by: max(0.5, space / 24)) {
                // The middle line stays where it is while the distance changes.
                let wide = space * factor
                let from = expected + shift + 2 * (space - wide)
                let (score, lines) = score(strip, from, wide)
                guard lines >= 3, score >= 2 else { continue }
                let judged = score - abs(shift) / space - abs(factor - 1) * 4
                if judged > best?.score ?? 0 {
                    best = Comb(strip: strip, top: from, space: wide, score: judged)
                }
            }
        }
        return best
    }

    func hiddenScore(_ strip: Int, near expected: Double, _ space: Double) -> Double {
        stride(from: -0.2 * space, through: 0.2 * space, by: max(0.5, space / 24))
            .map { score(strip, expected + $0, space).score }.max() ?? 0
    }

    private func staff(_ whole: [Comb]) -> TrackedStaff? {
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
        return staff.right - staff.left > 8 * staff.space ? staff : nil
    }

    /// The clear strips, and the hidden ones at the ends but for the outermost, in which the staff may not begin.
    private static func measured(_ track: [Comb]) -> [Comb] {
        guard let first = track.firstIndex(where: { $0.score > 0 }),
            let last = track.lastIndex(where: { $0.score > 0 })
        else { return [] }
        return track[..<first].dropFirst() + track[first...last].filter { $0.score > 0 }
            + track[(last + 1)...].dropLast()
    }

    /// A straight line through the five nearest measurements.
    private static func smoothed(_ track: [Comb], _ index: Int) -> (Double, Double) {
        let near = track[max(0, index - 2)...min(track.count - 1, index + 2)]
        let middle = near.map { Double($0.strip) }.reduce(0, +) / Double(near.count)
        let rows = near.map { $0.top + 2 * $0.space }
        let row = rows.reduce(0, +) / Double(near.count)
        let spaces = near.map(\.space).sorted()
        var (across, down) = (0.0, 0.0)
        for (comb, value) in zip(near, rows) {
            across += (Double(comb.strip) - middle) * (Double(comb.strip) - middle)
            down += (Double(comb.strip) - middle) * (value - row)
        }
        let centre = row + (across > 0 ? down / across * (Double(track[index].strip) - middle) : 0)
        let space = spaces[spaces.count / 2]
        return (centre - 2 * space, space)
    }

    /// The first column from which four of the five lines are printed over a staff space.
    private func edge(_ staff: TrackedStaff, from: Double, to: Double, by way: Int) -> Double? {
        let near = max(1, scale.lineThickness)
        let window = max(4, Int(staff.space))
        func isCovered(_ x: Int) -> Bool {
            let (top, space) = (staff.top(at: Double(x)), staff.space(at: Double(x)))
            var lines = 0
            for line in 0..<5 {
                let y = Int((top + Double(line) * space).rounded())
                if (y - near...y + near).contains(where: { ink.isInk(x, $0) }) { lines += 1 }
            }
            return lines >= 4
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

    /// Leaves out staves far from the usual size: lines of text or tables.
    private func withoutOddOnes(_ staves: [TrackedStaff]) -> [TrackedStaff] {
        let spaces = staves.map(\.space).sorted()
        guard !spaces.isEmpty else { return [] }
        let usual = spaces[spaces.count / 2]
        return staves.filter { (usual * 0.5...usual * 1.6).contains($0.space) }
    }
}
