/// The way from a page of a file to the upright page that is shown: quarter turns, then a small angle about the middle.
///
/// Points are shares of the page's width and height, 0 at the left or upper edge. Near the corners, a point of the page
/// may lie a little outside the upright page.
public struct PageForm: Hashable, Sendable {
    /// The size of the page in its file; only its proportions count.
    public let size: PageSize
    public let quarterTurns: Int
    /// Degrees clockwise.
    public let tiltDegrees: Double
    private let sine: Double
    private let cosine: Double

    public init(size: PageSize, quarterTurns: Int = 0, tiltDegrees: Double = 0) {
        self.size = size
        self.quarterTurns = quarterTurns & 3
        self.tiltDegrees = tiltDegrees
        (sine, cosine) = Self.sineAndCosine(degrees: tiltDegrees)
    }

    /// The size of the upright page.
    public var uprightSize: PageSize {
        quarterTurns.isMultiple(of: 2) ? size : PageSize(width: size.height, height: size.width)
    }

    public var isPlain: Bool { quarterTurns == 0 && tiltDegrees == 0 }

    /// Returns where a point of the file's page lies on the upright page.
    public func upright(x: Double, y: Double) -> (x: Double, y: Double) {
        let turned: (x: Double, y: Double) =
            switch quarterTurns {
            case 1: (1 - y, x)
            case 2: (1 - x, 1 - y)
            case 3: (y, 1 - x)
            default: (x, y)
            }
        return rotated(turned.x, turned.y, sine)
    }

    /// Returns which point of the file's page lies at a point of the upright page.
    public func filed(x: Double, y: Double) -> (x: Double, y: Double) {
        let level = rotated(x, y, -sine)
        return switch quarterTurns {
        case 1: (level.y, 1 - level.x)
        case 2: (1 - level.x, 1 - level.y)
        case 3: (1 - level.y, level.x)
        default: level
        }
    }

    /// Returns the smallest upright rectangle around a rectangle of the file's page, as left, top, right and bottom.
    public func upright(_ box: PageRectangle) -> (left: Double, top: Double, right: Double, bottom: Double) {
        let corners = [
            upright(x: box.left, y: box.top), upright(x: box.right, y: box.top),
            upright(x: box.left, y: box.bottom), upright(x: box.right, y: box.bottom),
        ]
        return (
            corners.map(\.x).min() ?? 0, corners.map(\.y).min() ?? 0, corners.map(\.x).max() ?? 1,
            corners.map(\.y).max() ?? 1
        )
    }

    private func rotated(_ x: Double, _ y: Double, _ sine: Double) -> (x: Double, y: Double) {
        guard sine != 0 else { return (x, y) }
        let (width, height) = (uprightSize.width, uprightSize.height)
        let (across, down) = ((x - 0.5) * width, (y - 0.5) * height)
        return (
            0.5 + (across * cosine - down * sine) / width, 0.5 + (across * sine + down * cosine) / height
        )
    }

    /// Sine and cosine of an angle of at most ten degrees, by their series: exact to 1e-12.
    private static func sineAndCosine(degrees: Double) -> (Double, Double) {
        let angle = degrees * .pi / 180
        let square = angle * angle
        return (
            angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)))),
            1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
        )
    }
}
