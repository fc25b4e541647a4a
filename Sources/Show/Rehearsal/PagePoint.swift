/// A point on a page, in ten-thousandths of its width and height; a ten-thousandth is about the width of a hair.
public struct PagePoint: Hashable, Sendable, BitwiseCopyable {
    public static let unitsPerPage = 10_000

    public let x: Int
    public let y: Int

    /// Creates a point.
    /// - Throws: ``RehearsalFault/pointOutside(x:y:)`` if the point is not on the page.
    public init(x: Int, y: Int) throws(RehearsalFault) {
        guard (0...Self.unitsPerPage).contains(x), (0...Self.unitsPerPage).contains(y) else {
            throw .pointOutside(x: x, y: y)
        }
        self.x = x
        self.y = y
    }

    /// Creates the point on the page that is nearest to one given as shares of its width and height; NaN becomes 0.
    public init(nearX x: Double, nearY y: Double) {
        self.x = Self.quantised(x)
        self.y = Self.quantised(y)
    }

    private static func quantised(_ share: Double) -> Int {
        share > 0 ? Int((min(share, 1) * Double(unitsPerPage)).rounded()) : 0
    }
}

/// A point is encoded as the JSON array `[x, y]`.
extension PagePoint: Codable {
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        try self.init(x: pair.decode(Int.self), y: pair.decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(x)
        try pair.encode(y)
    }
}

/// The path of a finger or a pen, relative to a remark's anchor, so that moving the remark does not change it.
public struct Stroke: Hashable, Sendable {
    /// The points of the path as alternating x and y coordinates, in ten-thousandths of the page's width and height,
    /// relative to the anchor.
    public let coordinates: [Int]

    /// Creates a stroke.
    /// - Throws: ``RehearsalFault`` if there are no points, too many, an odd number of coordinates, or a point more
    ///   than a page away.
    public init(coordinates: [Int]) throws(RehearsalFault) {
        guard coordinates.count.isMultiple(of: 2) else { throw .oddCoordinates(coordinates.count) }
        guard !coordinates.isEmpty else { throw .noPoints }
        guard coordinates.count / 2 <= RoomLimits.mostStrokePoints else {
            throw .tooManyPoints(coordinates.count / 2)
        }
        for index in stride(from: 0, to: coordinates.count, by: 2) {
            let (x, y) = (coordinates[index], coordinates[index + 1])
            guard abs(x.clampedForNegation) <= PagePoint.unitsPerPage,
                abs(y.clampedForNegation) <= PagePoint.unitsPerPage
            else {
                throw .pointOutside(x: x, y: y)
            }
        }
        self.coordinates = coordinates
    }
}

extension Int {
    /// This number, or `-Int.max` in place of `Int.min`, which has no absolute value.
    fileprivate var clampedForNegation: Int { Swift.max(self, -Int.max) }
}

/// A stroke is encoded as a JSON array of its coordinates.
extension Stroke: Codable {
    public init(from decoder: any Decoder) throws {
        // Counts while decoding, so that too many are refused before they are stored.
        var list = try decoder.unkeyedContainer()
        if let count = list.count, count > 2 * RoomLimits.mostStrokePoints {
            throw RehearsalFault.tooManyPoints(count / 2)
        }
        var coordinates: [Int] = []
        while !list.isAtEnd {
            coordinates.append(try list.decode(Int.self))
            guard coordinates.count <= 2 * RoomLimits.mostStrokePoints else {
                throw RehearsalFault.tooManyPoints(coordinates.count / 2 + 1)
            }
        }
        try self.init(coordinates: coordinates)
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for coordinate in coordinates { try list.encode(coordinate) }
    }
}
