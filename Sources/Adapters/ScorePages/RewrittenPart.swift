/// A part that was engraved once more in another key, page by page as before.
public struct RewrittenPart: Equatable, Sendable {
    public var pages: [EngravedPage]
    public var maps: [RewrittenPageMap]

    public init(pages: [EngravedPage], maps: [RewrittenPageMap]) {
        (self.pages, self.maps) = (pages, maps)
    }
}

/// Says which place of a rewritten page belongs to which place of the page before, both in shares of their pages.
/// Between two pairs, places lie in proportion.
public struct RewrittenPageMap: Equatable, Sendable, Codable {
    /// The horizontal map of one system.
    public struct System: Equatable, Sendable, Codable {
        /// Down to where the system reaches on the page before.
        public var bottom: Double
        /// Pairs of distances from the left, before and after, both rising from 0 to 1.
        public var x: [[Double]]
    }

    /// Pairs of distances from the top, before and after, both rising from 0. The page before ends at 1.
    public var y: [[Double]]
    /// The systems from top to bottom.
    public var systems: [System]

    /// Maps a place on the old page to the rewritten page; both places are shares of their pages.
    public func newPlace(x: Double, y: Double) -> (x: Double, y: Double) {
        let system = systems.first { y < $0.bottom } ?? systems.last
        return (Self.interpolate(x, in: system?.x ?? []), Self.interpolate(y, in: self.y))
    }

    private static func interpolate(_ place: Double, in pairs: [[Double]]) -> Double {
        guard
            let next = pairs.indices.dropFirst().first(where: { place <= pairs[$0][0] })
                ?? pairs.indices.last,
            next > 0
        else { return place }
        let (from, to) = (pairs[next - 1], pairs[next])
        let share = (place - from[0]) / (to[0] - from[0])
        return from[1] + share * (to[1] - from[1])
    }

    var isUsable: Bool { Self.rises(y) && systems.allSatisfy { Self.rises($0.x) } }

    private static func rises(_ pairs: [[Double]]) -> Bool {
        pairs.count >= 2
            && pairs.allSatisfy { $0.count == 2 && $0.allSatisfy { $0.isFinite && (0...1).contains($0) } }
            && zip(pairs, pairs.dropFirst()).allSatisfy { $0[0] < $1[0] && $0[1] < $1[1] }
    }
}
