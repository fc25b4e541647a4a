/// Five lines at equal distances in one strip of the page.
struct StaffComb {
    var strip: Int
    /// The row of the first line.
    var top: Double
    /// The distance of neighbouring lines, in pixels.
    var space: Double
    /// The clearness of the lines, up to 5; 0 if notes hide them here.
    var score: Double

    var middle: Double { top + 2 * space }
    var isClear: Bool { score > 0 }
}

/// A staff, or a piece of one, from strip to strip and from left to right.
typealias StaffTrack = [StaffComb]

extension Collection<StaffComb> {
    /// The straight line that lies nearest to the middles of the combs.
    var straight: StraightTrack {
        let count = Double(Swift.max(self.count, 1))
        let strip = reduce(0) { $0 + Double($1.strip) } / count
        let row = reduce(0) { $0 + $1.middle } / count
        var (across, down) = (0.0, 0.0)
        for comb in self {
            across += (Double(comb.strip) - strip) * (Double(comb.strip) - strip)
            down += (Double(comb.strip) - strip) * (comb.middle - row)
        }
        return StraightTrack(strip: strip, row: row, across: across, down: down)
    }
}

/// The mean strip and row of some combs, and the sums of which their fall is the quotient.
struct StraightTrack {
    var strip: Double
    var row: Double
    var across: Double
    var down: Double

    /// Rows for each strip.
    var fall: Double { across > 0 ? down / across : 0 }

    /// The fall, close to `usual` as long as few strips speak against it.
    func fall(near usual: Double, trust: Double = 40) -> Double { (down + trust * usual) / (across + trust) }
}
