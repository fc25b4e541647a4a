/// The fall of staff lines from one strip of a page to the next, in pixels, at each place of the page: a surface of the
/// second degree, fitted to many staves.
struct FallField {
    private var weights = [Double](repeating: 0, count: 6)
    private let breadth: Double
    private let height: Double

    /// A page on which lines do not fall.
    init(strips: Int, height: Int) {
        (breadth, self.height) = (Double(max(strips, 1)), Double(max(height, 1)))
    }

    /// Fits the surface to slopes, in rows for each strip; without many of them, nothing falls.
    mutating func fit(_ slopes: [(strip: Double, row: Double, fall: Double)]) {
        guard slopes.count >= 12 else { return }
        var kept = slopes
        for _ in 0..<3 {
            weights = solved(kept)
            let errors = kept.map { abs($0.fall - fall($0.strip, $0.row)) }
            let usual = errors.sorted()[errors.count / 2]
            kept = zip(kept, errors).filter { $0.1 <= 3 * usual + 0.01 }.map(\.0)
        }
    }

    func fall(_ strip: Double, _ row: Double) -> Double {
        zip(weights, terms(strip, row)).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private func terms(_ strip: Double, _ row: Double) -> [Double] {
        let (x, y) = (strip / breadth - 0.5, row / height - 0.5)
        return [1, x, y, x * y, x * x, y * y]
    }

    /// The least squares, a little drawn to zero so that few staves do not bend the page.
    private func solved(_ slopes: [(strip: Double, row: Double, fall: Double)]) -> [Double] {
        let size = weights.count
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
        for slope in slopes {
            let terms = terms(slope.strip, slope.row)
            for one in 0..<size {
                for other in 0..<size { matrix[one][other] += terms[one] * terms[other] }
                matrix[one][size] += terms[one] * slope.fall
            }
        }
        for term in 0..<size { matrix[term][term] += 0.002 * Double(slopes.count) }
        for pivot in 0..<size {
            for row in 0..<size where row != pivot {
                let share = matrix[row][pivot] / matrix[pivot][pivot]
                for column in pivot...size { matrix[row][column] -= share * matrix[pivot][column] }
            }
        }
        return (0..<size).map { matrix[$0][size] / matrix[$0][$0] }
    }
}
