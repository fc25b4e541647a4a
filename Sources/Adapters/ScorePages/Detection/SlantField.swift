/// The slant of upright strokes over a page, in columns for each row. It is a plane, because a camera may be tilted.
struct SlantField {
    var constant = 0.0
    var byColumn = 0.0
    var byRow = 0.0

    static let steepest = 0.1

    func slant(_ x: Double, _ y: Double) -> Double {
        min(max(constant + byColumn * x + byRow * y, -Self.steepest), Self.steepest)
    }

    /// The column at which a point arrives on another row if it follows the strokes.
    func column(of x: Double, from y: Double, to row: Double) -> Double {
        x + slant(x, (y + row) / 2) * (row - y)
    }

    init() {}

    /// Fits the lean of stems and bar lines that cross whole staves.
    init(_ staves: [TrackedStaff], _ ink: InkImage) {
        var found = staves.flatMap { Self.strokes(of: $0, ink) }
        guard found.count >= 6 else { return }
        let middle = found.map(\.slant).sorted()[found.count / 2]
        constant = middle
        found = found.filter { abs($0.slant - middle) < 0.045 }
        for _ in 0..<2 where found.count >= 24 {
            guard let plane = Self.plane(found, ink) else { return }
            self = plane
            found = found.filter { abs($0.slant - plane.slant($0.x, $0.y)) < 0.02 }
        }
    }

    struct Lean {
        var x: Double
        var y: Double
        var slant: Double
    }

    /// Thin strokes from the first to the last line of a staff, with their lean.
    private static func strokes(of staff: TrackedStaff, _ ink: InkImage) -> [Lean] {
        var found: [Lean] = []
        let leans = (-8...8).map { Double($0) * 0.0125 }
        let apart = max(3, Int((staff.space * 0.4).rounded()))
        func count(_ x: Double, _ lean: Double, _ top: Double, _ space: Double) -> Int {
            (0...16).count { step in
                let y = top + Double(step) / 4 * space
                return ink.isInk(Int((x + lean * (y - top - 2 * space)).rounded()), Int(y.rounded()))
            }
        }
        var x = Int(staff.left)
        while x < Int(staff.right) {
            defer { x += 1 }
            let (top, space) = (staff.top(at: Double(x)), staff.space(at: Double(x)))
            guard ink.isInk(x, Int((top + 2 * space).rounded())) else { continue }
            let whole = leans.filter { count(Double(x), $0, top, space) >= 17 }
            guard let first = whole.first, let last = whole.last, last - first < 0.06 else { continue }
            let lean = (first + last) / 2
            guard count(Double(x - apart), lean, top, space) < 11,
                count(Double(x + apart), lean, top, space) < 11
            else { continue }
            found.append(Lean(x: Double(x), y: top + 2 * space, slant: lean))
        }
        return found
    }

    /// Least squares over x and y.
    static func plane(_ found: [Lean], _ ink: InkImage) -> SlantField? {
        let (scaleX, scaleY) = (Double(ink.width), Double(ink.height))
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 3)
        for each in found {
            let row = [1, each.x / scaleX - 0.5, each.y / scaleY - 0.5]
            for i in 0..<3 {
                for j in 0..<3 { matrix[i][j] += row[i] * row[j] }
                matrix[i][3] += row[i] * each.slant
            }
        }
        // A page with strokes in one corner only says nothing of the others.
        for i in 1..<3 { matrix[i][i] += Double(found.count) * 0.004 }
        for i in 0..<3 {
            guard abs(matrix[i][i]) > 1e-9 else { return nil }
            for k in 0..<3 where k != i {
                let factor = matrix[k][i] / matrix[i][i]
                for j in i..<4 { matrix[k][j] -= factor * matrix[i][j] }
            }
        }
        var field = SlantField()
        field.byColumn = matrix[1][3] / matrix[1][1] / scaleX
        field.byRow = matrix[2][3] / matrix[2][2] / scaleY
        field.constant = matrix[0][3] / matrix[0][0] - 0.5 * (field.byColumn * scaleX + field.byRow * scaleY)
        return field
    }
}
