/// Sums and order statistics that equal those of the reference scorer, which uses NumPy, to the last bit.
package enum Statistics {
    /// Sum in NumPy's order of additions: eight running sums within 128 values, halves above that.
    ///
    /// Floating-point addition is not associative, and another order would sometimes change the last printed digit.
    static func sum(_ values: [Double]) -> Double {
        0.0 + values.withUnsafeBufferPointer { pairwiseSum($0[...]) }
    }

    private static func pairwiseSum(_ values: Slice<UnsafeBufferPointer<Double>>) -> Double {
        let count = values.count
        let first = values.startIndex
        if count < 8 { return values.reduce(-0.0, +) }
        if count > 128 {
            let half = count / 2
            let middle = first + half - half % 8
            return pairwiseSum(values[..<middle]) + pairwiseSum(values[middle...])
        }
        var lanes = SIMD8<Double>(repeating: 0)
        for lane in 0..<8 { lanes[lane] = values[first + lane] }
        var next = first + 8
        while next < first + count - count % 8 {
            for lane in 0..<8 { lanes[lane] += values[next + lane] }
            next += 8
        }
        var total =
            ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
        while next < values.endIndex {
            total += values[next]
            next += 1
        }
        return total
    }

    /// Arithmetic mean; NaN for no values.
    static func mean(_ values: [Double]) -> Double { sum(values) / Double(values.count) }

    /// Returns the share of flags that are true, 0…1; NaN for no flags.
    static func shareOfTrue(_ flags: [Bool]) -> Double {
        Double(flags.count { $0 }) / Double(flags.count)
    }

    /// Returns a quantile of sorted values by linear interpolation. There must be at least one value, and none may be
    /// NaN.
    /// - Parameter quantile: 0…1.
    static func quantile(ofSorted values: [Double], _ quantile: Double) -> Double {
        let place = Double(values.count - 1) * quantile
        guard place < Double(values.count - 1) else { return values[values.count - 1] }
        let below = Int(place)
        let fraction = place - Double(below)
        let step = values[below + 1] - values[below]
        return fraction >= 0.5
            ? values[below + 1] - step * (1 - fraction)
            : values[below] + step * fraction
    }

    /// The median; the mean of the two middle values if their count is even. At least one value, none of them NaN.
    package static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
