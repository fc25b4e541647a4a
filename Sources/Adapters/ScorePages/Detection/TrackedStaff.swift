/// A staff of five lines, followed over the page as far as it bends. Pixels of the levelled page.
struct TrackedStaff {
    /// The columns at which its place was measured, rising.
    var columns: [Double]
    /// The row of the first line at each of these columns.
    var tops: [Double]
    /// The distance of neighbouring lines at each of these columns.
    var spaces: [Double]
    /// The first and the last column of its lines.
    var left: Double
    var right: Double
    /// The share of its strips in which its lines are clear.
    var clearShare = 1.0

    var space: Double { spaces.reduce(0, +) / Double(max(spaces.count, 1)) }
    var middleColumn: Double { (left + right) / 2 }

    func top(at x: Double) -> Double { value(tops, x) }
    func bottom(at x: Double) -> Double { value(tops, x) + 4 * value(spaces, x) }
    func space(at x: Double) -> Double { value(spaces, x) }
    func middle(at x: Double) -> Double { value(tops, x) + 2 * value(spaces, x) }

    /// Linear between the measured columns, and beyond them.
    private func value(_ values: [Double], _ x: Double) -> Double {
        guard columns.count > 1 else { return values.first ?? 0 }
        var low = 0
        var high = columns.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if columns[middle] <= x { low = middle } else { high = middle }
        }
        let part = (x - columns[low]) / (columns[high] - columns[low])
        return values[low] + (values[high] - values[low]) * min(max(part, -2), 3)
    }
}
