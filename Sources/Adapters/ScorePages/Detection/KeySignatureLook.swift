/// Tells a new key between two vertical lines of a staff from other ink.
enum KeySignatureLook {
    case nothing
    /// Accidentals side by side.
    case key
    /// Notes, rests, or anything else.
    case other

    /// The greatest width of a new key, in staff spaces: seven accidentals are narrower.
    static let widest = 9.5
    /// The smallest width of a measure before a repeat sign, in staff spaces.
    static let narrowestMeasure = 4.6
    /// The greatest height of an accidental, in staff spaces; stems are higher.
    private static let tallest = 3.3
    /// The greatest distance of the first accidental from the line before it, and of two neighbours, in staff spaces.
    private static let (farthestFirst, farthestNext) = (2.0, 0.55)

    /// Looks at the staff between two columns of the page's picture, counted on the staff's middle line.
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

    /// Returns true if a column has more ink than a speck between the staff lines.
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
