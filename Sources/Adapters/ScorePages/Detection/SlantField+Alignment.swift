extension SlantField {
    /// A stroke with lower odds says nothing of how bar lines lean.
    private static let leastOdds = 2.0
    /// The largest difference between leans of the same page, in columns for each row.
    private static let breadth = 0.012

    /// The field made to agree with how likely bar lines of neighbouring staves stand one above the other: where print
    /// is blurred or broken, single strokes do not show how they lean. Unchanged where few of them agree.
    /// - Complexity: O(staves · strokes²).
    func aligned(_ staves: [TrackedStaff], _ strokes: [[UprightStroke]], _ ink: InkImage) -> SlantField {
        let likely = strokes.map { $0.filter { $0.odds > Self.leastOdds } }
        var pairs: [Lean] = []
        var most = 0
        for index in staves.indices.dropFirst() {
            let (upper, lower) = (staves[index - 1], staves[index])
            most += min(likely[index - 1].count, likely[index].count)
            for above in likely[index - 1] {
                let top = upper.middle(at: above.centre)
                for below in likely[index] {
                    let height = lower.middle(at: below.centre) - top
                    guard height > 5 * upper.space, height < 30 * upper.space else { continue }
                    let lean = (below.centre - above.centre) / height
                    guard abs(lean) <= Self.steepest else { continue }
                    pairs.append(
                        Lean(x: (above.centre + below.centre) / 2, y: top + height / 2, slant: lean))
                }
            }
        }
        // The slants from single strokes may be wrong altogether; then an upright page is the better start.
        let starts = [self, SlantField()].map { ($0, Self.commonShift(of: pairs, from: $0)) }
        guard let (start, best) = starts.max(by: { $0.1.count < $1.1.count }), best.count >= 6,
            best.count * 3 >= most
        else { return self }
        var kept = pairs.filter { abs($0.slant - start.slant($0.x, $0.y) - best.shift) < 2 * Self.breadth }
        var field = start
        field.constant += best.shift
        for _ in 0..<2 where kept.count >= 12 {
            guard let plane = Self.plane(kept, ink) else { break }
            field = plane
            kept = pairs.filter { abs($0.slant - plane.slant($0.x, $0.y)) < Self.breadth }
        }
        return field
    }

    /// The shift of a field with which most pairs agree, the smaller of two that are equal, and how many agree.
    private static func commonShift(of pairs: [Lean], from field: SlantField) -> (shift: Double, count: Int) {
        let errors = pairs.map { $0.slant - field.slant($0.x, $0.y) }
        return stride(from: -steepest, through: steepest, by: 0.004).map { shift in
            (shift: shift, count: errors.count { abs($0 - shift) < breadth })
        }.max { ($0.count, -abs($0.shift)) < ($1.count, -abs($1.shift)) } ?? (0, 0)
    }
}
