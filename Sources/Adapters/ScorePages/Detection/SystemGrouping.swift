/// Joins staves to systems.
struct SystemGrouping {
    let ink: InkImage
    let slants: SlantField

    private struct Seam {
        var gap: StaffGap
        var evidence: SeamEvidence
    }

    func systems(_ staves: [TrackedStaff], _ strokes: [[UprightStroke]]) -> [StaffSystem] {
        guard !staves.isEmpty else { return [] }
        let seams = (1..<max(staves.count, 1)).map { seam(staves, strokes, $0) }
        var joins = SystemPattern.joins(seams.map { $0?.evidence })
        repair(&joins, seams)
        var systems: [StaffSystem] = []
        for (index, staff) in staves.enumerated() {
            if index > 0, joins[index - 1], let gap = seams[index - 1]?.gap {
                systems[systems.count - 1].staves.append(staff)
                systems[systems.count - 1].strokes.append(strokes[index])
                systems[systems.count - 1].gaps.append(gap)
            } else {
                systems.append(StaffSystem(staves: [staff], strokes: [strokes[index]], gaps: []))
            }
            guard index > 0, let weight = seams[index - 1]?.evidence.weight else { continue }
            let last = systems.count - 1
            if joins[index - 1] {
                systems[last].weakestSeam = min(systems[last].weakestSeam, weight)
            } else {
                systems[last].strongestOutside = weight
                systems[last - 1].strongestOutside = max(systems[last - 1].strongestOutside, weight)
            }
        }
        return systems
    }

    private func seam(_ staves: [TrackedStaff], _ strokes: [[UprightStroke]], _ index: Int) -> Seam? {
        let (upper, lower) = (staves[index - 1], staves[index])
        let across = min(upper.right, lower.right) - max(upper.left, lower.left)
        let distance = lower.top(at: lower.middleColumn) - upper.bottom(at: lower.middleColumn)
        guard across > 0.4 * min(upper.right - upper.left, lower.right - lower.left),
            distance > 0, distance < 30 * upper.space
        else { return nil }
        let gap = StaffGap(upper: upper, lower: lower, ink: ink, slants: slants)
        var (joined, shared) = (0, 0)
        let likely = strokes[index - 1].filter { $0.odds > -1 }
        for stroke in likely where stroke.centre > upper.left + 3 * upper.space {
            let foot = slants.column(
                of: stroke.centre, from: upper.middle(at: stroke.centre), to: lower.middle(at: stroke.centre))
            guard
                strokes[index].contains(where: { $0.odds > -2 && abs($0.centre - foot) < 0.7 * upper.space })
            else { continue }
            shared += 1
            if gap.coverage(at: stroke.centre) >= 0.93 { joined += 1 }
        }
        let fewer = min(likely.count, strokes[index].count { $0.odds > -1 })
        let evidence = SeamEvidence(leftLine: gap.leftLine, joined: joined, shared: shared, strokes: fewer)
        return Seam(gap: gap, evidence: evidence)
    }

    /// Joins what is torn although the page's other systems say how many staves belong together.
    private func repair(_ joins: inout [Bool], _ seams: [Seam?]) {
        var sizes = SystemPattern.sizes(joins)
        let usual = Dictionary(grouping: sizes, by: \.self).max {
            ($0.value.count, $0.key) < ($1.value.count, $1.key)
        }
        guard let usual, usual.key > 1, usual.value.count >= 2 else { return }
        var index = 0
        while index + 1 < sizes.count {
            let last = sizes[...index].reduce(0, +) - 1
            if sizes[index] + sizes[index + 1] == usual.key, let seam = seams[last],
                seam.evidence.leftLine >= 0.4
            {
                joins[last] = true
                sizes[index] += sizes.remove(at: index + 1)
            }
            index += 1
        }
    }
}
