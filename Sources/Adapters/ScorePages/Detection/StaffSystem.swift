/// Staves that sound together, joined at their left end; with the upright strokes of each.
struct StaffSystem {
    var staves: [TrackedStaff]
    var strokes: [[UprightStroke]]
    /// The lines between neighbouring staves, one fewer than staves.
    var gaps: [StaffGap]
    /// The evidence for the least certain join between two of its staves, −1…1; 1 for a single staff.
    var weakestSeam = 1.0
    /// The evidence that it continues in the system above or below, −1…1.
    var strongestOutside = -1.0

    /// The columns from its leftmost to its rightmost point.
    var length: Double { (staves.map(\.right).max() ?? 0) - (staves.map(\.left).min() ?? 0) }
    var space: Double { staves.map(\.space).reduce(0, +) / Double(max(staves.count, 1)) }
    /// The row on which columns of all staves are compared.
    var middleRow: Double {
        guard let first = staves.first, let last = staves.last else { return 0 }
        return (first.top(at: first.middleColumn) + last.bottom(at: last.middleColumn)) / 2
    }
}

/// The paper between two staves, one below the other.
struct StaffGap {
    let upper: TrackedStaff
    let lower: TrackedStaff
    let ink: InkImage
    let slants: SlantField

    /// The share of rows between the staves with ink along an upright line; `x` is on the upper staff's middle line.
    func coverage(at x: Double, lean: Double = 0) -> Double {
        let from = upper.middle(at: x)
        let near = max(1, Int((upper.space * 0.1).rounded()))
        let top = Int(upper.bottom(at: x).rounded()) + 1
        let foot = slants.column(of: x, from: from, to: lower.top(at: x))
        let bottom = Int(lower.top(at: foot).rounded()) - 1
        guard top < bottom, bottom - top < 100 * Int(upper.space + 1) else { return 0 }
        let slant = slants.slant(x, Double(top + bottom) / 2) + lean
        var filled = 0
        for y in top...bottom {
            let column = Int((x + slant * (Double(y) - from)).rounded())
            if (column - near...column + near).contains(where: { ink.isInk($0, y) }) { filled += 1 }
        }
        return Double(filled) / Double(bottom - top + 1)
    }

    /// The share, 0…1, of the gap between the staves that a line near their left ends fills.
    var leftLine: Double {
        let space = upper.space
        let end = slants.column(
            of: lower.left, from: lower.middle(at: lower.left), to: upper.middle(at: upper.left))
        guard abs(end - upper.left) < 6 * space else { return 0 }
        var best = 0.0
        let step = max(1, space / 10)
        for x in stride(
            from: min(end, upper.left) - 1.2 * space, through: max(end, upper.left) + space, by: step)
        {
            for lean in [0, -0.012, 0.012] { best = max(best, coverage(at: x, lean: lean)) }
        }
        return best
    }
}
