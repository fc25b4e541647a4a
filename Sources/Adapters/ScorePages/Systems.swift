/// Staves that sound together, joined by a line at their left end.
struct StaffSystem: Equatable {
    var staves: [DetectedStaff]

    var leftColumn: Int { staves.map(\.leftColumn).min() ?? 0 }
    var rightColumn: Int { staves.map(\.rightColumn).max() ?? 0 }
    /// The mean distance between two neighbouring lines of a staff, in pixels.
    var lineSpacing: Double { staves.map(\.lineSpacing).reduce(0, +) / Double(max(staves.count, 1)) }

    static func makeSystems(of staves: [DetectedStaff], in ink: BinaryPageImage) -> [StaffSystem] {
        var systems: [StaffSystem] = []
        for staff in staves {
            if let above = systems.last?.staves.last, areJoined(above, staff, in: ink) {
                systems[systems.count - 1].staves.append(staff)
            } else {
                systems.append(StaffSystem(staves: [staff]))
            }
        }
        return systems
    }

    /// True if a line runs without a break from one staff down to the next, near their left ends.
    private static func areJoined(_ upper: DetectedStaff, _ lower: DetectedStaff, in ink: BinaryPageImage)
        -> Bool
    {
        let reach = Int(upper.lineSpacing.rounded())
        guard abs(upper.leftColumn - lower.leftColumn) <= 2 * reach else { return false }
        let rows = Int(upper.bottom)...max(Int(upper.bottom), Int(lower.top))
        let columns =
            max(
                1, min(upper.leftColumn, lower.leftColumn) - reach)...min(
                ink.width - 2, max(upper.leftColumn, lower.leftColumn) + reach)
        guard columns.lowerBound < columns.upperBound else { return false }
        return columns.contains { x in
            let printed = rows.count { ink[x - 1, $0] || ink[x, $0] || ink[x + 1, $0] }
            return printed * 100 >= rows.count * 97
        }
    }
}
