import Score

/// Maps the true positions to seconds of a reference recording, so that a chart can show them with the follower's
/// positions.
///
/// Each live measure is matched with a measure of the reference that has its number: the next one after the last match,
/// or else the last one in the reference. So a repeat that both recordings play appears at two places, as it does for
/// the follower.
struct GroundTruthOnReference {
    /// For each live measure, its interval in the reference in seconds; nil if the reference has no such measure.
    let referenceIntervalsByMeasure: [ClosedRange<Double>?]

    init(_ truth: GroundTruth, reference: MeasureMap) {
        let bounds = (reference.marks.map(\.onset) + [reference.end]).map(\.seconds)
        var occurrences: [Int: [Int]] = [:]
        for (index, mark) in reference.marks.enumerated() {
            occurrences[mark.printed, default: []].append(index)
        }
        var last = -1
        referenceIntervalsByMeasure = truth.measureNumbers.map { number in
            let candidates = occurrences[Int(number)] ?? []
            guard let index = candidates.first(where: { $0 > last }) ?? candidates.last else { return nil }
            last = index
            return bounds[index]...bounds[index + 1]
        }
    }

    /// The true path of the music, split where it jumps: straight through each measure, flat within holds.
    func pathSegments(of truth: GroundTruth) -> [[(live: Double, reference: Double)]] {
        var stretches: [[(live: Double, reference: Double)]] = [[]]
        var reached: Double?
        for (row, place) in referenceIntervalsByMeasure.enumerated() {
            guard let place else {
                reached = nil
                continue
            }
            if place.lowerBound != reached { stretches.append([]) }
            let close = row + 1 < truth.measureOnsets.count ? truth.measureOnsets[row + 1] : truth.endSeconds
            var points = [(live: truth.measureOnsets[row], reference: place.lowerBound)]
            for hold in truth.unplayedIntervals
            where hold.end > truth.measureOnsets[row] && hold.start < close {
                // Takes the position just before the hold, because a position within it is already where the music
                // will continue.
                let position = truth.truePosition(at: max(hold.start - 1e-6, truth.measureOnsets[row]))
                let fraction = position - truth.measureNumbers[row]
                let height =
                    place.lowerBound + (place.upperBound - place.lowerBound) * min(max(fraction, 0), 1)
                points.append((live: max(hold.start, truth.measureOnsets[row]), reference: height))
                points.append((live: min(hold.end, close), reference: height))
            }
            points.append((live: close, reference: place.upperBound))
            stretches[stretches.count - 1] += points
            reached = place.upperBound
        }
        return stretches.filter { !$0.isEmpty }
    }
}
