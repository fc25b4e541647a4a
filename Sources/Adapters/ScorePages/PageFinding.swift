/// The result of examining the image of a page: the boxes around its music, and its angle.
public struct PageFinding: Equatable, Sendable, Codable {
    /// The smallest box around everything printed or written, after straightening, as shares of the page; dirt and
    /// black borders of a scan are left out. Nil for an empty page.
    public var ink: PageBox?
    /// Degrees clockwise by which the page must be turned so that its staves are level; 0 if it is straight, or if
    /// nothing on it says how it lies.
    public var tiltDegrees: Double
    /// True if the staves run from top to bottom: the page lies on its side.
    public var isOnSide: Bool

    public init(ink: PageBox?, tiltDegrees: Double = 0, isOnSide: Bool = false) {
        self.ink = ink
        self.tiltDegrees = tiltDegrees
        self.isOnSide = isOnSide
    }

    /// Looks at a page. An image of some 800 rows is enough.
    /// - Complexity: O(pixels), some 10 ms for 800 rows.
    public init(of image: GreyImage) {
        guard image.width >= 40, image.height >= 40 else {
            self.init(ink: nil)
            return
        }
        var mask = InkMask(image)
        mask.removeBorders()
        let skew = PageSkew(mask)
        mask.removeSpecks()
        self.init(
            ink: mask.boundingBox(turnedBy: skew.degrees), tiltDegrees: skew.degrees, isOnSide: skew.isOnSide)
    }
}

/// Measures the angle of a crooked page: the angle at which its rows (or its columns, if it lies on its side) differ
/// most from each other, because each staff line then lies in one row.
struct PageSkew {
    /// Degrees clockwise by which the page must be turned.
    let degrees: Double
    let isOnSide: Bool

    /// The largest angle that is looked for, in degrees.
    static let mostDegrees = 6.0
    /// An angle counts only if it makes rows differ by this factor more than no angle does.
    private static let leastGain = 1.03

    init(_ mask: InkMask) {
        let points = mask.points(atMost: 40_000)
        guard points.count > 200 else {
            (degrees, isOnSide) = (0, false)
            return
        }
        let upright = Self.best(points.map { ($0.x, $0.y) }, mask.width, mask.height)
        // A point (x, y) of a page on its side is (y, -x) of the upright one.
        let side = Self.best(points.map { ($0.y, mask.width - 1 - $0.x) }, mask.height, mask.width)
        isOnSide = side.peak > 1.3 * upright.peak
        degrees = isOnSide ? side.degrees : upright.degrees
    }

    private static func best(
        _ points: [(x: Int, y: Int)], _ width: Int, _ height: Int
    ) -> (degrees: Double, peak: Double) {
        let level = contrast(points, width, height, 0)
        var found = (degrees: 0.0, peak: level)
        for step in -24...24 {
            let angle = Double(step) * 0.25
            let value = contrast(points, width, height, angle)
            if value > found.peak { found = (angle, value) }
        }
        let coarse = found.degrees
        for step in -5...5 {
            let angle = coarse + Double(step) * 0.05
            let value = contrast(points, width, height, angle)
            if value > found.peak { found = (angle, value) }
        }
        guard found.peak > level * leastGain, abs(found.degrees) < mostDegrees, abs(found.degrees) >= 0.1
        else {
            return (0, found.peak)
        }
        // Lines that fall by an angle to the right are level after a turn by the same angle to the left.
        return (-(found.degrees * 100).rounded() / 100, found.peak)
    }

    /// The sum of squared differences of neighbouring rows, if rows fall by an angle to the right.
    private static func contrast(
        _ points: [(x: Int, y: Int)], _ width: Int, _ height: Int, _ degrees: Double
    ) -> Double {
        let slope = Float(degrees * .pi / 180)
        let spare = Int(abs(slope) * Float(width)) + 2
        var rows = [Int32](repeating: 0, count: height + 2 * spare)
        let middle = Float(width) / 2
        for point in points {
            let row = Float(point.y) - slope * (Float(point.x) - middle)
            rows[Int(row.rounded()) + spare] += 1
        }
        var sum = 0.0
        for index in rows.indices.dropFirst() {
            let difference = Double(rows[index] - rows[index - 1])
            sum += difference * difference
        }
        return sum
    }
}
