import Score

/// The course of one followed case, ready to be drawn: `Tools/draw-charts` makes a picture of it.
///
/// Times are live seconds, heights are seconds of the reference.
public struct CaseChart: Encodable, Sendable {
    /// A point of the way the music took, or a missed onset.
    struct Point: Encodable, Hashable, Sendable {
        var live: Double
        var height: Double
    }

    /// A report of the follower, in columns.
    struct Reports: Encodable, Sendable {
        var live: [Double] = []
        /// Nil where no position is shown.
        var height: [Double?] = []
        var tempo: [Double] = []
        var confidence: [Double] = []
        var state: [String] = []
    }

    /// The error of the position, ten times a second; positive is ahead of the music, nil where none is shown.
    struct Errors: Encodable, Sendable {
        var live: [Double]
        var seconds: [Double?]
    }

    /// A stretch of live time, with the true tempo in it where it is one of those.
    struct Stretch: Encodable, Hashable, Sendable {
        var start: Double
        var end: Double
        var ratio: Double?
    }

    /// The change that was made to the music, and the seconds between which it lasts.
    struct Trouble: Encodable, Sendable {
        var kind: String?
        var start: Double?
        var end: Double?
    }

    struct Measure: Encodable, Sendable {
        var printed: Int
        var height: Double
    }

    var title: String
    var subtitle: String
    /// By the names of ``Metric``; those without a value are left out.
    var figures: [String: Double] = [:]
    var end: Double
    /// The end of the reference.
    var top: Double
    var measures: [Measure]
    /// Connected pieces of the way the music took.
    var music: [[Point]]
    var reports = Reports()
    /// Missed onsets, where the reference has the measure.
    var misses: [Point]
    var errors: Errors
    /// Live measures with their tempo against the reference; held ones are left out.
    var tempi: [Stretch]
    var holds: [Stretch]
    var trouble: Trouble?
    var thoughts: ProbabilityMap?

    public init(
        title: String, subtitle: String = "", truth: GroundTruth, reference: MeasureMap, trace: FollowTrace,
        disruption: Disruption? = nil, thoughts: ProbabilityMap? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.thoughts = thoughts
        end = max(truth.end, trace.points.last?.liveSeconds ?? 0)
        top = reference.end.seconds
        measures = reference.marks.map { Measure(printed: $0.printed, height: $0.onset.seconds) }
        holds = truth.holds.map { Stretch(start: $0.start, end: $0.end) }
        trouble = disruption.map { Trouble(kind: $0.kind, start: $0.start, end: $0.end) }
        let seen = GroundTruthOnReference(truth, reference: reference)
        music = seen.stretches(of: truth).map { $0.map { Point(live: $0.live, height: $0.reference) } }
        let score = CaseScore(truth: truth, trace: trace, disruption: disruption)
        let summary = Summary(pooling: [score])
        for metric in Metric.allCases { figures[metric.rawValue] = summary[metric].value }
        let heights = Dictionary(
            zip(truth.onsets, seen.places).compactMap { onset, place in place.map { (onset, $0.lowerBound) } }
        ) { first, _ in first }
        misses = score.onsetErrors.filter { $0.seconds == nil }.compactMap { error in
            heights[error.onset].map { Point(live: error.onset, height: $0) }
        }
        let samples = SampledPositions(truth: truth, trace: trace)
        errors = Errors(
            live: samples.times.map { $0.rounded(places: 3) },
            seconds: samples.times.indices.map {
                samples.estimate[$0].isNaN ? nil : samples.signedError[$0].rounded(places: 3)
            })
        tempi = Self.tempi(of: truth, reference: reference)
        for point in trace.points {
            reports.live.append(point.liveSeconds.rounded(places: 3))
            reports.height.append(point.measure == nil ? nil : point.referenceSeconds?.rounded(places: 3))
            reports.tempo.append(point.tempoRatio.rounded(places: 3))
            reports.confidence.append(point.confidence.rounded(places: 3))
            reports.state.append(point.state.rawValue)
        }
    }

    private static func tempi(of truth: GroundTruth, reference: MeasureMap) -> [Stretch] {
        let bounds = (reference.marks.map(\.onset) + [reference.end]).map(\.seconds)
        var lengths: [Double: Double] = [:]
        for measure in ScoreLayout.durations(of: reference.marks.map(\.printed), bounds: bounds) {
            lengths[Double(measure.number)] = measure.seconds
        }
        return truth.measures.indices.compactMap { row in
            let start = truth.onsets[row]
            let end = row + 1 < truth.onsets.count ? truth.onsets[row + 1] : truth.end
            let isHeld = truth.holds.contains { $0.end > start && $0.start < end }
            guard let length = lengths[truth.measures[row]], !isHeld, end > start else { return nil }
            return Stretch(start: start, end: end, ratio: length / (end - start))
        }
    }
}
