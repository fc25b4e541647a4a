import Score

/// The vertical axis of the position panel: measure numbers or, with a ``ThoughtMap``, seconds of the reference,
/// labelled with the measures that begin there.
struct ScoreAxis {
    struct Point: Hashable {
        var live: Double
        var height: Double
    }

    let values: ClosedRange<Double>
    /// The true path of the music, split where it jumps.
    let truth: [[Point]]
    /// The probabilities drawn behind the positions; nil if the axis shows measure numbers.
    let thoughts: ThoughtMap?
    private let onsets: [Double: Double]
    private let reference: MeasureMap?

    init(_ picture: CasePicture, measures: ClosedRange<Double>) {
        let truth = picture.truth
        guard let thoughts = picture.thoughts, let reference = picture.reference,
            thoughts.referenceSeconds > 0
        else {
            values = measures
            self.truth = Self.stretches(of: truth)
            thoughts = nil
            reference = nil
            onsets = Dictionary(zip(truth.onsets, truth.measures)) { first, _ in first }
            return
        }
        let seen = TruthOnReference(truth, reference: reference)
        values = 0...thoughts.referenceSeconds
        self.truth = seen.stretches(of: truth).map { $0.map { Point(live: $0.live, height: $0.reference) } }
        self.thoughts = thoughts
        self.reference = reference
        onsets = Dictionary(
            zip(truth.onsets, seen.places).compactMap { onset, place in
                place.map { (onset, $0.lowerBound) }
            }
        ) { first, _ in first }
    }

    /// The height of the displayed position.
    func shown(_ point: FollowTrace.Point) -> Double? {
        thoughts == nil ? point.measure : point.measure == nil ? nil : point.referenceSeconds
    }

    /// The height at which a live measure begins, found by its onset in live seconds.
    func height(ofOnset seconds: Double) -> Double? { onsets[seconds] }

    /// Measure numbers with the heights at which they begin.
    func ticks(_ scale: PlotScale) -> [(label: String, value: Double)] {
        guard let reference else {
            return scale.ticks(atMost: 6, whole: true).map { ("\(Int($0))", $0) }
        }
        let room = (scale.units.0 - scale.units.1).magnitude / 40
        let step = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].first {
            Double(reference.marks.count) / Double($0) <= room
        }
        return stride(from: 0, to: reference.marks.count, by: step ?? 1_024).map {
            ("\(reference.marks[$0].printed)", reference.marks[$0].onset.seconds)
        }
    }

    /// Straight lines through each measure, flat within holds, split where the music jumps.
    private static func stretches(of truth: Truth) -> [[Point]] {
        var stretches: [[Point]] = [[]]
        for (row, measure) in truth.measures.enumerated() {
            if row > 0, measure != truth.measures[row - 1] + 1 { stretches.append([]) }
            var points = [Point(live: truth.onsets[row], height: measure)]
            let close = row + 1 < truth.onsets.count ? truth.onsets[row + 1] : truth.end
            for hold in truth.holds where hold.end > truth.onsets[row] && hold.start < close {
                // Takes the position just before the hold, because a position within it is already where the music
                // will continue.
                let height = truth.position(at: max(hold.start - 1e-6, truth.onsets[row]))
                points.append(Point(live: max(hold.start, truth.onsets[row]), height: height))
                points.append(Point(live: min(hold.end, close), height: height))
            }
            points.append(Point(live: close, height: measure + 1))
            stretches[stretches.count - 1] += points
        }
        return stretches
    }
}
