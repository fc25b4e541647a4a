import Score

/// The data of a chart of one followed case; `Tools/draw-charts` draws the picture.
///
/// The horizontal axis is the live recording, the vertical axis (`height`) the reference recording, both in seconds.
public struct BenchmarkCaseChart: Encodable, Sendable {
    /// A point of the music's true path, or a measure onset that the follower missed.
    struct ChartPoint: Encodable, Hashable, Sendable {
        var live: Double
        var height: Double
    }

    /// The follower's reports, one array for each field; equal indices belong to the same report.
    struct ReportColumns: Encodable, Sendable {
        var live: [Double] = []
        /// The position in the reference, in seconds; nil while the follower displays none.
        var height: [Double?] = []
        var tempo: [Double] = []
        var confidence: [Double] = []
        var state: [String] = []
    }

    /// The follower's position errors in seconds, sampled ten times a second. A positive error is ahead of the music;
    /// nil means that no position was displayed.
    struct PositionErrorColumns: Encodable, Sendable {
        var live: [Double]
        var seconds: [Double?]
    }

    /// An interval of the live recording, in seconds. In `tempi`, `ratio` is the true tempo of the interval; in `holds`
    /// it is nil.
    struct LiveInterval: Encodable, Hashable, Sendable {
        var start: Double
        var end: Double
        var ratio: Double?
    }

    /// The disturbance that was added to the music on purpose, from `start` to `end` in seconds of the live recording.
    struct DisruptionInterval: Encodable, Sendable {
        var kind: String?
        var start: Double?
        var end: Double?
    }

    struct MeasureLine: Encodable, Sendable {
        var printed: Int
        var height: Double
    }

    var title: String
    var subtitle: String
    /// The figures of the case by the name of the ``AccuracyMetric``; metrics without a value are left out.
    var figures: [String: Double] = [:]
    var end: Double
    /// The end of the reference in seconds, which is the top of the vertical axis.
    var top: Double
    var measures: [MeasureLine]
    /// The true path of the music: one list of points for each part without a jump.
    var music: [[ChartPoint]]
    var reports = ReportColumns()
    /// Onsets that the follower missed; measures that the reference does not have are left out.
    var misses: [ChartPoint]
    var errors: PositionErrorColumns
    /// The true tempo of each live measure relative to the reference; measures with a hold are left out.
    var tempi: [LiveInterval]
    var holds: [LiveInterval]
    var trouble: DisruptionInterval?
    var thoughts: ProbabilityMap?

    public init(
        title: String, subtitle: String = "", truth: GroundTruth, reference: MeasureMap, trace: FollowTrace,
        disruption: MusicDisruption? = nil, thoughts: ProbabilityMap? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.thoughts = thoughts
        end = max(truth.endSeconds, trace.reports.last?.liveSeconds ?? 0)
        top = reference.end.seconds
        measures = reference.marks.map { MeasureLine(printed: $0.printed, height: $0.onset.seconds) }
        holds = truth.unplayedIntervals.map { LiveInterval(start: $0.start, end: $0.end) }
        trouble = disruption.map { DisruptionInterval(kind: $0.kind, start: $0.start, end: $0.end) }
        let seen = GroundTruthOnReference(truth, reference: reference)
        music = seen.pathSegments(of: truth).map {
            $0.map { ChartPoint(live: $0.live, height: $0.reference) }
        }
        let score = BenchmarkCaseAccuracy(truth: truth, trace: trace, disruption: disruption)
        let summary = AccuracySummary(pooling: [score])
        for metric in AccuracyMetric.allCases { figures[metric.rawValue] = summary[metric].value }
        let heights = Dictionary(
            zip(truth.measureOnsets, seen.referenceIntervalsByMeasure).compactMap { onset, place in
                place.map { (onset, $0.lowerBound) }
            }
        ) { first, _ in first }
        misses = score.onsetErrors.filter { $0.secondsLate == nil }.compactMap { error in
            heights[error.trueOnsetSeconds].map { ChartPoint(live: error.trueOnsetSeconds, height: $0) }
        }
        let samples = SampledPositions(truth: truth, trace: trace)
        errors = PositionErrorColumns(
            live: samples.sampleSeconds.map { $0.rounded(places: 3) },
            seconds: samples.sampleSeconds.indices.map {
                samples.estimatedPositions[$0].isNaN ? nil : samples.signedErrors[$0].rounded(places: 3)
            })
        tempi = Self.trueTempi(of: truth, reference: reference)
        for point in trace.reports {
            reports.live.append(point.liveSeconds.rounded(places: 3))
            reports.height.append(
                point.measureWithFraction == nil ? nil : point.referenceSeconds?.rounded(places: 3))
            reports.tempo.append(point.tempoRatio.rounded(places: 3))
            reports.confidence.append(point.confidence.rounded(places: 3))
            reports.state.append(point.state.rawValue)
        }
    }

    private static func trueTempi(of truth: GroundTruth, reference: MeasureMap) -> [LiveInterval] {
        let bounds = (reference.marks.map(\.onset) + [reference.end]).map(\.seconds)
        var lengths: [Double: Double] = [:]
        for measure in ScoreTimeAxis.meanMeasureLengths(of: reference.marks.map(\.printed), bounds: bounds) {
            lengths[Double(measure.number)] = measure.seconds
        }
        return truth.measureNumbers.indices.compactMap { row in
            let start = truth.measureOnsets[row]
            let end = row + 1 < truth.measureOnsets.count ? truth.measureOnsets[row + 1] : truth.endSeconds
            let isHeld = truth.unplayedIntervals.contains { $0.end > start && $0.start < end }
            guard let length = lengths[truth.measureNumbers[row]], !isHeld, end > start else { return nil }
            return LiveInterval(start: start, end: end, ratio: length / (end - start))
        }
    }
}
