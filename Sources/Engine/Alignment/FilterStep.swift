/// One step of a forward filter over reference frames and tempi: move, change tempo, weigh.
///
/// Rows are tempi, columns reference frames. A tempo of 1.3 frames moves a share of 0.7 by one frame and one of
/// 0.3 by two. All rows of eight neighbouring columns are done in one pass, so each value is read twice and
/// written once.
struct FilterStep {
    /// Chance to change to each neighbouring tempo.
    var drift: Float
    /// Chance to leave the rows for standing still, or for anywhere.
    var leave: Float
    /// Values in a row, margin included.
    var rowLength: Int
    var tempoCount: Int

    /// - Parameters:
    ///   - from: `tempoCount` rows of the previous step.
    ///   - to: rows of this step.
    ///   - ratios: frames a step, by tempo.
    ///   - column: a multiple of eight.
    ///   - arriving: what enters these columns, to be spread over the tempi by `prior`.
    ///   - weight: the likelihood of these columns.
    /// - Returns: the sum over the tempi, before weighing and after.
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
            // The outermost tempi have one neighbour only and keep what would have gone to the other.
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
