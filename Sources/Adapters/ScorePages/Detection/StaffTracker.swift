/// Finds staves: five lines at equal distances in one strip of the page, then followed from strip to strip.
struct StaffTracker {
    /// More staves than this are not looked for on a page.
    static let mostStaves = 120

    let profiles: LineProfiles
    let ink: InkImage
    let scale: StaffScale

    private struct Comb {
        var strip: Int
        var top: Double
        var space: Double
        var score: Double
    }

    func staves() -> [TrackedStaff] {
        var found: [[Comb]] = []
        for seed in seeds() {
            guard found.count < Self.mostStaves else { break }
            guard !found.contains(where: { Self.overlaps($0, seed) }) else { continue }
            let track = Array(follow(seed, by: -1).reversed()) + [seed] + follow(seed, by: 1)
            guard track.count >= 5 else { continue }
            found.append(track)
        }
        let staves = joined(found).compactMap(staff)
        return withoutOddOnes(staves).sorted {
            $0.middle(at: $0.middleColumn) < $1.middle(at: $1.middleColumn)
        }
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

    /// Follows a staff to one side until its lines end.
    private func follow(_ seed: Comb, by way: Int) -> [Comb] {
        var track: [Comb] = []
        var (top, space, fall, missed) = (seed.top, seed.space, 0.0, 0)
        var strip = seed.strip + way
        while strip >= 0, strip < profiles.count, missed < 4 {
            let expected = top + fall
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
            if let best {
                fall = 0.6 * fall + 0.4 * (best.top + 2 * best.space - top - 2 * space)
                space = 0.7 * space + 0.3 * best.space
                top = best.top + 2 * best.space - 2 * space
                track.append(best)
                missed = 0
            } else {
                top = expected
                missed += 1
            }
            strip += way
        }
        return track
    }

    /// Joins tracks that continue each other.
    private func joined(_ tracks: [[Comb]]) -> [[Comb]] {
        var tracks = tracks.sorted { $0[0].strip < $1[0].strip }
        var index = 0
        while index < tracks.count {
            guard let last = tracks[index].last,
                let next = tracks.indices.first(where: { other in
                    let first = tracks[other][0]
                    return other != index && first.strip > last.strip && first.strip - last.strip <= 6
                        && abs(first.top + 2 * first.space - last.top - 2 * last.space) < last.space
                        && abs(first.space - last.space) < 0.12 * last.space
                })
            else {
                index += 1
                continue
            }
            tracks[index] += tracks[next]
            tracks.remove(at: next)
            if next < index { index -= 1 }
        }
        return tracks
    }

    private func staff(_ track: [Comb]) -> TrackedStaff? {
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
