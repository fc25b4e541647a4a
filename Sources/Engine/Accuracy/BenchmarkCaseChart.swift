import Score

/// The data of a chart of one followed case; the Evaluation service draws the picture.
///
/// The horizontal axis is the live recording, the vertical axis (`height`) the reference recording, both in seconds.
public struct BenchmarkCaseChart: Sendable {
    /// A point of the music's true path, or a measure onset that the follower missed.
    package struct ChartPoint: Hashable, Sendable {
        package var live: Double
        package var height: Double
    }

    /// The follower's reports, one array for each field; equal indices belong to the same report.
    package struct ReportColumns: Sendable {
        package var live: [Double] = []
        /// The position in the reference, in seconds; nil while the follower displays none.
        package var height: [Double?] = []
        package var tempo: [Double] = []
        package var confidence: [Double] = []
        package var state: [String] = []
    }

    /// The follower's position errors in seconds, sampled ten times a second. A positive error is ahead of the music;
    /// nil means that no position was displayed.
    package struct PositionErrorColumns: Sendable {
        package var live: [Double]
        package var seconds: [Double?]
    }

    /// An interval of the live recording, in seconds. In `tempi`, `ratio` is the true tempo of the interval; in `holds`
    /// it is nil.
    package struct LiveInterval: Hashable, Sendable {
        package var start: Double
        package var end: Double
        package var ratio: Double?
    }

    /// The disturbance that was added to the music on purpose, from `start` to `end` in seconds of the live recording.
    package struct DisruptionInterval: Sendable {
        package var kind: String?
        package var start: Double?
        package var end: Double?
    }

    package struct MeasureLine: Sendable {
        package var printed: Int
        package var height: Double
    }

    package var title: String
    package var subtitle: String
    /// The figures of the case by the name of the ``AccuracyMetric``; metrics without a value are left out.
    package var figures: [String: Double] = [:]
    package var end: Double
    /// The end of the reference in seconds, which is the top of the vertical axis.
    package var top: Double
    package var measures: [MeasureLine]
    /// The true path of the music: one list of points for each part without a jump.
    package var music: [[ChartPoint]]
    package var reports = ReportColumns()
    /// Onsets that the follower missed; measures that the reference does not have are left out.
    package var misses: [ChartPoint]
    package var errors: PositionErrorColumns
    /// The true tempo of each live measure relative to the reference; measures with a hold are left out.
    package var tempi: [LiveInterval]
    package var holds: [LiveInterval]
    package var trouble: DisruptionInterval?
    package var thoughts: ProbabilityMap?

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
                samples.estimatedPositions[$0].isNaN ? nil : samples.shownError(at: $0).rounded(places: 3)
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
