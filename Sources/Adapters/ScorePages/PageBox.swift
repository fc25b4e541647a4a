/// A rectangle on a page, in fractions of the page's width and height from the top left corner.
public struct PageBox: Hashable, Sendable, Codable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public static let wholePage = PageBox(x: 0, y: 0, width: 1, height: 1)

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the area that two boxes have in common, as a fraction of the smaller box.
    func overlapShare(with other: PageBox) -> Double {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        let smaller = min(width * height, other.width * other.height)
        return across > 0 && down > 0 && smaller > 0 ? across * down / smaller : 0
    }
}
