/// A rectangle on a page, as shares of its width and height: 0 is the left or upper edge, 1 the right or lower one.
public struct PageRectangle: Hashable, Sendable {
    public let left: Double
    public let top: Double
    public let right: Double
    public let bottom: Double

    /// - Throws: ``RehearsalFault/boxOutside(left:top:right:bottom:)`` unless the rectangle lies on the page and is not
    ///   empty.
    public init(left: Double, top: Double, right: Double, bottom: Double) throws(RehearsalFault) {
        guard left >= 0, top >= 0, right <= 1, bottom <= 1, left < right, top < bottom else {
            throw .boxOutside(left: left, top: top, right: right, bottom: bottom)
        }
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    public func contains(x: Double, y: Double) -> Bool {
        x >= left && x < right && y >= top && y < bottom
    }
}

/// A rectangle is encoded as the JSON array `[left, top, right, bottom]`.
extension PageRectangle: Codable {
    public init(from decoder: any Decoder) throws {
        var edges = try decoder.unkeyedContainer()
        try self.init(
            left: edges.decode(Double.self), top: edges.decode(Double.self),
            right: edges.decode(Double.self), bottom: edges.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var edges = encoder.unkeyedContainer()
        for edge in [left, top, right, bottom] { try edges.encode(edge) }
    }
}
