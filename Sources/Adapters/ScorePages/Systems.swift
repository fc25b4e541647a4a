/// Staves that sound together, joined by a line at their left end.
struct StaffSystem: Equatable {
    var staves: [Staff]

    var left: Int { staves.map(\.left).min() ?? 0 }
    var right: Int { staves.map(\.right).max() ?? 0 }
    /// The mean distance between two neighbouring lines of a staff, in pixels.
    var spacing: Double { staves.map(\.spacing).reduce(0, +) / Double(max(staves.count, 1)) }

    static func systems(of staves: [Staff], in ink: BinaryPageImage) -> [StaffSystem] {
        var systems: [StaffSystem] = []
        for staff in staves {
            if let above = systems.last?.staves.last, joined(above, staff, in: ink) {
                systems[systems.count - 1].staves.append(staff)
            } else {
                systems.append(StaffSystem(staves: [staff]))
            }
        }
        return systems
    }

    /// True if a line runs without a break from one staff down to the next, near their left ends.
    private static func joined(_ upper: Staff, _ lower: Staff, in ink: BinaryPageImage) -> Bool {
        let reach = Int(upper.spacing.rounded())
        guard abs(upper.left - lower.left) <= 2 * reach else { return false }
        let rows = Int(upper.bottom)...max(Int(upper.bottom), Int(lower.top))
        let columns =
            max(
                1, min(upper.left, lower.left) - reach)...min(
                ink.width - 2, max(upper.left, lower.left) + reach)
        guard columns.lowerBound < columns.upperBound else { return false }
        return columns.contains { x in
            let printed = rows.count { ink[x - 1, $0] || ink[x, $0] || ink[x + 1, $0] }
            return printed * 100 >= rows.count * 97
        }
    }
}
