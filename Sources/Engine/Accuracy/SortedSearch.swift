extension Array where Element == Double {
    /// The number of elements below a value; the array must rise.
    func countBelow(_ value: Double) -> Int { partition { $0 < value } }

    /// The number of elements at or below a value; the array must rise.
    func countAtMost(_ value: Double) -> Int { partition { $0 <= value } }

    private func partition(_ belongs: (Double) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The value at `x` of the polyline through the points (`self`, `heights`), constant beyond its ends.
    ///
    /// The operations have the order of `np.interp`; `self` must rise and must not be empty.
    func interpolate(_ heights: [Double], at x: Double) -> Double {
        let knot = countAtMost(x) - 1
        if knot < 0 { return heights[0] }
        if knot >= count - 1 { return heights[count - 1] }
        if self[knot] == x { return heights[knot] }
        let slope = (heights[knot + 1] - heights[knot]) / (self[knot + 1] - self[knot])
        return slope * (x - self[knot]) + heights[knot]
    }
}
