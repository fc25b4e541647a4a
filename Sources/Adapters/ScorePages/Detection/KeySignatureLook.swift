/// What stands between two lines of a staff, as far as it can be told from a new key.
enum KeySignatureLook {
    case nothing
    /// Accidentals side by side.
    case key
    /// Notes, rests, or anything else.
    case other

    /// A key of seven accidentals is narrower, in staff spaces.
    static let widest = 9.5
    /// No measure that a repeat sign follows is narrower, in staff spaces.
    static let narrowestMeasure = 4.6
    /// Accidentals are at most so high; stems are higher. In staff spaces.
    private static let tallest = 3.3
    /// An accidental stands at most so far from the line before it, and from the next accidental. In staff spaces.
    private static let (farthestFirst, farthestNext) = (2.0, 0.55)

    /// `from` and `to`: columns of the page's picture, on the staff's middle line.
    init(_ strip: StaffStrip, from: Double, to: Double) {
        let unit = Double(StaffStrip.unit)
        let margin = StaffStrip.unit / 3
        let first = strip.column(ofPage: from) + margin
        let last = strip.column(ofPage: to) - margin
        guard first < last else {
            self = .nothing
            return
        }
        let inked = (first...last).filter { Self.hasInk(strip, $0) }
        guard let start = inked.first else {
            self = .nothing
            return
        }
        let gaps = zip(inked, inked.dropFirst()).map { $1 - $0 }
        let isTall = (first...last).contains { Double(Self.longestRun(strip, $0)) > Self.tallest * unit }
        let isKey =
            !isTall && Double(start - first) <= Self.farthestFirst * unit
            && Double(gaps.max() ?? 0) <= Self.farthestNext * unit
        self = isKey ? .key : .other
    }

    private static let rows =
        StaffStrip.top - 3 * StaffStrip.unit / 2...StaffStrip.bottom + 3 * StaffStrip.unit / 2

    /// More ink than a speck between the staff lines.
    private static func hasInk(_ strip: StaffStrip, _ column: Int) -> Bool {
        rows.count { !StaffStrip.isOnLine($0) && strip.isInk(column, $0) } >= 3
    }

    private static func longestRun(_ strip: StaffStrip, _ column: Int) -> Int {
        var (longest, run) = (0, 0)
        for row in rows {
            run = strip.isInk(column, row) ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
