import Foundation

/// A bar line of a system, or the strokes of a double, final or repeat bar.
struct SystemBarLine {
    /// The edges, in pixels of the levelled page, on the system's middle row.
    var left: Double
    var right: Double
    /// The probability that it is a bar line, 0…1.
    var probability: Double
    var features: [Double]

    /// The ink of a repeat's dots on its right, less that on its left, −1…1.
    var dotsAfter = 0.0

    var centre: Double { (left + right) / 2 }
    /// The mean of the odds that its staves give it.
    var meanOdds: Double { features[0] }
    /// The share of the gaps between the staves that it crosses, 0…1.
    var coverage: Double { features[13] }
}

/// Finds the bar lines of one system: strokes that stand one above the other in its staves.
struct SystemBarLineFinder {
    static let featureCount = 18

    let system: StaffSystem
    let slants: SlantField

    private struct Member {
        var staff: Int
        var left: Double
        var right: Double
        var own: Double
        var odds: Double
        var dotsAfter: Double
        var centre: Double { (left + right) / 2 }
    }

    /// All candidates from left to right, likely or not.
    func candidates() -> [SystemBarLine] {
        let row = system.middleRow
        var members: [Member] = []
        for (index, staff) in system.staves.enumerated() {
            for stroke in system.strokes[index] {
                let shift =
                    slants.column(of: stroke.centre, from: staff.middle(at: stroke.centre), to: row)
                    - stroke.centre
                members.append(
                    Member(
                        staff: index, left: stroke.left + shift, right: stroke.right + shift,
                        own: stroke.centre,
                        odds: stroke.odds, dotsAfter: stroke.dotsAfter))
            }
        }
        let reach = 0.65 * system.space
        var taken = [Bool](repeating: false, count: members.count)
        let order = members.indices.sorted { members[$0].centre < members[$1].centre }
        var found: [SystemBarLine] = []
        for index in members.indices.sorted(by: { members[$0].odds > members[$1].odds }) where !taken[index] {
            var best = [Member?](repeating: nil, count: system.staves.count)
            for other in near(members[index].centre, reach, order, members) where !taken[other] {
                taken[other] = true
                let member = members[other]
                if member.odds > best[member.staff]?.odds ?? -.infinity { best[member.staff] = member }
            }
            best[members[index].staff] = members[index]
            found.append(line(best))
        }
        return comparedWithOthers(found.sorted { $0.centre < $1.centre })
    }

    /// Adds the differences of each line from the system's likely bar lines, which are alike in reach and thickness.
    private func comparedWithOthers(_ lines: [SystemBarLine]) -> [SystemBarLine] {
        let clear = lines.filter { $0.meanOdds > 1 }
        let coverage = Self.median(clear.map(\.coverage))
        let breadth = Self.median(clear.map { $0.right - $0.left })
        let agreement = Self.median(clear.map(\.meanOdds))
        return lines.map { line in
            var line = line
            let relative = breadth.map { log(max(line.right - line.left, 0.5) / max($0, 0.5)) } ?? 0
            line.features += [
                coverage.map { line.coverage - $0 } ?? 0, min(max(relative, -2), 2),
                agreement.map { (line.meanOdds - $0) / 6 } ?? 0, Double(min(clear.count, 8)) / 8,
            ]
            return line
        }
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }

    private func near(_ centre: Double, _ reach: Double, _ order: [Int], _ members: [Member]) -> ArraySlice<
        Int
    > {
        func first(_ limit: Double) -> Int {
            var (low, high) = (0, order.count)
            while low < high {
                let middle = (low + high) / 2
                if members[order[middle]].centre < limit { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return order[first(centre - reach)..<first(centre + reach)]
    }

    private func line(_ best: [Member?]) -> SystemBarLine {
        let present = best.compactMap(\.self)
        let odds = best.map { min(max($0?.odds ?? -4, -6), 6) }
        let count = Double(best.count)
        let sorted = odds.sorted()
        let coverages = system.gaps.enumerated().map { index, gap in
            best[index].map { gap.coverage(at: $0.own) } ?? 0
        }
        let joined = coverages.count { $0 >= 0.92 }
        let mean = odds.reduce(0, +) / count
        let middle = present.map(\.centre).sorted()[present.count / 2]
        let breadth = present.map { $0.right - $0.left }.sorted()[present.count / 2]
        let features = [
            mean, sorted[0], sorted[sorted.count / 4], sorted[sorted.count - 1],
            Double(odds.count { $0 > 0 }) / count, Double(best.count - present.count) / count,
            system.gaps.isEmpty ? 0 : Double(joined) / Double(system.gaps.count),
            joined > 0 ? 1 : 0, best.count == 1 ? 1 : 0,
            // The more staves agree, the more their vote weighs, also if none is sure of itself.
            log(Double(present.count)) / 3, mean * log(count) / 3,
            spread(present.map(\.centre)) / system.space, breadth / system.space,
            coverages.reduce(0, +) / Double(max(coverages.count, 1)),
        ]
        return SystemBarLine(
            left: middle - breadth / 2, right: middle + breadth / 2, probability: 0, features: features,
            dotsAfter: present.reduce(0) { $0 + $1.dotsAfter } / Double(present.count))
    }

    /// The mean distance from the median.
    private func spread(_ centres: [Double]) -> Double {
        let middle = centres.sorted()[centres.count / 2]
        return centres.reduce(0) { $0 + abs($1 - middle) } / Double(centres.count)
    }
}
