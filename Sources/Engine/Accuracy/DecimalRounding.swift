extension Double {
    /// This value rounded to a number of decimals, exactly as Python's `round(x, n)` does it.
    ///
    /// The binary value itself is rounded, ties to even: 2.675 is stored as slightly less and becomes 2.67. The
    /// product with the power of ten is kept exactly, as a double and its rounding error, so that the decision never
    /// depends on a rounded number. The quotient of two whole doubles is then the nearest double.
    /// - Parameter places: decimals, 0…15.
    /// - Returns: the value itself if it is not finite, or if it has no fraction at that scale (beyond 4·10¹⁵).
    func rounded(places: Int) -> Double {
        guard isFinite else { return self }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let product = magnitude * scale
        guard product < 4e15 else { return self }
        let error = (-product).addingProduct(magnitude, scale)
        var whole = product.rounded(.down)
        let aboveHalf = (product - whole) - 0.5
        let isOdd = whole.truncatingRemainder(dividingBy: 2) == 1
        if aboveHalf > 0 || (aboveHalf == 0 && (error > 0 || (error == 0 && isOdd))) { whole += 1 }
        return Double(signOf: self, magnitudeOf: whole / scale)
    }
}
