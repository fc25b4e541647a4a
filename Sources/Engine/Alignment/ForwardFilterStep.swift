/// One step of a forward filter over reference frames and tempi: it moves the probability, lets the tempo change,
/// and multiplies by the likelihood.
///
/// Rows are tempi, columns are reference frames. At a tempo of 1.3 frames per step, a share of 0.7 moves by one
/// frame and one of 0.3 by two. One pass handles all rows of eight neighbouring columns, so that each value is read
/// twice and written once.
struct ForwardFilterStep {
    /// The probability of a change to each neighbouring tempo, per step.
    var tempoChangeProbability: Float
    /// The probability per step that the music leaves its path, to stand still or to continue anywhere.
    var leavePathProbability: Float
    /// The number of values in a row, with its margins.
    var rowLength: Int
    var tempoCount: Int

    /// Computes one step for eight columns.
    /// - Parameters:
    ///   - from: the rows of the previous step, one for each tempo.
    ///   - to: receives the rows of this step.
    ///   - ratios: reference frames per step, one for each tempo.
    ///   - column: the first of the eight columns; a multiple of eight.
    ///   - arriving: probability that enters these columns from outside the rows; it is spread over the tempi by
    ///     `prior`.
    ///   - weight: the likelihood of these columns.
    /// - Returns: the sum over the tempi, before and after multiplication by `weight`.
    /// - Complexity: O(8 × tempi). No allocation, no lock.
    @inline(__always)
    func computeEightColumns(
        from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>, ratios: UnsafePointer<Float>,
        prior: UnsafePointer<Float>, column: Int, arriving: SIMD8<Float>, weight: SIMD8<Float>
    ) -> (moved: SIMD8<Float>, weighed: SIMD8<Float>) {
        let stay = 1 - 2 * tempoChangeProbability - leavePathProbability
        var moved = SIMD8<Float>.zero
        var weighed = SIMD8<Float>.zero
        var slower = SIMD8<Float>.zero
        var current = predictEightColumns(from, ratios[0], 0, column)
        for tempo in 0..<tempoCount {
            let isLast = tempo + 1 == tempoCount
            let faster =
                isLast ? SIMD8<Float>.zero : predictEightColumns(from, ratios[tempo + 1], tempo + 1, column)
            moved += current
            // The outermost tempi have only one neighbour and keep the share of the missing one.
            let kept = tempo == 0 || isLast ? stay + tempoChangeProbability : stay
            let value =
                (current * kept + (slower + faster) * tempoChangeProbability + arriving * prior[tempo])
                * weight
            storeEightFloats(value, to + tempo * rowLength + rowMarginZeroCount, column)
            weighed += value
            slower = current
            current = faster
        }
        return (moved, weighed)
    }

    @inline(__always)
    private func predictEightColumns(
        _ from: UnsafeMutablePointer<Float>, _ ratio: Float, _ tempo: Int, _ column: Int
    ) -> SIMD8<Float> {
        let whole = Int(ratio)
        let rest = ratio - Float(whole)
        let source = from + tempo * rowLength + rowMarginZeroCount - whole
        return loadEightFloats(source, column) * (1 - rest) + loadEightFloats(source, column - 1) * rest
    }
}
