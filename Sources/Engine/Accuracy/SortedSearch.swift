extension Array where Element == Double {
    /// Returns the number of elements below a value; the elements must be in rising order.
    func countBelow(_ value: Double) -> Int { partitionPoint { $0 < value } }

    /// Returns the number of elements at or below a value; the elements must be in rising order.
    func countAtMost(_ value: Double) -> Int { partitionPoint { $0 <= value } }

    private func partitionPoint(_ belongs: (Double) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the height at `x` of the line through the points (`self`, `heights`); beyond its ends the line is
    /// constant.
    ///
    /// The arithmetic is done in the order of NumPy's `np.interp`, for equal rounding; `self` must rise and must not be
    /// empty.
    func interpolate(_ heights: [Double], at x: Double) -> Double {
        let knot = countAtMost(x) - 1
        if knot < 0 { return heights[0] }
        if knot >= count - 1 { return heights[count - 1] }
        if self[knot] == x { return heights[knot] }
        let slope = (heights[knot + 1] - heights[knot]) / (self[knot + 1] - self[knot])
        return slope * (x - self[knot]) + heights[knot]
    }
}
