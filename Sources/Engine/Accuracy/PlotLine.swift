/// Reduces long curves to short SVG paths that look the same.
///
/// Coordinates are whole tenths of a drawing unit, written as steps: most points take four characters.
struct PlotLine {
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    /// Width of a column, in half units; each column keeps at most four points.
    var coarseness: Double
    private(set) var path = ""

    init(coarseness: Double = 1) { self.coarseness = coarseness }

    /// Adds one connected stretch of a curve; x must not fall.
    mutating func add(_ points: [Point]) {
        let kept = straightened(thinned(points)).map { (x: Self.tenths($0.x), y: Self.tenths($0.y)) }
        guard let first = kept.first else { return }
        path += "M\(first.x) \(first.y)"
        if kept.count == 1 { path += "h1" }
        var before = first
        var opens = true
        for point in kept.dropFirst() where point != before {
            let dx = point.x - before.x
            let dy = point.y - before.y
            path += (opens ? "l" : dx < 0 ? "" : " ") + "\(dx)" + (dy < 0 ? "" : " ") + "\(dy)"
            opens = false
            before = point
        }
    }

    /// Keeps the first, lowest, highest and last point of every narrow column: all that a screen shows of them.
    private func thinned(_ points: [Point]) -> [Point] {
        var out: [Point] = []
        var start = 0
        while start < points.count {
            let column = (points[start].x * 2 / coarseness).rounded(.down)
            var end = start
            var low = start
            var high = start
            while end < points.count, (points[end].x * 2 / coarseness).rounded(.down) == column {
                if points[end].y < points[low].y { low = end }
                if points[end].y > points[high].y { high = end }
                end += 1
            }
            for index in Set([start, low, high, end - 1]).sorted() { out.append(points[index]) }
            start = end
        }
        return out
    }

    /// Drops points within a seventh of a unit of the line between the points that are kept.
    private func straightened(_ points: [Point]) -> [Point] {
        guard points.count > 2 else { return points }
        let slack = 0.15 * coarseness
        var out = [points[0]]
        var steepest = Double.infinity
        var flattest = -Double.infinity
        for index in 1..<points.count {
            let anchor = out[out.count - 1]
            let dx = points[index].x - anchor.x
            let isInside =
                dx > 0.05 && (points[index].y - anchor.y) / dx <= steepest
                && (points[index].y - anchor.y) / dx >= flattest
            if !isInside, index > 1 {
                out.append(points[index - 1])
                steepest = .infinity
                flattest = -.infinity
            }
            let from = out[out.count - 1]
            let step = points[index].x - from.x
            guard step > 0.05 else {
                // The corner of a vertical step is always kept.
                steepest = -.infinity
                flattest = .infinity
                continue
            }
            steepest = min(steepest, (points[index].y + slack - from.y) / step)
            flattest = max(flattest, (points[index].y - slack - from.y) / step)
        }
        out.append(points[points.count - 1])
        return out
    }

    static func tenths(_ units: Double) -> Int { Int((min(max(units, -1e6), 1e6) * 10).rounded()) }
}
