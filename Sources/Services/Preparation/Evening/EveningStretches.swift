import Score

/// The times at which a piece was played in a show, as its log tells: the first guess where to look in the recording.
package struct EveningStretches: Equatable, Sendable {
    /// A longer pause between two measures divides a rehearsal, in seconds.
    static let longestPause = 60.0
    /// The seconds before the first known measure and after the last one in which music may sound too.
    static let margin = 20.0
    /// A performance may be this much slower than the reference.
    static let slowestTempo = 1.4

    /// Ranges of the show's time in seconds, in order.
    package let ranges: [Range<Double>]

    /// - Parameters:
    ///   - positions: what the show knew, in the order of time.
    ///   - piece: the piece's name, as the show knew it.
    ///   - measures: the measures of the piece's reference.
    package init(in positions: [EveningPosition], piece: String, measures: MeasureMap) {
        let entered = positions.filter { $0.piece == piece && measures.marks.indices.contains($0.played) }
        var found: [Range<Double>] = []
        var first: EveningPosition?
        var last: EveningPosition?
        func finish() {
            guard let first, let last else { return }
            let before = measures.marks[first.played].onset.seconds - measures.marks[0].onset.seconds
            let after = measures.end.seconds - measures.marks[last.played].onset.seconds
            let from = first.seconds - before * Self.slowestTempo - Self.margin
            let to = last.seconds + after * Self.slowestTempo + Self.margin
            if let end = found.last?.upperBound, from <= end {
                found[found.count - 1] = found[found.count - 1].lowerBound..<max(end, to)
            } else {
                found.append(from..<to)
            }
        }
        for measure in entered {
            if let last, measure.seconds - last.seconds > Self.longestPause {
                finish()
                first = nil
            }
            first = first ?? measure
            last = measure
        }
        finish()
        ranges = found
    }
}
