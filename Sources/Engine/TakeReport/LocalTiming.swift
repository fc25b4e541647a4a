import RealModule

/// The onset of a note as the take has it.
struct MeasuredOnset: Sendable, Hashable {
    /// Seconds of the take at which the note is expected.
    var expected: Double
    /// Seconds from there to its onset.
    var deviation: Double
}

/// Measures the lateness of notes against the notes beside them.
///
/// The place of each note is predicted from its neighbours by a straight line, so that rubato and the errors of the
/// alignment are no lateness. The note itself takes no part in it, and neighbours that are off count less.
/// - Source: W. S. Cleveland, "Robust locally weighted regression and smoothing scatterplots", JASA 1979.
struct LocalTiming: Sendable {
    /// Neighbours at this distance, in seconds, count a third of those beside the note.
    static let reach = 1.5
    static let fewestNeighbours = 4
    /// Seconds; measuring an onset errs by about as much.
    static let leastSpread = 0.008
    static let passes = 6
    /// Neighbours' straight line is held level by so much, in seconds squared.
    private static let levelling = 0.06

    struct Lateness: Sendable, Hashable {
        /// Seconds later than the neighbours lead to expect; earlier if negative.
        var seconds: Double
        /// The unevenness of the neighbours themselves, as a standard deviation in seconds.
        var spread: Double
    }

    /// One for each onset, in their order; nil if too few neighbours are measured, or none on one side.
    let latenesses: [Lateness?]
    /// The unevenness of all notes of the take, as a standard deviation in seconds: the player's own measure.
    let spread: Double

    /// - Parameters:
    ///   - onsets: in the order of their expected seconds.
    ///   - apart: notes that are expected within so many seconds of a note, such as its chord, are no neighbours of it.
    /// - Complexity: O(onsets × neighbours).
    init(_ onsets: [MeasuredOnset], apart: Double = 0) {
        var latenesses: [Lateness?] = []
        var first = 0
        for (index, own) in onsets.enumerated() {
            while onsets[first].expected < own.expected - 2 * Self.reach { first += 1 }
            var neighbours: [MeasuredOnset] = []
            for other in first..<onsets.count where other != index {
                let distance = onsets[other].expected - own.expected
                guard distance <= 2 * Self.reach else { break }
                guard abs(distance) >= apart else { continue }
                neighbours.append(MeasuredOnset(expected: distance, deviation: onsets[other].deviation))
            }
            latenesses.append(Self.lateness(own.deviation, beside: neighbours))
        }
        self.latenesses = latenesses
        let sizes = latenesses.compactMap { $0.map { abs($0.seconds) } }
        spread = sizes.isEmpty ? 0 : 1.48 * median(sizes)
    }

    /// - Parameter neighbours: their `expected` counted from the note.
    private static func lateness(_ own: Double, beside neighbours: [MeasuredOnset]) -> Lateness? {
        let instants = Set(neighbours.map { Int(($0.expected * 50).rounded()) })
        guard instants.count >= fewestNeighbours, let first = neighbours.first, let last = neighbours.last,
            first.expected < 0.06, last.expected > -0.06
        else { return nil }
        let near = neighbours.map { Double.exp(-($0.expected / reach) * ($0.expected / reach)) }
        var (level, slope) = (median(neighbours.map { $0.deviation }), 0.0)
        func rest(_ neighbour: MeasuredOnset) -> Double {
            abs(neighbour.deviation - level - slope * neighbour.expected)
        }
        for _ in 0..<passes {
            let usual = 1.5 * max(1.48 * median(neighbours.map(rest)), leastSpread)
            let weights = neighbours.indices.map { index in
                near[index] * min(1, usual / max(rest(neighbours[index]), 1e-6))
            }
            let whole = weights.reduce(0, +)
            func mean(_ value: (MeasuredOnset) -> Double) -> Double {
                neighbours.indices.reduce(0) { $0 + weights[$1] * value(neighbours[$1]) } / whole
            }
            let (time, deviation) = (mean { $0.expected }, mean { $0.deviation })
            let width = mean { ($0.expected - time) * ($0.expected - time) } + levelling
            slope = mean { ($0.expected - time) * ($0.deviation - deviation) } / width
            level = deviation - slope * time
        }
        return Lateness(seconds: own - level, spread: 1.48 * median(neighbours.map(rest)))
    }
}
