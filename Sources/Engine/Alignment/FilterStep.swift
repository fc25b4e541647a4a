/// One step of a forward filter over reference frames and tempi: it moves the probability, lets the tempo change,
/// and multiplies by the likelihood.
///
/// Rows are tempi, columns are reference frames. At a tempo of 1.3 frames per step, a share of 0.7 moves by one
/// frame and one of 0.3 by two. One pass handles all rows of eight neighbouring columns, so that each value is read
/// twice and written once.
struct FilterStep {
    /// Probability of a change to each neighbouring tempo.
    var drift: Float
    /// Probability of leaving the rows, to stand still or to continue anywhere.
    var leave: Float
    /// Values in a row, including its margins.
    var rowLength: Int
    var tempoCount: Int

    /// - Parameters:
    ///   - from: `tempoCount` rows of the previous step.
    ///   - to: rows of this step.
    ///   - ratios: reference frames per step, one for each tempo.
    ///   - column: a multiple of eight.
    ///   - arriving: probability that enters these columns from outside the rows; it is spread over the tempi by
    ///     `prior`.
    ///   - weight: the likelihood of these columns.
    /// - Returns: the sum over the tempi, before and after multiplication by `weight`.
    /// - Complexity: O(8 × tempi). No allocation, no lock.
    @inline(__always)
    func advance(
        from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>, ratios: UnsafePointer<Float>,
        prior: UnsafePointer<Float>, column: Int, arriving: SIMD8<Float>, weight: SIMD8<Float>
    ) -> (moved: SIMD8<Float>, weighed: SIMD8<Float>) {
        let stay = 1 - 2 * drift - leave
        var moved = SIMD8<Float>.zero
        var weighed = SIMD8<Float>.zero
        var slower = SIMD8<Float>.zero
        var current = predict(from, ratios[0], 0, column)
        for tempo in 0..<tempoCount {
            let isLast = tempo + 1 == tempoCount
            let faster = isLast ? SIMD8<Float>.zero : predict(from, ratios[tempo + 1], tempo + 1, column)
            moved += current
            // The outermost tempi have only one neighbour and keep the share of the missing one.
            let kept = tempo == 0 || isLast ? stay + drift : stay
            let value = (current * kept + (slower + faster) * drift + arriving * prior[tempo]) * weight
            store(value, to + tempo * rowLength + rowMargin, column)
            weighed += value
            slower = current
            current = faster
        }
        return (moved, weighed)
    }

    @inline(__always)
    private func predict(
        _ from: UnsafeMutablePointer<Float>, _ ratio: Float, _ tempo: Int, _ column: Int
    ) -> SIMD8<Float> {
        let whole = Int(ratio)
        let rest = ratio - Float(whole)
        let source = from + tempo * rowLength + rowMargin - whole
        return load(source, column) * (1 - rest) + load(source, column - 1) * rest
    }
}
